%% A process that sends itself messages for ever.
-module(endless).
-export([main/0]).
main() -> loop(0).
loop(N) -> self() ! N, receive N -> loop(N + 1) end.

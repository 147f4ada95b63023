%% Value: {error,calling_self}
-module(io_calling_self).
-export([main/0]).

main() -> try io:format(self(), "x", []) catch C:E -> {C, E} end.

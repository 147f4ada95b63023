%% A receive that times out and tries again until a message has come.
-module(retry_loop).
-export([main/0]).
main() -> P = self(), spawn(fun() -> P ! ok end), loop().
loop() -> receive ok -> ok after 50 -> loop() end.

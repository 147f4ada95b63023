%% A receive that times out and begins again, for ever.
-module(endless_wait).
-export([main/0]).
main() -> receive ok -> ok after 50 -> main() end.

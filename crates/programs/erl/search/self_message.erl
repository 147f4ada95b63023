%% A message to oneself and a receive that does not wait.
-module(self_message).
-export([main/0]).
main() -> self() ! x, receive x -> got after 0 -> none end.

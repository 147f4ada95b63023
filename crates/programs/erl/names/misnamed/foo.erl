%% The file is called foo and the module is called bar.
-module(bar).
-export([main/0]).
main() -> ok.

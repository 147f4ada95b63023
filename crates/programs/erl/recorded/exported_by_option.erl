%% A module that is compiled with the option `export_all`, as build tools do for tests.
-module(exported_by_option).
-export([main/0]).

main() -> {?MODULE:hidden(1), apply(?MODULE, hidden, [2]), self()}.

hidden(N) -> N + 1.

%% A small application: a supervisor with one server, which is restarted once and loses its takings.
-module(kiosk).
-export([main/0]).

main() ->
    {ok, [kiosk]} = application:ensure_all_started(kiosk),
    Self = self(),
    [spawn_link(fun() -> kiosk_till:pay(N), Self ! {paid, N} end) || N <- [1, 2]],
    [receive {paid, N} -> ok end || N <- [1, 2]],
    Before = kiosk_till:takings(),
    {'EXIT', _} = (catch kiosk_till:pay(nothing)),
    After = wait_for_restart(),
    ok = application:stop(kiosk),
    {Before, After, whereis(kiosk_till)}.

wait_for_restart() ->
    try kiosk_till:takings()
    catch exit:_ -> timer:sleep(1), wait_for_restart()
    end.

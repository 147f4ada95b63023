%% Base 64 and the calendar.
-module(times).
-export([main/0]).

main() ->
  Ds = [<<>>, <<"a">>, <<"ab">>, <<"abc">>, <<"abcd">>, "hello", list_to_binary(lists:seq(0, 255))],
  [show:call({enc, D}, fun() -> {base64:encode(D), base64:encode_to_string(D), base64:decode(base64:encode(D))=:=iolist_to_binary(D), base64:mime_decode(base64:encode(D))=:=iolist_to_binary(D)} end) || D <- Ds],
  [show:call({dec, D}, fun() -> base64:decode(D) end) || D <- ["YWJj", "YWI=", "YQ==", "YQ=", "YQ", "Y", "YW Jj", "YW\nI=", "=", "====", "YWI=YWI=", "YQ==\n", <<"YWJj">>, <<"YQ==">>, <<"*">>, x]],
  [show:call({mdec, D}, fun() -> base64:mime_decode(D) end) || D <- ["YWJj", "YWI=", "YQ==", "YQ=", "YQ", "Y", "YW Jj", "YW\nI=", "YW*j", "=", "YWI=YWI=", <<"YQ==">>, <<"*YQ*==">>]],
  [show:call({mds, D}, fun() -> {base64:decode_to_string(D), base64:mime_decode_to_string(D)} end) || D <- ["YWJj", <<"YWI=">>]],
  show:call(t, fun() -> calendar:date_to_gregorian_days(2024, 2, 29) end),
  [show:call(D, fun() -> {calendar:date_to_gregorian_days(D), calendar:gregorian_days_to_date(calendar:date_to_gregorian_days(D)), calendar:day_of_the_week(D), calendar:iso_week_number(D), calendar:valid_date(D)} end) || D <- [{2024, 2, 29}, {2023, 2, 29}, {0, 1, 1}, {1970, 1, 1}, {2000, 12, 31}, {2021, 1, 3}, {2020, 12, 31}, {9999, 12, 31}, {1900, 3, 1}, {-1, 1, 1}, {2024, 13, 1}, {2026, 11, 15}]],
  [show:call(T, fun() -> {calendar:time_to_seconds(T), calendar:seconds_to_time(calendar:time_to_seconds(T))} end) || T <- [{0, 0, 0}, {23, 59, 59}, {24, 0, 0}, {12, 30, 1}]],
  [show:call(S, fun() -> {calendar:seconds_to_daystime(S), calendar:gregorian_seconds_to_datetime(63000000000+S), calendar:system_time_to_universal_time(S, second), calendar:system_time_to_rfc3339(S, [{offset, "Z"}]), calendar:system_time_to_rfc3339(S, [{offset, "+02:30"}, {unit, second}]), calendar:system_time_to_rfc3339(abs(S)*1000+5, [{unit, millisecond}, {offset, "Z"}])} end) || S <- [0, 1, 86399, 86400, -1, -86400, 1700000000]],
  [show:call(D, fun() -> calendar:rfc3339_to_system_time(D) end) || D <- ["2018-02-01T15:18:02Z", "2018-02-01T16:17:58+01:00", "2018-02-01 15:18:02.088Z", "x"]],
  show:call(ms, fun() -> calendar:rfc3339_to_system_time("2018-02-01 15:18:02.088Z", [{unit, nanosecond}]) end),
  show:call(leap, fun() -> [Y||Y<-[1900, 2000, 2023, 2024], calendar:is_leap_year(Y)] end),
  show:call(ldm, fun() -> [calendar:last_day_of_the_month(2024, M)||M<-lists:seq(1, 12)] end),
  show:call(td, fun() -> {calendar:time_difference({{2020, 1, 1}, {0, 0, 0}}, {{2021, 1, 2}, {3, 4, 5}}), calendar:datetime_to_gregorian_seconds({{2020, 1, 1}, {1, 2, 3}}), calendar:now_to_datetime({1700, 0, 0}), calendar:now_to_universal_time({1700, 5, 0})} end).

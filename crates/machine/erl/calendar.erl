%% Days, weeks and seconds of the Gregorian calendar, for machines without OTP. Local time is
%% universal time here.
-module(calendar).
-export([date_to_gregorian_days/1, date_to_gregorian_days/3, gregorian_days_to_date/1]).
-export([datetime_to_gregorian_seconds/1, gregorian_seconds_to_datetime/1]).
-export([day_of_the_week/1, day_of_the_week/3, iso_week_number/0, iso_week_number/1]).
-export([is_leap_year/1, last_day_of_the_month/2, valid_date/1, valid_date/3]).
-export([time_to_seconds/1, seconds_to_time/1, seconds_to_daystime/1, time_difference/2]).
-export([local_time/0, universal_time/0, local_time_to_universal_time/1]).
-export([local_time_to_universal_time_dst/1, universal_time_to_local_time/1]).
-export([now_to_datetime/1, now_to_universal_time/1, now_to_local_time/1]).
-export([system_time_to_universal_time/2, system_time_to_local_time/2]).
-export([system_time_to_rfc3339/1, system_time_to_rfc3339/2]).
-export([rfc3339_to_system_time/1, rfc3339_to_system_time/2]).

-define(DAY, 86400).
%% Seconds from year 0 to 1970.
-define(EPOCH, 62167219200).

is_leap_year(Y) when Y rem 4 =:= 0, Y rem 100 > 0 -> true;
is_leap_year(Y) when Y rem 400 =:= 0 -> true;
is_leap_year(Y) when is_integer(Y), Y >= 0 -> false.

last_day_of_the_month(Y, 2) ->
    case is_leap_year(Y) of
        true -> 29;
        false -> 28
    end;
last_day_of_the_month(Y, M) when is_integer(Y), Y >= 0 ->
    element(M, {31, 28, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31}).

valid_date({Y, M, D}) -> valid_date(Y, M, D).

valid_date(Y, M, D) when is_integer(Y), Y >= 0, is_integer(M), M > 0, M < 13,
                         is_integer(D), D > 0 ->
    D =< last_day_of_the_month(Y, M);
valid_date(Y, M, D) when is_integer(Y), is_integer(M), is_integer(D) -> false.

date_to_gregorian_days({Y, M, D}) -> date_to_gregorian_days(Y, M, D).

date_to_gregorian_days(Y, M, D) when is_integer(D), D > 0 ->
    true = D =< last_day_of_the_month(Y, M),
    Months = lists:sum([last_day_of_the_month(Y, N) || N <- lists:seq(1, M - 1)]),
    days_before(Y) + Months + D - 1.

days_before(0) -> 0;
days_before(Y) ->
    P = Y - 1,
    Y * 365 + P div 4 - P div 100 + P div 400 + 1.

gregorian_days_to_date(Days) when is_integer(Days), Days >= 0 ->
    Y = year(Days, Days div 366, Days div 365),
    month(Y, 1, Days - days_before(Y)).

%% The last year of Low..High that begins at or before the day.
year(_, Y, Y) -> Y;
year(Days, Low, High) ->
    Middle = (Low + High + 1) div 2,
    case days_before(Middle) =< Days of
        true -> year(Days, Middle, High);
        false -> year(Days, Low, Middle - 1)
    end.

month(Y, M, Days) ->
    case last_day_of_the_month(Y, M) of
        Length when Days < Length -> {Y, M, Days + 1};
        Length -> month(Y, M + 1, Days - Length)
    end.

datetime_to_gregorian_seconds({Date, Time}) ->
    ?DAY * date_to_gregorian_days(Date) + time_to_seconds(Time).

gregorian_seconds_to_datetime(Seconds) when Seconds >= 0 ->
    {gregorian_days_to_date(Seconds div ?DAY), seconds_to_time(Seconds rem ?DAY)}.

day_of_the_week({Y, M, D}) -> day_of_the_week(Y, M, D).
%% The first of January of year 0 was a Saturday.
day_of_the_week(Y, M, D) -> (date_to_gregorian_days(Y, M, D) + 5) rem 7 + 1.

iso_week_number() ->
    {Date, _} = universal_time(),
    iso_week_number(Date).

iso_week_number({Y, _, _} = Date) ->
    Day = date_to_gregorian_days(Date),
    Next = week_one(Y + 1),
    case week_one(Y) of
        First when Day < First -> {Y - 1, (Day - week_one(Y - 1)) div 7 + 1};
        _ when Day >= Next -> {Y + 1, 1};
        First -> {Y, (Day - First) div 7 + 1}
    end.

%% The Monday of the week that holds the fourth of January.
week_one(Y) ->
    Fourth = date_to_gregorian_days(Y, 1, 4),
    Fourth - (day_of_the_week(Y, 1, 4) - 1).

time_to_seconds({H, M, S}) when is_integer(H), is_integer(M), is_integer(S) ->
    H * 3600 + M * 60 + S.

seconds_to_time(Seconds) when Seconds >= 0, Seconds < ?DAY ->
    {Seconds div 3600, Seconds rem 3600 div 60, Seconds rem 60}.

seconds_to_daystime(Seconds) ->
    Days = floor_div(Seconds, ?DAY),
    {Days, seconds_to_time(Seconds - Days * ?DAY)}.

floor_div(A, B) when A >= 0 -> A div B;
floor_div(A, B) -> -((-A + B - 1) div B).

time_difference(From, To) ->
    seconds_to_daystime(datetime_to_gregorian_seconds(To) - datetime_to_gregorian_seconds(From)).

universal_time() -> system_time_to_universal_time(erlang:system_time(second), second).
local_time() -> universal_time().
local_time_to_universal_time(DateTime) -> DateTime.
local_time_to_universal_time_dst(DateTime) -> [DateTime].
universal_time_to_local_time(DateTime) -> DateTime.

now_to_datetime({Mega, Seconds, _}) ->
    gregorian_seconds_to_datetime(Mega * 1000000 + Seconds + ?EPOCH).
now_to_universal_time(Now) -> now_to_datetime(Now).
now_to_local_time(Now) -> now_to_datetime(Now).

system_time_to_universal_time(Time, Unit) ->
    Seconds = erlang:convert_time_unit(Time, Unit, second),
    gregorian_seconds_to_datetime(Seconds + ?EPOCH).
system_time_to_local_time(Time, Unit) -> system_time_to_universal_time(Time, Unit).

system_time_to_rfc3339(Time) -> system_time_to_rfc3339(Time, []).

system_time_to_rfc3339(Time, Options) ->
    Unit = proplists:get_value(unit, Options, second),
    Separator = proplists:get_value(time_designator, Options, $T),
    Offset = proplists:get_value(offset, Options, "Z"),
    PerSecond = erlang:convert_time_unit(1, second, Unit),
    Local = Time + offset(Offset, Unit) * PerSecond,
    Whole = floor_div(Local, PerSecond),
    {{Y, Mo, D}, {H, Mi, S}} = gregorian_seconds_to_datetime(Whole + ?EPOCH),
    Fraction =
        case PerSecond of
            1 -> "";
            _ ->
                Digits = length(integer_to_list(PerSecond)) - 1,
                io_lib:format(".~*..0B", [Digits, Local - Whole * PerSecond])
        end,
    Shown =
        case Offset of
            N when is_integer(N) -> shown(erlang:convert_time_unit(N, Unit, second));
            _ -> Offset
        end,
    Format = "~4.10.0B-~2.10.0B-~2.10.0B~c~2.10.0B:~2.10.0B:~2.10.0B~s~s",
    Text = io_lib:format(Format, [Y, Mo, D, Separator, H, Mi, S, Fraction, Shown]),
    lists:flatten(Text).

shown(Seconds) when Seconds >= 0 -> shown($+, Seconds);
shown(Seconds) -> shown($-, -Seconds).

shown(Sign, Seconds) ->
    Minutes = Seconds div 60,
    io_lib:format("~c~2.10.0B:~2.10.0B", [Sign, Minutes div 60, Minutes rem 60]).

%% In seconds.
offset(Offset, Unit) when is_integer(Offset) -> erlang:convert_time_unit(Offset, Unit, second);
offset(Z, _) when Z =:= "Z"; Z =:= "z"; Z =:= "" -> 0;
offset([Sign, H1, H2, $:, M1, M2], _) ->
    Seconds = list_to_integer([H1, H2]) * 3600 + list_to_integer([M1, M2]) * 60,
    case Sign of
        $+ -> Seconds;
        $- -> -Seconds
    end.

rfc3339_to_system_time(Text) -> rfc3339_to_system_time(Text, []).

rfc3339_to_system_time(Text, Options) ->
    Unit = proplists:get_value(unit, Options, second),
    {Date, [_ | Rest0]} = lists:split(10, Text),
    {Time, Rest} = lists:split(8, Rest0),
    [Y, Mo, D] = [list_to_integer(Part) || Part <- string:lexemes(Date, "-")],
    [H, Mi, S] = [list_to_integer(Part) || Part <- string:lexemes(Time, ":")],
    {Fraction, Offset} =
        case Rest of
            [$. | More] -> lists:splitwith(fun(C) -> C >= $0 andalso C =< $9 end, More);
            _ -> {"", Rest}
        end,
    true = lists:member(hd(Offset), "Zz+-"),
    Seconds = datetime_to_gregorian_seconds({{Y, Mo, D}, {H, Mi, S}}) - ?EPOCH,
    PerSecond = erlang:convert_time_unit(1, second, Unit),
    Part =
        case Fraction of
            "" -> 0;
            _ ->
                Scale = ten(length(Fraction)),
                (list_to_integer(Fraction) * PerSecond + Scale div 2) div Scale
        end,
    (Seconds - offset(Offset, Unit)) * PerSecond + Part.

ten(0) -> 1;
ten(N) -> 10 * ten(N - 1).

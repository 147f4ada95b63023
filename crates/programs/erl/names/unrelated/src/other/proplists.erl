%% A module of an unrelated project that has the name of one of OTP's.
-module(proplists).
-export([get_value/2]).
get_value(_, _) -> from_an_unrelated_project.

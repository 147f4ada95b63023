%% Value: {true,"value",true,"value",true,false,false,{'EXIT',badarg}}
-module(environment).
-export([main/0]).

main() ->
    Name = "REVERL_EXACT",
    {os:putenv(Name, "value"), os:getenv(Name),
     lists:member(Name ++ "=value", os:getenv()),
     proplists:get_value(Name, os:env()),
     os:unsetenv(Name), os:getenv(Name), lists:keymember(Name, 1, os:env()),
     try os:putenv("a=b", "c") catch error:Reason -> {'EXIT', Reason} end}.

%% Value: {[9,8,8,1,2],true,true,{handled,nope,[1]}}
-module(undefined_handler).
-export([main/0, '$handle_undefined_function'/2]).

'$handle_undefined_function'(F, A) -> {handled, F, A}.

main() ->
    {[length(M:behaviour_info(callbacks))
      || M <- [gen_server, gen_statem, gen_event, supervisor, application]],
     erlang:function_exported(erlang, display, 1),
     lists:member({display, 1}, erlang:module_info(exports)),
     ?MODULE:nope(1)}.

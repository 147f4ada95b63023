%% In the place of OTP's functions: the server of global names is started when it is needed.
-module(global).

where(Name) ->
    reverl_kernel:need(global_name_server),
    'otp where'(Name).

registered_names() ->
    reverl_kernel:need(global_name_server),
    'otp registered_names'().

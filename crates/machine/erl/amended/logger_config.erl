%% In the place of OTP's functions: the logger is started when somebody asks how it is set.
-module(logger_config).

exist(Tid, What) ->
    reverl_kernel:need_logger(Tid),
    'otp exist'(Tid, What).

get(Tid, What) ->
    reverl_kernel:need_logger(Tid),
    'otp get'(Tid, What).

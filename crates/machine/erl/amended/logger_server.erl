%% In the place of OTP's function: the logger is started when somebody sets it.
-module(logger_server).

call(Request) ->
    reverl_kernel:need_logger(logger),
    'otp call'(Request).

%% In the place of OTP's function: the logger is started when there is something to log.
-module(logger).

tid() ->
    reverl_kernel:need_logger(logger),
    'otp tid'().

%% In the place of OTP's function: the controller is started when somebody looks for what is loaded.
-module(application_controller).

get_loaded(Application) ->
    reverl:whereis(application_controller) =:= undefined andalso application:loaded_applications(),
    'otp get_loaded'(Application).

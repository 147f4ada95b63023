%% In the place of OTP's function: processes of `kernel` are started when somebody calls them.
-module(gen).

do_for_proc(Name, Fun) when is_atom(Name) ->
    reverl_kernel:need(Name),
    'otp do_for_proc'(Name, Fun);
do_for_proc({Name, Node} = Process, Fun) when is_atom(Name), is_atom(Node) ->
    reverl_kernel:need(Name, Node),
    'otp do_for_proc'(Process, Fun);
do_for_proc(Process, Fun) ->
    'otp do_for_proc'(Process, Fun).

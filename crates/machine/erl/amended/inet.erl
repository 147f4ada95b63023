%% In the place of OTP's functions: sockets are those of our own network, which has one machine.
-module(inet).

gen_tcp_module([{inet_backend, _} | Options]) -> {reverl_tcp, Options};
gen_tcp_module(Options) -> {reverl_tcp, Options}.

gen_udp_module([{inet_backend, _} | Options]) -> {reverl_udp, Options};
gen_udp_module(Options) -> {reverl_udp, Options}.

gethostname() -> {ok, "localhost"}.

getaddr(Address, inet) -> reverl_net:address(Address);
getaddr(Address, Family) ->
    case reverl_net:address(Address) of
        {ok, {127, 0, 0, 1}} when Family =:= inet6 -> {ok, {0, 0, 0, 0, 0, 0, 0, 1}};
        Other -> Other
    end.

getaddrs(Address, Family) ->
    case getaddr(Address, Family) of
        {ok, Found} -> {ok, [Found]};
        Error -> Error
    end.

getifaddrs() ->
    {ok, [{"lo", [{flags, [up, loopback, running]}, {addr, {127, 0, 0, 1}},
                  {netmask, {255, 0, 0, 0}}]}]}.

getif() -> {ok, [{{127, 0, 0, 1}, {0, 0, 0, 0}, {255, 0, 0, 0}}]}.

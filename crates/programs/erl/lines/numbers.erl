%% Random numbers: what each algorithm gives for a seed.
-module(numbers).
-export([main/0]).

main() ->
  Algs = [exsss, exrop, exsp, exro928ss, exs1024s, exsplus, foo, default],
  Seeds = [{1, 2, 3}, {0, 0, 0}, {123456, -5, 1 bsl 70}, 42, 0, -7],
  [show:call({A, S}, fun() -> St=rand:seed(A, S), {rand:export_seed_s(St), [rand:uniform(100)||_<-lists:seq(1, 10)], [rand:uniform()||_<-[1, 2, 3]], rand:uniform(1 bsl 70), rand:uniform(1 bsl 58), rand:uniform((1 bsl 58)-1), rand:uniform((1 bsl 57)+3), rand:normal(), rand:normal(3, 2), rand:uniform_real(), rand:bytes(11), rand:uniform(1), rand:export_seed()} end) || A <- Algs, S <- Seeds],
  [show:call({A, jump}, fun() -> S=rand:seed_s(A, {1, 2, 3}), J=rand:jump(S), {X, J2}=rand:uniform_s(1000, J), {X, rand:export_seed_s(J2)} end) || A <- Algs],
  [show:call({A, many}, fun() -> S=rand:seed_s(A, {4, 5, 6}), {L, _} = lists:mapfoldl(fun(_, St) -> rand:uniform_s(1000000, St) end, S, lists:seq(1, 2000)), {N, _} = lists:mapfoldl(fun(_, St) -> rand:normal_s(St) end, S, lists:seq(1, 3000)), {U, _} = lists:mapfoldl(fun(_, St) -> rand:uniform_s(St) end, S, lists:seq(1, 1000)), {erlang:phash2(L), erlang:phash2(N), erlang:phash2(U)} end) || A <- Algs],
  show:call(errs, fun() -> rand:uniform(0) end),
  show:call(errs, fun() -> rand:uniform(x) end),
  show:call(errs, fun()-> rand:seed(x) end),
  show:call(st, fun() -> S = rand:export_seed_s(rand:seed_s(exsss, 7)), rand:seed(S), {rand:uniform(1000), rand:uniform(1000)} end),
  show:call(splitmix, fun() -> rand:splitmix64_next(5) end),
  show:call(exsp, fun() -> {rand:exsp_next([1|2]), rand:exsp_jump([1|2])} end),
  show:call(mwc, fun() -> X=rand:mwc59_seed(5), Y=rand:mwc59(X), {X, Y, rand:mwc59_value(Y), rand:mwc59_value32(Y), rand:mwc59_float(Y)} end),
  show:call(fresh, fun() -> erase(rand_seed), X=rand:uniform(100), X>=1 andalso X =< 100 end),
  show:call(fresh2, fun() -> element(1, rand:export_seed()) end).

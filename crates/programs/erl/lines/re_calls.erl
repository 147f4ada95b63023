%% Regular expressions: patterns, subjects and options, each with each.
-module(re_calls).
-export([main/0]).

main() ->
  Ps = ["a", "a*", "(a)|(b)", "(?<n>x)?(?<m>b)", "^b", "b$", "\\bfoo\\b", "[[:digit:]]+", "(\\d+)-(\\d+)", "(?i)ABC", ".", "\\s+", "x*", "", "(?=b)", "(a+)+$", "\\R", "(?:a|b)+?", "\\w+", "(?s).+", "[^, ]*", "a{2, 3}", "(\\w)\\1", "\\x{e5}", "é"],
  Ss = ["", "a", "aaa", "abc", "foo bar foo", "12-34 56-78", "ABCabc", "b\na\r\nb", "aabbcc", "x, y, , z", "xb"],
  Os = [[], [global], [{capture, all_but_first, list}], [{capture, first, binary}], [global, {capture, all, list}], [{capture, all_names, binary}], [{capture, none}], [{capture, [1, 0, 2, 9], list}], [{capture, [n, "m"], index}], [caseless, multiline, global], [anchored], [{offset, 1}], [unicode, global, {capture, all, list}], [notempty, global], [notbol, noteol], [dotall, ungreedy, {capture, first, list}], [{newline, anycrlf}, multiline, global, {capture, first, list}], [notempty_atstart], [extended, firstline], [global, {capture, [1]}], [bsr_anycrlf], [dollar_endonly], [{newline, crlf}, global]],
  [show:call({P, S, O}, fun() -> re:run(S, P, O) end) || P <- Ps, S <- Ss, O <- Os, not (S =:= "" andalso O =:= [{offset, 1}])],
  [show:call({P, S, bin}, fun() -> {ok, MP}=re:compile(P), re:run(list_to_binary(S), MP, [global, {capture, all, binary}]) end) || P <- lists:droplast(Ps), S <- Ss],
  [show:call({rep, P, S, R, O}, fun() -> re:replace(S, P, R, O) end) || P <- lists:droplast(Ps), S <- Ss, R <- ["-", "[&]", "<\\1>", "\\g{1}x"], O <- [[{return, list}], [global, {return, list}], [global, {return, binary}]]],
  [show:call({rep, S}, fun() -> re:replace(S, "b", "X") end) || S <- Ss],
  [show:call({split, P, S, O}, fun() -> re:split(S, P, O) end) || P <- lists:droplast(Ps), S <- Ss, O <- [[], [{return, list}], [trim, {return, list}], [{parts, 2}, {return, list}], [group, {return, list}]]],
  U = "åäö αβγ 日本",
  [show:call({u, P, O}, fun() -> re:run(U, P, [unicode|O]) end) || P <- ["ä", "[α-ω]+", "\\w+", ".", "\\X", "\\p{L}+", "(.)(.)"], O <- [[], [global], [{capture, all, list}], [{capture, all, binary}], [global, {capture, first, list}], [ucp, global, {capture, first, list}], [caseless], [{offset, 2}]]],
  show:call(u2, fun() -> re:run(U, "a", []) end),
  show:call(u4, fun() -> re:replace(U, "ä", "[&]", [unicode, {return, list}]) end),
  show:call(u5, fun() -> re:split(U, " ", [unicode, {return, list}]) end),
  [show:call({bad, A, B, O}, fun() -> re:run(A, B, O) end) || {A, B, O} <- [{"abc", "(", []}, {"abc", "(", [report_errors]}, {x, "a", []}, {"a", x, []}, {"a", "a", x}, {"a", "a", [foo]}, {"a", "a", [{offset, -1}]}, {"a", "a", [{capture, [x]}]}, {"a", "a", [{capture, [-1]}]}, {"a", {x}, []}, {"aaaaaaaaaaaaaaaaaaaaaaaaaaaab", "(a+)+$", [{match_limit, 100}]}, {"aaaaaaaaaaaaaaaaaaaaaaaaaaaab", "(a+)+$", [{match_limit, 100}, report_errors]}, {"aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaab", "(a+)+$", []}, {"aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaab", "(a+)+$", [report_errors]}]],
  {ok, MP} = re:compile("a"),
  show:call(c1, fun() -> re:run("A", MP, [caseless]) end),
  show:call(c2, fun() -> re:run("a", MP, [anchored]) end),
  show:call(c3, fun() -> re:compile("a", [global]) end),
  show:call(c4, fun() -> re:compile("a", [foo]) end),
  show:call(c5, fun()->re:compile(x) end),
  show:call(c6, fun()->re:inspect(MP, namelist) end),
  show:call(c7, fun()->re:inspect(MP, x) end),
  show:call(c8, fun()->re:inspect(x, namelist) end),
  show:call(c9, fun()->element(2, re:inspect(element(2, re:compile("(?<n>a)|(?<m>b)")), namelist)) end),
  show:call(c10, fun() -> re:run("a", MP, [{newline, cr}]) end),
  show:call(c11, fun() -> re:compile("a", [{newline, x}]) end),
  %% Which library it is differs, and compiled patterns of one are not those of another.
  show:call(c12, fun() -> is_binary(re:version()) end),
  [show:call({cmp, P, O}, fun() -> case re:compile(P, O) of {ok, T} -> setelement(5, T, x); E -> E end end) || P <- ["(", "[a", "a**", "(?<n", "*", "\\", "a{2, 1}", "(?P<n>a)(?P<n>b)", "[z-a]", "(?z)", "[[:foo:]]", "\\1", "(?<=a*)b", ")", "\\p{Foo}", "(?(1)a|b|c)", "\\c", "[:alpha:]", "(?'a", "\\g", "\\k", "(?<1>a)", "\\x{110000}", "\\Qabc", "a++", "(*FOO)", "\\y", "a(b", "(?P>x)", "+", "a|*", "x{99999}", "[\\d-z]", "(?#abc", "(?<n>a)(?<m>b)", "\\i", "[a-\\d]", "(?<=ab|c)d", "(?<=a+)", "(?C256)", "[[.a.]]", "\\o{9}", "abc)", "((a)", "?a", "a{1, 2}{3}", "a{, 5}", "(?", "(?P", "(?<>a)"], O <- [[], [unicode], [dupnames, no_auto_capture], [{newline, any}]]].

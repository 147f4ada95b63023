%% What the functions of some modules take that their types do not tell, and what is not compared.
-module(call_hints).
-export([argument/3, left_out/3, skipped/1, without_identity/2, unspoilt/2, shape_only/2, without_frames/2]).

%% Good values for the Nth argument of a function, or none.
argument(re, F, 2) when F =/= compile, F =/= inspect -> patterns();
argument(re, compile, 1) -> patterns();
argument(re, replace, 3) -> ["x", <<"[&]">>, "\\1", "\\g{1}", "é", {'$fun', 2, ["q", <<>>]}];
argument(io_lib, F, 1) when F =:= format; F =:= fwrite; F =:= scan_format; F =:= format_prompt -> formats();
argument(io_lib, F, 1) when F =:= fread -> ["~d", "~s ~d", "~a~c", "~f", "~16u", "~*d", "~-", "x~ty", "~~"];
argument(io_lib, fread, 2) -> ["12", "ab 3", "x", "1.5", "ff", "", " 7 ", "a~"];
argument(calendar, F, 1) when F =:= rfc3339_to_system_time ->
    ["2018-02-01T16:17:58.000000Z", "2018-02-01T16:17:58+01:00", "2024-02-30T00:00:00Z", "x"];
argument(calendar, _, N) when N < 3 ->
    [{2024, 2, 29}, {2023, 2, 29}, {{2024, 2, 29}, {1, 2, 3}}, {1970, 1, 1}, 2024, 2, 1, 0, 63000000000,
     86399, 86400, {23, 59, 59}, {{1, 1, 1}, {0, 0, 0}}, 738000];
argument(uri_string, F, 1) when F =/= recompose, F =/= compose_query, F =/= quote ->
    ["http://u@h:80/p/a?q=1#f", "http://a/b/../c", "foo://x:y", <<"http://ö/"/utf8>>, "%zz", "/a b", "a%20b",
     "x=1&y=%41", "", "//h", "mailto:a@b", "http://[::1]:8/", #{scheme => "http", host => "h", path => "/a/../b"}];
argument(uri_string, resolve, 2) -> ["http://a/b/c/d;p?q", "x"];
argument(uri_string, compose_query, 1) -> [[{"a", "1"}, {"b c", "ö"}], [{<<"a">>, true}], [], [{a, b}]];
argument(uri_string, recompose, 1) ->
    [#{path => "/a", host => "h", scheme => "x"}, #{path => <<"a">>}, #{host => "h", path => "a"}, #{}];
argument(base64, F, 1) when F =/= encode, F =/= encode_to_string ->
    ["YWJj", <<"YWI=">>, "YQ==", "YW Jj\n", "YW!Jj", "Y", "", <<"-_-_">>, "++//"];
argument(erl_scan, F, 1) when F =:= string; F =:= tokens ->
    ["f(X) -> X + 1.", "\"abc", "$\\n 16#ff 1.5e3 2#102", "'a b' <<\"x\">> % c\n.", "1_000 -> =:= ||", "?x#y{}", "\x{3b1}"];
argument(erl_scan, tokens, 2) -> ["f() -> ok.\nrest", "\"open", eof, "a.b", "x. "];
argument(erl_scan, F, 1) when F =:= category; F =:= column; F =:= line; F =:= location; F =:= symbol; F =:= text ->
    [{atom, 1, a}, {'(', {1, 2}}, {integer, [{text, "12"}, {location, 3}], 12}, {dot, 1}];
argument(erl_parse, F, 1) when F =:= parse_form; F =:= parse_exprs; F =:= parse_term; F =:= parse ->
    [tokens(T) || T <- ["f(X) -> X + 1.", "[1, {a, \"x\"}].", "case X of 1 -> a; _ -> b end.", "1 +.", "-module(m).",
                        "-spec f(integer()) -> ok | [a].", "fun(X) when X > 1 -> X end.", "#{a => 1}.", "<<X:8/little>>."]];
argument(erl_parse, F, 1) when F =:= normalise; F =:= map_anno; F =:= anno_to_term ->
    [{cons, 1, {atom, 1, a}, {nil, 1}}, {tuple, 1, [{integer, 1, 2}]}, {op, 1, '-', {integer, 1, 2}}, {var, 1, 'X'}];
argument(erl_parse, map_anno, 2) -> [{'$fun', 1, [1, 2]}];
argument(erl_eval, F, 1) when F =:= expr; F =:= exprs; F =:= expr_list ->
    Parsed = [parsed(T) || T <- expressions()],
    case F of
        expr -> [hd(P) || P <- Parsed];
        _ -> Parsed
    end;
argument(erl_eval, _, 2) -> [[], [{'X', 5}], [{'X', a}, {'Y', [1]}], #{'X' => 5}];
argument(erl_pp, F, 1) when F =:= expr; F =:= exprs ->
    [case F of expr -> hd(parsed(T)); _ -> parsed(T) end || T <- expressions()];
argument(string, F, N) when N > 1, F =:= pad; N > 1, F =:= slice -> [0, 1, 3, 8, leading, trailing, both, $x, infinity];
argument(filename, basename, 2) -> [".erl", "x", "", <<".c">>];
argument(filename, _, 1) -> ["/a/b.erl", "a/../b", "", "/", <<"x.y.z">>, a, ["a", <<"b">>], "//a//b/", ".", "~/x", [<<"a">>, "b"]];
argument(zlib, F, 1) when F =:= uncompress -> [packed(compress)];
argument(zlib, F, 1) when F =:= unzip -> [packed(zip)];
argument(zlib, F, 1) when F =:= gunzip -> [packed(gzip)];
argument(proplists, _, _) -> undefined;
argument(unicode, F, N) when N > 1, F =/= characters_to_nfc_list ->
    [unicode, utf8, latin1, utf16, {utf16, little}, {utf32, big}, utf32];
argument(crypto, hash, 1) -> [md5, sha, sha256, sha512, sha3_256, blake2b, md4, nope];
argument(crypto, hash_init, 1) -> [sha, sha256, nope];
argument(crypto, mac, 1) -> [hmac, hmac, cmac, poly1305];
argument(crypto, mac, 2) -> [sha, sha256, md5];
argument(binary, F, N) when N =:= 2, F =:= match; N =:= 2, F =:= matches; N =:= 2, F =:= split; N =:= 2, F =:= replace ->
    [<<"a">>, <<",">>, [<<"a">>, <<"b">>], <<"ab">>, <<>>, [], {'$call', binary, compile_pattern, [[<<"a">>, <<"lo">>]]}];
argument(binary, F, N) when N > 1, F =:= part; N > 1, F =:= at; N > 1, F =:= bin_to_list -> [0, 1, 2, -1, {0, 1}, {1, 1}, {2, -1}];
argument(binary, copy, 2) -> [0, 1, 2, 7, -1, a];
argument(binary, encode_hex, 2) -> [lowercase, uppercase];
argument(binary, decode_hex, 1) -> [<<"00ff">>, <<"0G">>, <<"ABc">>, <<>>, <<"aBcD">>];
argument(lists, F, N) when F =:= nth; F =:= nthtail; F =:= split; F =:= sublist; F =:= duplicate; F =:= keyfind, N =:= 2;
                           F =:= keysort; F =:= ukeysort ->
    case N of
        1 -> [0, 1, 2, 3, -1, a];
        2 when F =:= sublist; F =:= keyfind -> [0, 1, 2, 3];
        _ -> undefined
    end;
argument(lists, seq, _) -> [0, 1, 2, 5, -3, 10, a, 1.0];
argument(json, decode, 1) ->
    [<<"[1, 2.5, \"a\\n\"]">>, <<"{\"a\": null, \"b\": [true]}">>, <<"1e3">>, <<"{">>, <<"\"\\ud83d\\ude00\"">>, <<"tru">>, <<"01">>];
argument(json, encode, 1) -> [#{a => 1, <<"b">> => [null, true, 1.5]}, [], <<"\"ö\n"/utf8>>, {a}, #{1 => 2}, 'x"y', [a | b]];
argument(math, _, _) -> [0, 1, -1, 0.5, 2, 10.0, 1 bsl 70, -0.0, 1.0e300];
argument(timer, F, 1) when F =/= tc, F =/= apply_after, F =/= send_after -> [0, 1, 10, 1500, -1, a];
argument(erlang, F, 1) when F =:= list_to_integer; F =:= list_to_float -> ["12", "-7", "1.5", "1.0e3", "x", "", "zz", "ff", "+1"];
argument(erlang, F, 1) when F =:= binary_to_integer; F =:= binary_to_float -> [<<"12">>, <<"-7">>, <<"1.5">>, <<"zz">>, <<>>, <<"FF">>];
argument(erlang, F, 2) when F =:= list_to_integer; F =:= binary_to_integer; F =:= integer_to_list; F =:= integer_to_binary ->
    [2, 10, 16, 36, 37, 1];
argument(erlang, F, 2) when F =:= float_to_list; F =:= float_to_binary ->
    [[], [{decimals, 3}], [{decimals, 3}, compact], [{scientific, 4}], [short], [{decimals, 300}], [x], [compact]];
argument(erlang, F, 1) when F =:= binary_to_term ->
    [term_to_binary(T) || T <- [a, {1, "x", #{b => 2.5}}, 1 bsl 90, [<<1:3>>], 'ö']] ++ [<<131>>, <<131, 104, 2, 97, 1>>, <<130, 97, 1>>];
argument(erlang, F, 2) when F =:= binary_to_term -> [[], [safe], [used], [x]];
argument(erlang, match_spec_test, 3) -> [table];
argument(erlang, decode_packet, 1) ->
    [raw, 0, 1, 2, 4, line, http, http_bin, httph, httph_bin, asn1, sunrm, cdr, fcgi, tpkt, ssl_tls, nope];
argument(erlang, decode_packet, 2) ->
    [<<0, 3, "abcdef">>, <<3, "abcdef">>, <<0, 0, 0, 2, "abcd">>, <<"line one\r\nnext\n">>, <<"no end">>, <<>>,
     <<"GET /a/b?x HTTP/1.1\r\nHost: x\r\n\r\n">>, <<"HTTP/1.0 404 Not Found\r\nX: y\r\n">>, <<"Host: a.b\r\nAccept: */*\r\n\r\n">>,
     <<"X-Own: v\r\n  folded\r\n\r\n">>, <<"\r\n">>, <<"POST http://h:80/p HTTP/1.0\r\n">>, <<"OPTIONS * HTTP/1.1\r\n">>,
     <<3, 0, 0, 7, 1, 2, 3, 4>>, <<48, 3, 2, 1, 5, 9>>, <<22, 3, 1, 0, 2, 7, 8, 9>>, <<"garbage\r\nmore">>, <<128, 0, 0, 2, 5, 6, 7>>];
argument(erlang, decode_packet, 3) -> [[], [{packet_size, 4}], [{line_length, 5}], [{line_delimiter, $o}], [x]];
argument(_, _, _) -> undefined.

patterns() ->
    ["a", "(a)(b)?", <<"[a-c]+">>, "^x", "\\d+", "(?<n>b)", "(", "a|b", ".", "\\s*", "(?i)AB", "e+?", "\x{e4}",
     {'$second', {'$call', re, compile, ["(a|b)c?"]}}, {'$second', {'$call', re, compile, ["\\w", [unicode]]}}].

formats() ->
    ["~p", "~w ~s", "~s", "~ts", "~10.3f", "~e", "~g", "~-8a|", "~c", "~5c", "~b", "~.16B", "~x", "~#", "~n~~", "~i~w", "~P", "~W",
     "~*c", "~20p", "~0p", "~tp", "~+", "~10s|", "~-10.3s|", "~..*s", "plain", "~", "~kp", "~lp", "~999999999999p"].

expressions() ->
    ["1 + 2.", "X + 1.", "[A || A <- [1,2,3], A > 1].", "case X of 5 -> yes; _ -> no end.", "lists:map(fun(A) -> A * 2 end, [1,2]).",
     "catch exit(a).", "try error(x) catch C:R -> {C, R} end.", "#{a => X}.", "<< <<B>> || <<B>> <= <<1,2>> >>.", "foo(1).",
     "Y = 3, Y + X.", "if X > 1 -> a end.", "{X, Z} = {1, 2}.", "fun F(0) -> 0; F(N) -> F(N - 1) end (3).", "[X | a].", "1 div 0.",
     "begin self() ! m, receive M -> M end end.", "\"abc\" ++ X.", "<<X:8, 1:3>>.", "#{a := Q} = #{a => 1}, Q.", "not X.", "fun lists:reverse/1."].

tokens(Text) ->
    {ok, Tokens, _} = erl_scan:string(Text),
    Tokens.

parsed(Text) ->
    {ok, Exprs} = erl_parse:parse_exprs(tokens(Text)),
    Exprs.

packed(How) -> {'$call', zlib, How, [<<"hello hello hello">>]}.

%% Calls that end or stop the node, wait, print, or tell of the machine and not of the program.
left_out(_, module_info, _) -> true;
left_out(_, behaviour_info, _) -> true;
left_out(erlang, F, _) ->
    lists:member(F, [halt, registered, hibernate, display, display_string, display_nl, process_display, load_nif, system_flag, open_port,
                     system_profile, system_monitor, trace, trace_pattern, trace_info, setnode, group_leader, register,
                     crasher, delay_trap, dist_ctrl_get_data, exit_signal, prepare_loading, finish_loading, load_module,
                     call_on_load_function, finish_after_on_load, send_nosuspend, erase, set_cookie, gather_gc_info_result,
                     disconnect_node, suspend_process, resume_process, purge_module, delete_module, spawn, spawn_link,
                     spawn_monitor, spawn_opt, spawn_request, alloc_info, alloc_sizes, system_info, make_fun, exit,
                     pre_loaded, nif_error, dt_append_vm_tag_data, dt_prepend_vm_tag_data, get_module_info, loaded, has_prepared_code_on_load,
                     monitor_node, set_cpu_topology, format_cpu_topology, dmonitor_node, processes, ports, dist_ctrl_set_opt,
                     dist_ctrl_get_opt, dist_ctrl_put_data, dist_ctrl_input_handler, dist_ctrl_get_data_notification, dist_get_stat,
                     list_to_existing_atom, binary_to_existing_atom, term_to_iovec, external_size, apply, garbage_collect_message_area, check_process_code, seq_trace, seq_trace_print]);
%% The default of OTP 25 may be shorter than the position that is counted, which ends the node.
left_out(ets, update_counter, 4) -> true;
left_out(ets, info, 2) -> true;
left_out(ets, F, _) ->
    lists:member(F, [all, i, internal_delete_all, internal_select_delete, internal_request_all, give_away, tab2file,
                     file2tab, tabfile_info, repair_continuation, whereis]);
left_out(timer, F, _) ->
    not lists:member(F, [hms, hours, minutes, seconds, now_diff, cancel, tc, sleep]);
left_out(io_lib, F, _) -> lists:member(F, [get_line, get_until, collect_line, collect_chars, get_password, nl, request]);
left_out(rand, F, A) -> lists:member({F, A}, [{seed, 1}, {seed_s, 1}, {uniform, 0}, {uniform, 1}, {uniform_real, 0}, {normal, 0},
                                             {normal, 2}, {jump, 0}, {bytes, 1}, {export_seed, 0}, {mwc59_seed, 0}]);
left_out(filename, F, _) -> lists:member(F, [absname, find_src, safe_relative_path, find_file]);
left_out(crypto, F, _) -> not lists:member(F, [hash, hash_init, hash_update, hash_final, mac, macN, exor, hash_equals, hash_info, bytes_to_integer]);
left_out(zlib, F, _) -> not lists:member(F, [compress, uncompress, zip, unzip, gzip, gunzip, crc32, adler32]);
left_out(calendar, F, _) -> lists:member(F, [local_time, universal_time, now_to_local_time, iso_week_number]);
left_out(erl_scan, F, _) -> lists:member(F, [format_error]);
left_out(re, F, _) -> lists:member(F, [version, internal_run]);
%% What one call keeps, another one sees.
left_out(persistent_term, F, A) -> {F, A} =:= {get, 0} orelse F =:= info orelse F =:= put;
left_out(binary, referenced_byte_size, _) -> true;
left_out(lists, F, _) -> lists:member(F, [zf]);
left_out(_, _, _) -> false.

%% What is left of a text after an error is cut otherwise in these encodings.
skipped({unicode, _, Arguments}) ->
    Named = [case A of {Name, _} -> Name; _ -> A end || A <- Arguments],
    lists:member(utf16, Named) orelse lists:member(utf32, Named);
skipped(_) -> false.

%% Values of these depend on the identity of pids, references and funs.
without_identity(erlang, F) -> lists:member(F, [phash2, phash, hash]);
without_identity(M, _) ->
    lists:member(M, [dict, sets, ets, io_lib, io_lib_pretty, io_lib_format, erl_pp, erl_parse, erl_scan, erl_eval]).

%% Some bad arguments of these end the node.
unspoilt(erlang, decode_packet) -> true;
unspoilt(binary, copy) -> true;
unspoilt(erlang, match_spec_test) -> true;
unspoilt(_, _) -> false.

%% Functions whose value is of the node or the moment: only its kind is compared.
shape_only(erlang, F) ->
    lists:member(F, [monotonic_time, system_time, timestamp, now, time_offset, unique_integer, make_ref, date, time, localtime,
                     universaltime, statistics, memory, external_size, get_cookie, process_info, info, start_timer, send_after,
                     monitor, alias, get_stacktrace, universaltime_to_localtime, localtime_to_universaltime, nodes, node,
                     registered, term_to_binary, processes, pid_to_list, ref_to_list, fun_to_list, fun_info, module_loaded, md5_init, md5_update, phash]);
shape_only(calendar, F) ->
    lists:member(F, [universal_time_to_local_time, local_time_to_universal_time, local_time_to_universal_time_dst, system_time_to_local_time,
                     system_time_to_rfc3339, rfc3339_to_system_time, now_to_local_time]);
shape_only(zlib, F) -> lists:member(F, [compress, zip, gzip]);
shape_only(timer, tc) -> true;
shape_only(re, compile) -> true;
shape_only(ets, F) -> lists:member(F, [new, info, match_spec_compile]);
shape_only(binary, F) -> lists:member(F, [compile_pattern, referenced_byte_size]);
shape_only(_, _) -> false.

%% Where OTP's optimiser takes functions apart, or runs Erlang code for what is native here, the
%% frames of an exception are others.
without_frames(lists, F) -> lists:member(F, [merge3, rmerge3, umerge3, rumerge3]);
without_frames(sets, is_subset) -> true;
without_frames(queue, from_list) -> true;
without_frames(rand, _) -> true;
without_frames(timer, sleep) -> true;
without_frames(erl_eval, _) -> true;
without_frames(re, _) -> true;
without_frames(_, _) -> false.

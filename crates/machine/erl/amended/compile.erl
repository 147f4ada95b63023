%% In the place of OTP's function: what is compiled here keeps its abstract code in a chunk of its
%% own, whether or not debug info was asked for, so that it can be loaded here.
-module(compile).

expand_records(Code, St) ->
    %% The chunks are the last field of the record.
    Last = tuple_size(St),
    Chunk = {<<"Rvrl">>, term_to_binary(erl_parse:anno_to_term(Code), [compressed])},
    'otp expand_records'(Code, setelement(Last, St, [Chunk | element(Last, St)])).

%% `\^?` is the character of the delete key.
-module(otp27_control_characters).
-export([main/0]).

main() -> {$\^?, "\^?\^@\^_\^a", <<"\^?">>, '\^?'}.

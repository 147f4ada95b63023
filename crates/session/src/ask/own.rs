//! Which functions are the program's own. OTP's and Reverl's are trusted.

use reverl_causal::System;
use reverl_lang::code::{Code, FunId};
use reverl_lang::project::{is_of_elixir, otp_lib};
use reverl_machine::library;
use reverl_term::Atom;
use std::collections::HashSet;

/// The modules that questions are about.
pub fn own_modules(code: &Code) -> HashSet<Atom> {
    code.modules.keys().filter(|m| is_own_module(code, **m)).copied().collect()
}

/// Whether a loaded module is the program's own.
pub fn is_own_module(code: &Code, module: Atom) -> bool {
    let Some(info) = code.modules.get(&module) else { return false };
    let name = module.name();
    if info.is_of_platform {
        return false;
    }
    if library::find(name).is_some() || name.starts_with("reverl_") || is_of_elixir(name) {
        return false;
    }
    let first = code.exprs.get(info.first_expr.0 as usize);
    let path = first.and_then(|e| code.sources.get(e.span.file)).map(|f| f.path.clone());
    !path.is_some_and(|path| otp_lib().is_some_and(|otp| path.starts_with(otp)))
}

/// Whether this function is of the user's own modules: about others nothing is asked.
pub fn is_own(own: &HashSet<Atom>, system: &System, fun: FunId) -> bool {
    let program = system.program();
    let info = program.code.fun(fun);
    // `module_info` is in no file.
    own.contains(&info.module) && info.name.name() != "module_info"
}

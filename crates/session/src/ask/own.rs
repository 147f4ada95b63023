//! Which functions are the program's own. OTP's and Reverl's are trusted.

use reverl_causal::System;
use reverl_lang::code::{Code, FunId};
use reverl_lang::project::otp_lib;
use reverl_machine::library;
use reverl_term::Atom;
use std::collections::HashSet;

/// The modules that questions are about.
pub fn own_modules(code: &Code) -> HashSet<Atom> {
    let otp = otp_lib();
    let is_own = |module: &Atom| {
        let name = module.name();
        let file = code.modules[module].first_expr;
        let path = code
            .exprs
            .get(file.0 as usize)
            .and_then(|e| code.sources.get(e.span.file))
            .map(|f| f.path.clone());
        let in_otp = path.is_some_and(|p| otp.as_ref().is_some_and(|otp| p.starts_with(otp)));
        let is_ours = library::find(name).is_some() || name.starts_with("reverl_");
        !in_otp && !is_ours
    };
    code.modules.keys().filter(|m| is_own(m)).copied().collect()
}

pub fn is_own(own: &HashSet<Atom>, system: &System, fun: FunId) -> bool {
    let program = system.program();
    let info = program.code.fun(fun);
    // `module_info` is in no file.
    own.contains(&info.module) && info.name.name() != "module_info"
}

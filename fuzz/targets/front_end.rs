//! Any bytes through lexer, preprocessor, parser, lint and printer.
#![no_main]

use libfuzzer_sys::fuzz_target;
use reverl_lang::{lint::lint, module::load_bytes, options::Options, source::SourceMap};

fuzz_target!(|bytes: &[u8]| {
    let mut text = b"-module(t).\n".to_vec();
    text.extend_from_slice(bytes);
    let mut sources = SourceMap::default();
    let path = std::path::Path::new("t.erl");
    let (module, problems) = load_bytes(path, text, &Options::default(), &mut sources);
    for problem in &problems {
        let _ = problem.render(&sources);
    }
    if let Some(module) = module {
        let _ = lint(&module);
        let _ = reverl_lang::print::module(&module);
    }
});

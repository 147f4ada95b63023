//! Printing and parsing again is identity, and so is writing and reading the abstract format.

use proptest::prelude::*;
use reverl_lang::abstract_form::{Positions, read, write};
use reverl_lang::ast::*;
use reverl_lang::forms::Module;
use reverl_lang::module::load_bytes;
use reverl_lang::options::Options;
use reverl_lang::parser::parse_expr;
use reverl_lang::print;
use reverl_lang::source::{FileId, SourceMap, Span};
use reverl_term::{Atom, Term};
use std::path::Path;

fn node(kind: ExprKind) -> Expr {
    Expr { kind, span: Span::NONE }
}

fn variable() -> impl Strategy<Value = Expr> {
    proptest::sample::select(vec!["X", "Y", "_Z", "_"])
        .prop_map(|name| node(ExprKind::Var(Atom::new(name))))
}

fn name() -> impl Strategy<Value = Atom> {
    let names = vec!["a", "b", "foo@bar", "a b", "", "if", "maybe", "å", "A", "it's", "λ\n\u{1}"];
    proptest::sample::select(names).prop_map(Atom::new)
}

fn leaf() -> impl Strategy<Value = Expr> {
    prop_oneof![
        variable(),
        name().prop_map(|a| node(ExprKind::Atom(a))),
        (0..i64::MAX).prop_map(|i| node(ExprKind::Integer(Integer::Small(i)))),
        any::<f64>()
            .prop_filter("finite", |f| f.is_finite())
            .prop_map(|f| node(ExprKind::Float(f.abs()))),
        any::<char>()
            .prop_filter("a character", |c| !matches!(*c, '\u{fffe}' | '\u{ffff}'))
            .prop_map(|c| node(ExprKind::Char(c))),
        "\\PC*".prop_map(|s| node(ExprKind::String(s.into()))),
        any::<String>().prop_map(|s| node(ExprKind::String(s.into()))),
        Just(node(ExprKind::Nil)),
        (name(), 0..5u32).prop_map(|(name, arity)| node(ExprKind::FunLocal { name, arity })),
        (name(), name()).prop_map(|(name, field)| node(ExprKind::RecordIndex { name, field })),
    ]
}

fn binary_op() -> impl Strategy<Value = BinaryOp> {
    use BinaryOp::*;
    proptest::sample::select(vec![
        Add,
        Sub,
        Mul,
        Div,
        IntDiv,
        Rem,
        Band,
        Bor,
        Bxor,
        Bsl,
        Bsr,
        And,
        Or,
        Xor,
        AndAlso,
        OrElse,
        Equal,
        NotEqual,
        LessEqual,
        Less,
        GreaterEqual,
        Greater,
        ExactEqual,
        ExactNotEqual,
        Append,
        Subtract,
        Send,
    ])
}

fn several(inner: impl Strategy<Value = Expr>) -> impl Strategy<Value = Vec<Expr>> {
    proptest::collection::vec(inner, 1..4)
}

fn clauses(inner: BoxedStrategy<Expr>, patterns: usize) -> impl Strategy<Value = Vec<Clause>> {
    let clause = (
        proptest::collection::vec(inner.clone(), patterns),
        proptest::collection::vec(several(inner.clone()), 0..2),
        several(inner),
    )
        .prop_map(|(patterns, guard, body)| Clause { patterns, guard, body, span: Span::NONE });
    proptest::collection::vec(clause, 1..3)
}

fn qualifiers(inner: BoxedStrategy<Expr>) -> impl Strategy<Value = Vec<Qualifier>> {
    let generator =
        (inner.clone(), inner.clone(), any::<bool>()).prop_map(|(p, source, strict)| Generator {
            kind: GeneratorKind::List,
            pattern: p,
            value_pattern: None,
            source,
            strict,
            span: Span::NONE,
        });
    let generator = generator.boxed();
    let qualifier = prop_oneof![
        inner.prop_map(Qualifier::Filter),
        generator.clone().prop_map(Qualifier::Generator),
        proptest::collection::vec(generator, 2..3)
            .prop_map(|generators| Qualifier::Zip { generators, span: Span::NONE }),
    ];
    proptest::collection::vec(qualifier, 1..3)
}

fn map_fields(inner: BoxedStrategy<Expr>) -> impl Strategy<Value = Vec<MapField>> {
    let kind = prop_oneof![Just(MapFieldKind::Assoc), Just(MapFieldKind::Exact)];
    let field = (kind, inner.clone(), inner).prop_map(|(kind, key, value)| MapField {
        kind,
        key,
        value,
        span: Span::NONE,
    });
    proptest::collection::vec(field, 0..3)
}

fn expression() -> impl Strategy<Value = Expr> {
    leaf().prop_recursive(5, 60, 4, |inner| {
        let boxed = || inner.clone().prop_map(Box::new);
        let unary = proptest::sample::select(vec![
            UnaryOp::Plus,
            UnaryOp::Minus,
            UnaryOp::Not,
            UnaryOp::Bnot,
        ]);
        let size = proptest::option::of(boxed());
        let element = (inner.clone(), size).prop_map(|(value, size)| BinElement {
            value,
            size,
            specs: vec![BinSpec::Word(Atom::new("little")), BinSpec::Unit(8)],
            span: Span::NONE,
        });
        let record_field = (proptest::option::of(name()), inner.clone())
            .prop_map(|(name, value)| RecordField { name, value, span: Span::NONE });
        let record_fields = proptest::collection::vec(record_field, 0..3).boxed();
        let kind = prop_oneof![
            (several(inner.clone()), proptest::option::of(variable().prop_map(Box::new)))
                .prop_map(|(elements, tail)| ExprKind::List { elements, tail }),
            several(inner.clone()).prop_map(ExprKind::Tuple),
            map_fields(inner.clone().boxed()).prop_map(ExprKind::Map),
            (boxed(), map_fields(inner.clone().boxed()))
                .prop_map(|(map, fields)| ExprKind::MapUpdate { map, fields, op_span: Span::NONE }),
            (name(), record_fields.clone())
                .prop_map(|(name, fields)| ExprKind::Record { name, fields }),
            (boxed(), name(), record_fields).prop_map(|(record, name, fields)| {
                ExprKind::RecordUpdate { record, name, fields, op_span: Span::NONE }
            }),
            (boxed(), name(), name()).prop_map(|(record, name, field)| ExprKind::RecordAccess {
                record,
                name,
                field,
                op_span: Span::NONE
            }),
            proptest::collection::vec(element, 0..3).prop_map(ExprKind::Binary),
            (unary, boxed()).prop_map(|(op, operand)| ExprKind::Unary { op, operand }),
            (binary_op(), boxed(), boxed()).prop_map(|(op, left, right)| ExprKind::Binop {
                op,
                left,
                right,
                op_span: Span::NONE
            }),
            (boxed(), boxed()).prop_map(|(pattern, value)| ExprKind::Match { pattern, value }),
            (boxed(), several(inner.clone()))
                .prop_map(|(function, args)| ExprKind::Call { function, args }),
            (boxed(), boxed(), several(inner.clone())).prop_map(|(module, name, args)| {
                let function = Box::new(node(ExprKind::Remote { module, name }));
                ExprKind::Call { function, args }
            }),
            several(inner.clone()).prop_map(ExprKind::Block),
            boxed().prop_map(ExprKind::Catch),
            (boxed(), clauses(inner.clone().boxed(), 1))
                .prop_map(|(subject, clauses)| ExprKind::Case { subject, clauses }),
            (clauses(inner.clone().boxed(), 1), boxed(), several(inner.clone())).prop_map(
                |(clauses, timeout, body)| {
                    ExprKind::Receive { clauses, after: Some(After { timeout, body }) }
                }
            ),
            (proptest::option::of(Just(Atom::new("F"))), clauses(inner.clone().boxed(), 2))
                .prop_map(|(name, clauses)| ExprKind::Fun { name, clauses }),
            (several(inner.clone()), qualifiers(inner.clone().boxed()))
                .prop_map(|(templates, qualifiers)| ExprKind::ListComp { templates, qualifiers }),
            (inner.clone(), qualifiers(inner.clone().boxed())).prop_map(
                |(template, qualifiers)| {
                    ExprKind::BinaryComp { templates: vec![template], qualifiers }
                }
            ),
            (several(inner.clone()), inner.clone(), qualifiers(inner.clone().boxed())).prop_map(
                |(keys, value, qualifiers)| {
                    let field = |key: Expr| MapField {
                        kind: MapFieldKind::Assoc,
                        span: key.span,
                        key,
                        value: value.clone(),
                    };
                    ExprKind::MapComp { fields: keys.into_iter().map(field).collect(), qualifiers }
                },
            ),
            (several(inner.clone()), clauses(inner.clone().boxed(), 1))
                .prop_map(|(body, else_clauses)| ExprKind::Maybe { body, else_clauses }),
            (several(inner.clone()), clauses(inner.clone().boxed(), 1), several(inner.clone()))
                .prop_map(|(body, of_clauses, after)| {
                    let catch_clauses = Vec::new();
                    ExprKind::Try(Box::new(Try { body, of_clauses, catch_clauses, after }))
                }),
        ];
        kind.prop_map(node)
    })
}

/// The abstract form without positions: what a tree means to OTP.
fn forms(module: &Module) -> Vec<Term> {
    write(module, Positions::Zero)
}

fn same(a: &[Term], b: &[Term]) -> bool {
    a.len() == b.len() && a.iter().zip(b).all(|(a, b)| reverl_term::exact_eq(a, b))
}

fn module_of(expr: &Expr) -> Module {
    let clause =
        Clause { patterns: vec![], guard: vec![], body: vec![expr.clone()], span: Span::NONE };
    let function =
        Function { name: Atom::new("f"), arity: 0, clauses: vec![clause], span: Span::NONE };
    let mut module = Module::new(Atom::new("m"), FileId(0));
    module.functions.push(function);
    for kind in [
        reverl_lang::forms::FormKind::Module(Atom::new("m")),
        reverl_lang::forms::FormKind::Function(0),
    ] {
        module.forms.push(reverl_lang::forms::Form { kind, span: Span::NONE });
    }
    module
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 1000, ..ProptestConfig::default() })]

    #[test]
    fn what_is_printed_parses_to_the_same_tree(expr in expression()) {
        let text = print::expr(&expr);
        let parsed = parse_expr(&text, FileId(0));
        let parsed = parsed.unwrap_or_else(|problem| panic!("{}: {text}", problem.message));
        let equal = same(&forms(&module_of(&expr)), &forms(&module_of(&parsed)));
        prop_assert!(equal, "{text}\n{}", print::expr(&parsed));
    }

    #[test]
    fn what_is_written_as_abstract_form_reads_back(expr in expression()) {
        let module = module_of(&expr);
        let written = forms(&module);
        let term = Term::list(written.clone());
        let (back, problems) = read(&term, &mut SourceMap::default(), &|_| None).unwrap();
        prop_assert!(problems.is_empty());
        prop_assert!(same(&written, &forms(&back)));
    }
}

/// The modules of stdlib, printed and parsed again, and through the abstract format and back.
#[test]
fn real_modules_survive_both_ways() {
    let Some(lib) = reverl_lang::project::otp_lib() else { return };
    let libraries = std::sync::Arc::new(reverl_lang::libraries::Libraries::new([lib]));
    let Some(stdlib) = libraries.app_dir("stdlib") else { return };
    let options = Options { libraries, ..Options::default() };
    for path in reverl_lang::project::files_under(&stdlib.join("src"), &["erl"]) {
        let mut sources = SourceMap::default();
        let bytes = std::fs::read(&path).unwrap();
        let (module, _) = load_bytes(&path, bytes, &options, &mut sources);
        let Some(module) = module else { continue };
        let text = print::module(&module);
        let printed = Path::new("printed.erl");
        let (again, problems) =
            load_bytes(printed, text.into_bytes(), &Options::default(), &mut sources);
        let first = problems.first().map(|p| p.render(&sources));
        assert!(first.is_none(), "{}: {}", path.display(), first.unwrap_or_default());
        let mut again = again.unwrap();
        // The printed text is a file of its own, and says so first.
        again.forms.remove(0);
        assert!(same(&forms(&module), &forms(&again)), "{} printed", path.display());
        let term = Term::list(forms(&module));
        let (back, _) = read(&term, &mut SourceMap::default(), &|_| None).unwrap();
        assert!(same(&forms(&module), &forms(&back)), "{} as abstract form", path.display());
    }
}

//! The forms of a module: attributes, types and specs, and the module that they make up.
//!
//! `Module` keeps two views of the same thing: what the meaning needs (functions, records,
//! exports, imports) and `forms`, the order in which everything was written.

use crate::ast::{BinaryOp, Expr, Function, Integer, MapFieldKind, RecordDef, UnaryOp};
use crate::source::{FileId, Span};
use reverl_term::Atom;

/// A function's name and arity.
pub type FunName = (Atom, u32);

/// A module as it was written, before its meaning is checked.
#[derive(Clone, Debug, PartialEq)]
pub struct Module {
    pub name: Atom,
    pub file: FileId,
    pub functions: Vec<Function>,
    pub records: Vec<RecordDef>,
    /// What `-export` lists; see `export_all`.
    pub exports: Vec<(FunName, Span)>,
    /// `-compile(export_all)`, or given on the command line.
    pub export_all: bool,
    pub imports: Vec<Import>,
    /// Local functions that hide an auto-imported BIF: `-compile({no_auto_import, [..]})`.
    pub no_auto_imports: Vec<FunName>,
    /// `-compile(no_auto_import)`: none is imported.
    pub no_auto_import_at_all: bool,
    /// Modules named by `-compile({parse_transform, M})` that have not been run.
    pub parse_transforms: Vec<(Atom, Span)>,
    /// All forms in order of source.
    pub forms: Vec<Form>,
}

#[derive(Clone, Debug, PartialEq)]
pub struct Import {
    pub module: Atom,
    pub name: Atom,
    pub arity: u32,
    pub span: Span,
}

#[derive(Clone, Debug, PartialEq)]
pub struct Form {
    pub kind: FormKind,
    pub span: Span,
}

#[derive(Clone, Debug, PartialEq)]
pub enum FormKind {
    Module(Atom),
    Export(Vec<FunName>),
    Import {
        module: Atom,
        names: Vec<FunName>,
    },
    /// `-file("name", Line)`, written or caused by an include.
    File {
        name: Box<str>,
        line: u32,
    },
    /// An index into `Module::functions`.
    Function(usize),
    /// An index into `Module::records`, and the type of each field.
    Record {
        index: usize,
        types: Vec<Option<Type>>,
    },
    Type(TypeDef),
    Spec(Spec),
    /// Any other attribute; the value is a literal (`a/1` is already `{a, 1}`).
    Attribute {
        name: Atom,
        value: Expr,
    },
}

/// `-type name(Params) :: body.`
#[derive(Clone, Debug, PartialEq)]
pub struct TypeDef {
    pub kind: TypeDefKind,
    pub name: Atom,
    pub params: Vec<Type>,
    pub body: Type,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum TypeDefKind {
    Type,
    Opaque,
    /// OTP 28.
    Nominal,
}

/// `-spec` or `-callback`.
#[derive(Clone, Debug, PartialEq)]
pub struct Spec {
    pub callback: bool,
    pub module: Option<Atom>,
    pub name: Atom,
    pub arity: u32,
    pub signatures: Vec<Signature>,
}

#[derive(Clone, Debug, PartialEq)]
pub struct Signature {
    pub function: Type,
    /// `when Var :: Type, ..`
    pub constraints: Vec<Constraint>,
    pub span: Span,
}

#[derive(Clone, Debug, PartialEq)]
pub struct Constraint {
    pub variable: Type,
    pub bound: Type,
    pub span: Span,
}

#[derive(Clone, Debug, PartialEq)]
pub struct Type {
    pub kind: TypeKind,
    pub span: Span,
}

#[derive(Clone, Debug, PartialEq)]
pub enum TypeKind {
    Var(Atom),
    Atom(Atom),
    Integer(Integer),
    Char(char),
    Unary {
        op: UnaryOp,
        operand: Box<Type>,
    },
    Binop {
        op: BinaryOp,
        left: Box<Type>,
        right: Box<Type>,
    },
    /// `Var :: Type`
    Annotated {
        variable: Atom,
        ty: Box<Type>,
    },
    Union(Vec<Type>),
    Range {
        low: Box<Type>,
        high: Box<Type>,
    },
    Nil,
    List(Box<Type>),
    /// `[T, ...]`
    NonemptyList(Box<Type>),
    Tuple(Vec<Type>),
    /// `tuple()`
    AnyTuple,
    Map(Vec<MapFieldType>),
    /// `map()`
    AnyMap,
    Record {
        name: Atom,
        fields: Vec<(Atom, Type)>,
    },
    /// `<<_:Base, _:_*Unit>>`
    Binary {
        base: Box<Type>,
        unit: Box<Type>,
    },
    /// `fun()`
    AnyFun,
    /// No `args` means `(...)`.
    Fun {
        args: Option<Vec<Type>>,
        result: Box<Type>,
    },
    /// A type of the language: `integer()`, `list(T)`.
    Builtin {
        name: Atom,
        args: Vec<Type>,
    },
    /// A type of this module.
    User {
        name: Atom,
        args: Vec<Type>,
    },
    Remote {
        module: Atom,
        name: Atom,
        args: Vec<Type>,
    },
}

#[derive(Clone, Debug, PartialEq)]
pub struct MapFieldType {
    pub kind: MapFieldKind,
    pub key: Type,
    pub value: Type,
    pub span: Span,
}

impl Module {
    pub fn new(name: Atom, file: FileId) -> Module {
        Module {
            name,
            file,
            functions: Vec::new(),
            records: Vec::new(),
            exports: Vec::new(),
            export_all: false,
            imports: Vec::new(),
            no_auto_imports: Vec::new(),
            no_auto_import_at_all: false,
            parse_transforms: Vec::new(),
            forms: Vec::new(),
        }
    }

    pub fn function(&self, name: Atom, arity: u32) -> Option<&Function> {
        self.functions.iter().find(|f| f.name == name && f.arity == arity)
    }

    pub fn record(&self, name: Atom) -> Option<&RecordDef> {
        self.records.iter().find(|r| r.name == name)
    }

    pub fn is_exported(&self, name: Atom, arity: u32) -> bool {
        self.export_all || self.exports.iter().any(|(n, _)| *n == (name, arity))
    }

    pub fn imported_from(&self, name: Atom, arity: u32) -> Option<Atom> {
        let import = self.imports.iter().find(|i| i.name == name && i.arity == arity);
        import.map(|i| i.module)
    }

    /// The values of an attribute, each time it was written.
    pub fn attributes(&self, wanted: Atom) -> impl Iterator<Item = &Expr> {
        self.forms.iter().filter_map(move |form| match &form.kind {
            FormKind::Attribute { name, value } if *name == wanted => Some(value),
            _ => None,
        })
    }
}

//! The forms of a module: attributes, types and specs, and the module that they make up.
//!
//! `Module` keeps two views of the same thing: what the meaning needs (functions, records,
//! exports, imports) and `forms`, the order in which everything was written.

use crate::ast::{BinaryOp, Expr, Function, Integer, MapFieldKind, RecordDef, UnaryOp};
use crate::source::{FileId, Span};
use reverl_term::Atom;

/// A function's name and arity.
pub type FunName = (Atom, u32);

/// A fun as compiled code lists it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Lambda {
    /// The compiler's name of it: `'-f/1-fun-0-'`, or `'-fun.f/1-'` for `fun f/1`.
    pub name: Atom,
    /// Its number in the module.
    pub index: u32,
    /// A hash of the module.
    pub uniq: u32,
}

impl Lambda {
    /// The function that it enters. `fun f/1` enters `f`, which needs its arity to be told from others.
    pub fn function(&self) -> (Atom, Option<u16>) {
        let inner = self.name.name().strip_prefix("-fun.").and_then(|rest| rest.strip_suffix('-'));
        let parts = inner.and_then(|inner| inner.rsplit_once('/'));
        parts.map_or((self.name, None), |(name, arity)| (Atom::new(name), arity.parse().ok()))
    }
}

/// A module as it was written, before its meaning is checked.
#[derive(Clone, Debug, PartialEq)]
pub struct Module {
    /// The name of the module.
    pub name: Atom,
    /// The file that it was read from.
    pub file: FileId,
    /// Its functions, in order of source.
    pub functions: Vec<Function>,
    /// Its records, in order of source.
    pub records: Vec<RecordDef>,
    /// What `-export` lists; see `export_all`.
    pub exports: Vec<(FunName, Span)>,
    /// `-compile(export_all)`, or given on the command line.
    pub export_all: bool,
    /// The functions that `-import` names.
    pub imports: Vec<Import>,
    /// Local functions that hide an auto-imported BIF: `-compile({no_auto_import, [..]})`.
    pub no_auto_imports: Vec<FunName>,
    /// `-compile(no_auto_import)`: none is imported.
    pub no_auto_import_at_all: bool,
    /// Modules named by `-compile({parse_transform, M})` that have not been run.
    pub parse_transforms: Vec<(Atom, Span)>,
    /// The funs that compiled code lists, if it was read from there.
    pub lambdas: Option<Vec<Lambda>>,
    /// The local functions that compiled code lists, if it was read from there, with those that the compiler made.
    pub lifted: Vec<FunName>,
    /// It belongs to OTP or Elixir, not to the program.
    pub is_of_platform: bool,
    /// All forms in order of source.
    pub forms: Vec<Form>,
}

/// A function of another module that is called without its module.
#[derive(Clone, Debug, PartialEq)]
pub struct Import {
    /// The module it belongs to.
    pub module: Atom,
    /// Its name.
    pub name: Atom,
    /// How many arguments it takes.
    pub arity: u32,
    /// Where it was imported.
    pub span: Span,
}

/// One form of a module.
#[derive(Clone, Debug, PartialEq)]
pub struct Form {
    /// What it says.
    pub kind: FormKind,
    /// Where it was written.
    pub span: Span,
}

/// What a form says.
#[derive(Clone, Debug, PartialEq)]
#[allow(missing_docs, reason = "the parts have the names of the abstract format")]
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
    /// How much of it other modules see.
    pub kind: TypeDefKind,
    /// The name of the type.
    pub name: Atom,
    /// Its parameters, which are variables.
    pub params: Vec<Type>,
    /// What the name stands for.
    pub body: Type,
}

/// The attribute that defines a type.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum TypeDefKind {
    /// `-type`
    Type,
    /// `-opaque`
    Opaque,
    /// `-nominal`, from OTP 28 on.
    Nominal,
}

/// `-spec` or `-callback`.
#[derive(Clone, Debug, PartialEq)]
pub struct Spec {
    /// Whether it is a `-callback`.
    pub callback: bool,
    /// The module, if it was written as `-spec m:f(..) -> ..`.
    pub module: Option<Atom>,
    /// The name of the function.
    pub name: Atom,
    /// How many arguments it takes.
    pub arity: u32,
    /// Its overloads, at least one.
    pub signatures: Vec<Signature>,
}

/// One overload of a spec.
#[derive(Clone, Debug, PartialEq)]
pub struct Signature {
    /// The type of the function.
    pub function: Type,
    /// `when Var :: Type, ..`
    pub constraints: Vec<Constraint>,
    /// Where it was written.
    pub span: Span,
}

/// `Var :: Type` behind `when`.
#[derive(Clone, Debug, PartialEq)]
pub struct Constraint {
    /// The variable.
    pub variable: Type,
    /// The type that it stands for.
    pub bound: Type,
    /// Where it was written.
    pub span: Span,
}

/// A type as it was written.
#[derive(Clone, Debug, PartialEq)]
pub struct Type {
    /// What it says.
    pub kind: TypeKind,
    /// Where it was written.
    pub span: Span,
}

/// What a type says.
#[derive(Clone, Debug, PartialEq)]
#[allow(missing_docs, reason = "the parts have the names of the abstract format")]
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

/// A field in the type of a map.
#[derive(Clone, Debug, PartialEq)]
pub struct MapFieldType {
    /// Whether the field is optional (`=>`) or required (`:=`).
    pub kind: MapFieldKind,
    /// The type of the key.
    pub key: Type,
    /// The type of the value.
    pub value: Type,
    /// Where it was written.
    pub span: Span,
}

impl Module {
    /// A module without any forms.
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
            lambdas: None,
            lifted: Vec::new(),
            is_of_platform: false,
            forms: Vec::new(),
        }
    }

    /// The function with this name and arity.
    pub fn function(&self, name: Atom, arity: u32) -> Option<&Function> {
        self.functions.iter().find(|f| f.name == name && f.arity == arity)
    }

    /// The record with this name.
    pub fn record(&self, name: Atom) -> Option<&RecordDef> {
        self.records.iter().find(|r| r.name == name)
    }

    /// Whether other modules may call the function.
    pub fn is_exported(&self, name: Atom, arity: u32) -> bool {
        self.export_all || self.exports.iter().any(|(n, _)| *n == (name, arity))
    }

    /// The module that `-import` takes the function from.
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

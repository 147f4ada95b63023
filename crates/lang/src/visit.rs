//! Walking the syntax tree: one place knows where an expression keeps its parts.

use crate::ast::*;
use reverl_term::{Atom, atoms};

/// Calls `f` on each direct part of `expr`, in source order.
pub fn for_each_part<'a>(expr: &'a Expr, f: &mut dyn FnMut(&'a Expr)) {
    use ExprKind::*;
    match &expr.kind {
        Var(_) | Integer(_) | Float(_) | Char(_) | Atom(_) | String(_) | Nil => {}
        RecordIndex { .. } | FunLocal { .. } => {}
        List { elements, tail } => {
            elements.iter().for_each(&mut *f);
            tail.iter().for_each(|t| f(t));
        }
        Tuple(parts) | Block(parts) => parts.iter().for_each(f),
        Map(fields) => map_fields(fields, f),
        MapUpdate { map, fields, .. } => {
            f(map);
            map_fields(fields, f);
        }
        Record { fields, .. } => fields.iter().for_each(|x| f(&x.value)),
        RecordUpdate { record, fields, .. } => {
            f(record);
            fields.iter().for_each(|x| f(&x.value));
        }
        RecordAccess { record, .. } => f(record),
        Binary(elements) => {
            for element in elements {
                f(&element.value);
                element.size.iter().for_each(|s| f(s));
            }
        }
        Unary { operand, .. } => f(operand),
        Catch(operand) => f(operand),
        Binop { left, right, .. } => {
            f(left);
            f(right);
        }
        Match { pattern, value } | MaybeMatch { pattern, value } => {
            f(pattern);
            f(value);
        }
        Call { function, args } => {
            f(function);
            args.iter().for_each(f);
        }
        Remote { module, name } => {
            f(module);
            f(name);
        }
        If(clauses) | Fun { clauses, .. } => clause_parts(clauses, f),
        Case { subject, clauses } => {
            f(subject);
            clause_parts(clauses, f);
        }
        Receive { clauses, after } => {
            clause_parts(clauses, f);
            if let Some(after) = after {
                f(&after.timeout);
                after.body.iter().for_each(f);
            }
        }
        Try(parts) => {
            parts.body.iter().for_each(&mut *f);
            clause_parts(&parts.of_clauses, f);
            clause_parts(&parts.catch_clauses, f);
            parts.after.iter().for_each(f);
        }
        Maybe { body, else_clauses } => {
            body.iter().for_each(&mut *f);
            clause_parts(else_clauses, f);
        }
        FunRemote { module, name, arity } => {
            f(module);
            f(name);
            f(arity);
        }
        ListComp { templates, qualifiers } | BinaryComp { templates, qualifiers } => {
            templates.iter().for_each(&mut *f);
            qualifier_parts(qualifiers, f);
        }
        MapComp { fields, qualifiers } => {
            map_fields(fields, f);
            qualifier_parts(qualifiers, f);
        }
    }
}

fn map_fields<'a>(fields: &'a [MapField], f: &mut dyn FnMut(&'a Expr)) {
    for field in fields {
        f(&field.key);
        f(&field.value);
    }
}

/// Visits the patterns, guard tests and expressions of clauses.
pub fn clause_parts<'a>(clauses: &'a [Clause], f: &mut dyn FnMut(&'a Expr)) {
    for clause in clauses {
        clause.patterns.iter().for_each(&mut *f);
        clause.guard.iter().flatten().for_each(&mut *f);
        clause.body.iter().for_each(&mut *f);
    }
}

/// Visits the parts of the qualifiers of a comprehension.
pub fn qualifier_parts<'a>(qualifiers: &'a [Qualifier], f: &mut dyn FnMut(&'a Expr)) {
    for qualifier in qualifiers {
        match qualifier {
            Qualifier::Filter(test) => f(test),
            Qualifier::Generator(generator) => generator_parts(generator, f),
            Qualifier::Zip { generators, .. } => {
                generators.iter().for_each(|g| generator_parts(g, f));
            }
        }
    }
}

fn generator_parts<'a>(generator: &'a Generator, f: &mut dyn FnMut(&'a Expr)) {
    f(&generator.pattern);
    generator.value_pattern.iter().for_each(&mut *f);
    f(&generator.source);
}

/// Adds the variables that occur anywhere in `expr`, each once, in order of first occurrence.
pub fn collect_vars(expr: &Expr, into: &mut Vec<Atom>) {
    if let ExprKind::Var(name) = &expr.kind {
        if *name != atoms::UNDERSCORE && !into.contains(name) {
            into.push(*name);
        }
        return;
    }
    for_each_part(expr, &mut |part| collect_vars(part, into));
}

//! Claims about how strongly operators bind, checked through the printer's parentheses.

use super::*;

fn grouped(text: &str) -> String {
    fn show(expr: &Expr) -> String {
        use crate::ast::ExprKind;
        match &expr.kind {
            ExprKind::Binop { op, left, right, .. } => {
                format!("({} {} {})", show(left), crate::print::binary_op(*op), show(right))
            }
            ExprKind::Unary { op, operand } => {
                format!("({} {})", crate::print::unary_op(*op), show(operand))
            }
            ExprKind::Match { pattern, value } => format!("({} = {})", show(pattern), show(value)),
            ExprKind::Catch(body) => format!("(catch {})", show(body)),
            _ => crate::print::expr(expr),
        }
    }
    parse_expr(text, FileId(0)).map_or_else(|problem| problem.message, |expr| show(&expr))
}

#[test]
fn operators_bind_as_in_the_reference() {
    for (text, expected) in [
        ("1 + 2 * 3 - 4", "((1 + (2 * 3)) - 4)"),
        ("A ++ B ++ C", "(A ++ (B ++ C))"),
        ("A ++ B -- C", "(A ++ (B -- C))"),
        ("A = B = C", "(A = (B = C))"),
        ("A = B ! C", "(A = (B ! C))"),
        ("A orelse B andalso C", "(A orelse (B andalso C))"),
        ("A andalso B orelse C", "((A andalso B) orelse C)"),
        ("not A == B", "((not A) == B)"),
        ("- A + B", "((- A) + B)"),
        ("- - A", "(- (- A))"),
        ("A == B + C", "(A == (B + C))"),
        ("A + B ++ C", "((A + B) ++ C)"),
        ("A band B bor C bsl D", "(((A band B) bor C) bsl D)"),
        ("catch A = B + C", "(catch (A = (B + C)))"),
        ("A = catch B", "(A = (catch B))"),
        ("A + catch B + C", "(A + (catch (B + C)))"),
        ("A < B < C", "syntax error before: '<'"),
        ("A == B =/= C", "syntax error before: '=/='"),
    ] {
        assert_eq!(grouped(text), expected, "{text}");
    }
}

#[test]
fn a_list_tail_that_is_a_list_is_the_same_list() {
    for text in ["[a, b]", "[a | [b]]", "[a | [b | []]]"] {
        assert_eq!(grouped(text), "[a, b]");
    }
}

#[test]
fn spans_cover_what_was_written() {
    let text = "foo(Bar) + baz#{a => 1}";
    let expr = parse_expr(text, FileId(0)).expect("it parses");
    assert_eq!((expr.span.start, expr.span.end), (0, text.len() as u32));
}

#[test]
fn what_follows_the_dot_is_refused() {
    assert!(parse_expr("a. b.", FileId(0)).is_err());
    assert!(parse_expr("a, b", FileId(0)).is_err());
    assert_eq!(parse_exprs("a, b.", FileId(0)).map(|e| e.len()), Ok(2));
}

//! Terms on one line of bounded length, in bounded time whatever their size.

use crate::outcome::show;
use reverl_term::{Atom, Term, View};

/// The first `most` characters of what `~0tp` prints, and whether there is more.
pub fn line(term: &Term, most: usize) -> (String, bool) {
    // Every part takes at least one character.
    let mut left = 2 * most;
    let first = beginning(term, &mut left);
    let cut = left == 0;
    let text = show(&first);
    match text.char_indices().nth(most) {
        Some((end, _)) => (text[..end].to_string(), true),
        None => (text, cut),
    }
}

/// A copy with as many parts as are left; dots stand for the rest.
fn beginning(term: &Term, left: &mut usize) -> Term {
    let dots = || Term::atom(Atom::new("..."));
    if *left == 0 {
        return dots();
    }
    *left -= 1;
    match term.view() {
        View::Cons(..) => {
            let mut parts = vec![];
            let mut cells = term.list_iter();
            while *left > 0 {
                let Some(part) = cells.next() else { break };
                parts.push(beginning(part, left));
            }
            let tail = cells.tail();
            // Text stays text when it is cut off.
            let is_text = parts.iter().all(|p| p.as_small().is_some());
            match tail.view() {
                View::Cons(..) if is_text => Term::list(parts),
                View::Cons(..) => Term::list_with_tail(parts, Term::list([dots()])),
                _ => Term::list_with_tail(parts, tail.clone()),
            }
        }
        View::Tuple(all) => {
            let mut parts = vec![];
            for part in all {
                parts.push(beginning(part, left));
                if *left == 0 {
                    break;
                }
            }
            Term::tuple(parts)
        }
        View::Map(map) if map.len() > *left => {
            let pairs = map.iter().take(*left / 2);
            let pairs: Vec<(Term, Term)> =
                pairs.map(|(k, v)| (beginning(k, left), beginning(v, left))).collect();
            *left = 0;
            Term::map_from(pairs)
        }
        View::Map(map) => {
            let pairs = map.iter().map(|(k, v)| (beginning(k, left), beginning(v, left)));
            Term::map_from(pairs.collect())
        }
        View::Bits(bits) if bits.byte_len() > *left => {
            let first = bits.slice(0, *left * 8);
            *left = 0;
            first
        }
        View::Big(n) if n.bits() > 4_000 => {
            *left = 0;
            dots()
        }
        _ => term.clone(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn small_terms_are_whole() {
        let term = Term::tuple(vec![Term::small(1), Term::string("abc"), Term::list([])]);
        assert_eq!(line(&term, 100), ("{1,\"abc\",[]}".into(), false));
        let improper = Term::list_with_tail([Term::small(1), Term::small(2)], Term::small(3));
        assert_eq!(line(&improper, 100), ("[1,2|3]".into(), false));
    }

    #[test]
    fn large_terms_are_cut_where_they_would_be() {
        let text = "x".repeat(1_000_000);
        let (line_of_text, cut) = line(&Term::string(&text), 50);
        assert_eq!((line_of_text, cut), (format!("\"{}", "x".repeat(49)), true));
        let numbers =
            Term::list((0..1_000_000).map(|i| Term::small(i + 1_000)).collect::<Vec<_>>());
        let (line_of_numbers, cut) = line(&numbers, 50);
        assert!(cut && line_of_numbers.starts_with("[1000,1001,1002,"));
        let deep = (0..100_000).fold(Term::nil(), |inner, _| Term::tuple(vec![inner]));
        assert_eq!(line(&deep, 10), ("{{{{{{{{{{".into(), true));
    }
}

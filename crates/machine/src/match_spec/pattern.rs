//! Heads of match specifications.

use reverl_term::{Term, View};

/// The head of a match specification.
pub enum Pattern {
    Any,
    Var(u32),
    Exact(Term),
    Tuple(Vec<Pattern>),
    Cons(Box<Pattern>, Box<Pattern>),
    /// These keys must be there.
    Map(Vec<(Term, Pattern)>),
}

/// What variables hold, in order of their numbers.
pub type Bindings = Vec<(u32, Term)>;

/// `'$1'` is variable 1; `'$01'` is an atom.
pub fn variable(term: &Term) -> Option<u32> {
    let digits = term.as_atom()?.name().strip_prefix('$')?;
    let canonical = digits == "0" || !digits.starts_with('0');
    let all_digits = !digits.is_empty() && digits.bytes().all(|b| b.is_ascii_digit());
    (canonical && all_digits).then(|| digits.parse().ok()).flatten()
}

fn is_any(term: &Term) -> bool {
    term.is_atom_eq(reverl_term::atoms::UNDERSCORE)
}

/// Whether only the term itself matches it.
pub fn is_ground(term: &Term) -> bool {
    matches!(Pattern::compile(term), Pattern::Exact(_))
}

impl Pattern {
    pub fn compile(term: &Term) -> Pattern {
        let exact = |p: &Pattern| matches!(p, Pattern::Exact(_));
        if is_any(term) {
            return Pattern::Any;
        }
        if let Some(n) = variable(term) {
            return Pattern::Var(n);
        }
        match term.view() {
            View::Tuple(elements) => {
                let parts: Vec<Pattern> = elements.iter().map(Pattern::compile).collect();
                if parts.iter().all(exact) {
                    Pattern::Exact(term.clone())
                } else {
                    Pattern::Tuple(parts)
                }
            }
            View::Cons(..) => Pattern::list(term),
            View::Map(map) => {
                let part = |(k, v): (&Term, &Term)| (k.clone(), Pattern::compile(v));
                Pattern::Map(map.iter().map(part).collect())
            }
            _ => Pattern::Exact(term.clone()),
        }
    }

    /// Long lists are walked, not recursed into.
    fn list(term: &Term) -> Pattern {
        let mut cells = term.list_iter();
        let heads: Vec<Pattern> = cells.by_ref().map(Pattern::compile).collect();
        let tail = Pattern::compile(cells.tail());
        let exact = |p: &Pattern| matches!(p, Pattern::Exact(_));
        if heads.iter().all(exact) && exact(&tail) {
            return Pattern::Exact(term.clone());
        }
        heads.into_iter().rev().fold(tail, |t, h| Pattern::Cons(Box::new(h), Box::new(t)))
    }

    /// The numbers of its variables, in order.
    pub fn variables(&self) -> Vec<u32> {
        let mut found = vec![];
        let mut todo = vec![self];
        while let Some(pattern) = todo.pop() {
            match pattern {
                Pattern::Any | Pattern::Exact(_) => {}
                Pattern::Var(n) => found.push(*n),
                Pattern::Tuple(parts) => todo.extend(parts),
                Pattern::Cons(head, tail) => todo.extend([&**head, &**tail]),
                Pattern::Map(pairs) => todo.extend(pairs.iter().map(|(_, p)| p)),
            }
        }
        found.sort_unstable();
        found.dedup();
        found
    }

    /// What the variables hold if the term matches.
    pub fn bind(&self, term: &Term) -> Option<Bindings> {
        let mut bound = vec![];
        let mut todo = vec![(self, term)];
        while let Some((pattern, term)) = todo.pop() {
            let fits = match (pattern, term.view()) {
                (Pattern::Any, _) => true,
                (Pattern::Var(n), _) => bind(&mut bound, *n, term),
                (Pattern::Exact(value), _) => value == term,
                (Pattern::Tuple(parts), View::Tuple(elements)) => {
                    todo.extend(parts.iter().zip(elements));
                    parts.len() == elements.len()
                }
                (Pattern::Cons(head, tail), View::Cons(h, t)) => {
                    todo.extend([(&**tail, t), (&**head, h)]);
                    true
                }
                (Pattern::Map(pairs), View::Map(map)) => pairs.iter().all(|(key, pattern)| {
                    map.get(key).is_some_and(|value| {
                        todo.push((pattern, value));
                        true
                    })
                }),
                _ => false,
            };
            if !fits {
                return None;
            }
        }
        Some(bound)
    }
}

fn bind(bound: &mut Bindings, n: u32, term: &Term) -> bool {
    match bound.binary_search_by_key(&n, |(k, _)| *k) {
        Ok(i) => bound[i].1 == *term,
        Err(i) => {
            bound.insert(i, (n, term.clone()));
            true
        }
    }
}

//! Made-up Erlang functions, the same in every run: well-formed, sure to end, free to fail.
//!
//! An expression is asked for by the kind of value it should have, so that most succeed; now and
//! then another kind is given, so that errors happen too. Every variable is fresh, which keeps
//! the programs free of unsafe variables; numbers, lists and sizes are kept small by `band`.

mod pattern;

use std::fmt::Write;

/// What a value should be.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Kind {
    Int,
    Float,
    Bool,
    Atom,
    List,
    Tuple,
    Map,
    Bin,
    Record,
    Any,
}

const KINDS: &[Kind] = &[
    Kind::Int,
    Kind::Float,
    Kind::Bool,
    Kind::Atom,
    Kind::List,
    Kind::Tuple,
    Kind::Map,
    Kind::Bin,
    Kind::Record,
];

pub struct Random(u64);

impl Random {
    pub fn new(seed: u64) -> Random {
        Random(seed.wrapping_mul(0x9e37_79b9_7f4a_7c15) | 1)
    }

    pub fn below(&mut self, n: usize) -> usize {
        self.0 ^= self.0 << 13;
        self.0 ^= self.0 >> 7;
        self.0 ^= self.0 << 17;
        (self.0.wrapping_mul(0x2545_f491_4f6c_dd1d) >> 33) as usize % n
    }

    pub fn pick<T: Copy>(&mut self, from: &[T]) -> T {
        from[self.below(from.len())]
    }
}

pub struct Generator {
    random: Random,
    /// The next fresh variable.
    fresh: usize,
    /// The next number for `t/2`, which notes that an expression was evaluated.
    ticks: usize,
    /// Variables in scope.
    scope: Vec<(String, Kind)>,
}

/// A function with three arguments, and a helper that calls itself a few times.
pub fn function(name: &str, seed: u64) -> String {
    let mut g = Generator { random: Random::new(seed), fresh: 0, ticks: 0, scope: vec![] };
    let mut text = String::new();
    let clauses = 1 + g.random.below(2);
    for clause in 0..=clauses {
        g.scope = vec![];
        let last = clause == clauses;
        let heads: Vec<String> = (0..3)
            .map(|_| if last || g.random.below(3) > 0 { g.bind(Kind::Any) } else { g.pattern(2) })
            .collect();
        let guard = if last { String::new() } else { g.when() };
        let body = g.attempts() + &g.body(3);
        let end = if last { "." } else { ";" };
        let _ = writeln!(text, "{name}({}){guard} ->\n    {body}{end}", heads.join(", "));
    }
    g.scope = vec![("N".into(), Kind::Int), ("Acc".into(), Kind::Any)];
    let (next, stop) = (g.expr(Kind::Any, 3), g.expr(Kind::Any, 1));
    let _ = writeln!(
        text,
        "{name}(N, Acc) when N > 0 -> {name}(N - 1, {next});\n{name}(N, Acc) -> {{N, Acc, {stop}}}."
    );
    text
}

/// A constant expression for an argument.
pub fn argument(random: &mut Random) -> String {
    let seed = random.below(1 << 30) as u64;
    let mut g = Generator { random: Random::new(seed), fresh: 0, ticks: 0, scope: vec![] };
    let kind = g.random.pick(KINDS);
    g.literal(kind)
}

impl Generator {
    fn name(&mut self) -> String {
        self.fresh += 1;
        format!("V{}", self.fresh)
    }

    fn bind(&mut self, kind: Kind) -> String {
        let name = self.name();
        self.scope.push((name.clone(), kind));
        name
    }

    /// What `inner` binds is out of scope afterwards.
    fn scoped<T>(&mut self, inner: impl FnOnce(&mut Self) -> T) -> T {
        let outer = self.scope.len();
        let result = inner(self);
        self.scope.truncate(outer);
        result
    }

    fn variable(&mut self, kind: Kind) -> Option<String> {
        // What may be anything is mostly not what an operation needs.
        let loose = kind == Kind::Any || self.random.below(6) == 0;
        let fits = |(_, k): &&(String, Kind)| *k == kind || loose;
        let known: Vec<String> = self.scope.iter().filter(fits).map(|(n, _)| n.clone()).collect();
        let at = self.random.below(known.len().max(1));
        known.get(at).cloned()
    }

    /// Statements that bind values or the exceptions that came instead.
    fn attempts(&mut self) -> String {
        let mut text = String::new();
        for _ in 0..=self.random.below(3) {
            let value = self.block(2);
            let (class, reason) = (self.name(), self.name());
            let name = self.bind(Kind::Any);
            let _ = write!(
                text,
                "{name} = try {value} catch {class}:{reason} -> {{{class}, {reason}}} end,\n    "
            );
        }
        text
    }

    /// Statements that bind, then a value.
    fn body(&mut self, depth: usize) -> String {
        let mut text = String::new();
        for _ in 0..self.random.below(3) {
            let kind = self.random.pick(KINDS);
            let value = self.expr(kind, depth.saturating_sub(1));
            let pattern = match self.random.below(4) {
                0 => self.pattern_of(kind, 2),
                _ => self.bind(kind),
            };
            let _ = write!(text, "{pattern} = {value},\n    ");
        }
        text + &self.expr(Kind::Any, depth)
    }

    fn block(&mut self, depth: usize) -> String {
        self.scoped(|g| g.body(depth))
    }

    fn several(&mut self, kind: Kind, depth: usize, most: usize) -> String {
        let n = self.random.below(most + 1);
        let parts: Vec<String> = (0..n).map(|_| self.expr(kind, depth)).collect();
        parts.join(", ")
    }

    pub fn literal(&mut self, kind: Kind) -> String {
        let ints = [
            "0",
            "1",
            "2",
            "3",
            "-1",
            "7",
            "255",
            "256",
            "-128",
            "65535",
            "4294967296",
            "576460752303423487",
            "-576460752303423489",
            "9223372036854775808",
            "16#ffffffffffffffffffff",
            "$a",
            "2#1010",
        ];
        let floats =
            ["0.0", "1.0", "-1.5", "2.5e10", "1.0e-5", "3.14159", "1.0e300", "-0.0", "0.1"];
        let atoms = ["a", "b", "ok", "error", "true", "undefined", "'A b'"];
        let lists = [
            "[]",
            "[1]",
            "[1, 2, 3]",
            "\"abc\"",
            "\"\"",
            "[a, b | c]",
            "[1, 1.0]",
            "\"h\\303\"",
            "[{a, 1}, {b, 2}]",
            "[[1], [2, 3]]",
            "[3, 1, 2, 1]",
            "[true, false]",
            "\"\\n\"",
        ];
        let tuples = ["{}", "{1}", "{a, 1}", "{ok, [1, 2]}", "{1, 2.0, \"x\"}", "{r, 1, 2}"];
        let maps = [
            "#{}",
            "#{a => 1}",
            "#{a => 1, b => [2]}",
            "#{1 => a, 1.0 => b}",
            "#{\"k\" => #{}}",
            "#{b => 2, a => 1, {x} => <<1>>}",
        ];
        let bins = [
            "<<>>",
            "<<1>>",
            "<<1, 2, 3>>",
            "<<\"abc\">>",
            "<<5:3>>",
            "<<1.5/float>>",
            "<<-1:16>>",
            "<<\"é\"/utf8>>",
            "<<300:12/little>>",
            "<<1, 2:2>>",
        ];
        let from: &[&str] = match kind {
            Kind::Int => &ints,
            Kind::Float => &floats,
            Kind::Bool => &["true", "false"],
            Kind::Atom => &atoms,
            Kind::List => &lists,
            Kind::Tuple => &tuples,
            Kind::Map => &maps,
            Kind::Bin => &bins,
            Kind::Record => &["#r{}", "#r{a = 2}", "#r{b = []}"],
            Kind::Any => {
                let kind = self.random.pick(KINDS);
                return self.literal(kind);
            }
        };
        self.random.pick(from).to_string()
    }

    fn expr(&mut self, kind: Kind, depth: usize) -> String {
        // The wrong kind, now and then.
        let kind = match (kind, self.random.below(40)) {
            (Kind::Any, _) | (_, 0) => self.random.pick(KINDS),
            _ => kind,
        };
        if depth == 0 || self.random.below(7) == 0 {
            let variable = if self.random.below(3) > 0 { self.variable(kind) } else { None };
            return variable.unwrap_or_else(|| self.literal(kind));
        }
        match self.random.below(10) {
            0..=2 => self.control(kind, depth - 1),
            3 => {
                self.ticks += 1;
                let (n, value) = (self.ticks, self.expr(kind, depth - 1));
                format!("t({n}, {value})")
            }
            _ => self.operation(kind, depth - 1),
        }
    }

    /// Branches, exceptions and funs, whose value is of the kind.
    fn control(&mut self, kind: Kind, d: usize) -> String {
        match self.random.below(12) {
            0..=2 => {
                let of = self.random.pick(KINDS);
                let subject = self.expr(of, d);
                let clauses = self.clauses(of, kind, d);
                format!("case {subject} of {clauses} end")
            }
            3 => {
                let mut clauses = vec![];
                for _ in 0..=self.random.below(2) {
                    clauses.push(format!("{} -> {}", self.guard(2), self.value(kind, d)));
                }
                if self.random.below(5) > 0 {
                    clauses.push(format!("true -> {}", self.value(kind, d)));
                }
                format!("if {} end", clauses.join("; "))
            }
            4..=6 => self.try_catch(kind, d),
            7 => {
                let tried = self.scoped(|g| g.expr(kind, d));
                let (reason, value) = (self.name(), self.name());
                format!(
                    "case catch {tried} of {{'EXIT', {{{reason}, _}}}} -> {{caught, {reason}}}; \
                     {value} -> {value} end"
                )
            }
            8 => {
                let argument = self.expr(Kind::Any, d);
                let fun = self.fun(1, kind, d);
                format!("({fun})({argument})")
            }
            9 => {
                let raise = self.random.pick(&["throw", "exit", "error", "erlang:error"]);
                let reason = self.expr(Kind::Any, d.min(1));
                let (test, value) = (self.expr(Kind::Bool, d), self.value(kind, d));
                format!("case {test} of true -> {raise}({reason}); _ -> {value} end")
            }
            10 => format!("begin {} end", self.value(kind, d)),
            _ => {
                let (name, n) = (self.name(), self.random.below(4));
                let (more, last) = self.scoped(|g| {
                    g.scope.push((format!("{name}N"), Kind::Int));
                    (g.expr(Kind::Any, d.min(1)), g.expr(kind, d.min(2)))
                });
                format!(
                    "(fun {name}({name}N) when {name}N > 0 -> [{more} | {name}({name}N - 1)]; \
                     {name}({name}N) -> {last} end)({n})"
                )
            }
        }
    }

    fn value(&mut self, kind: Kind, d: usize) -> String {
        self.scoped(|g| if g.random.below(4) == 0 { g.body(d) } else { g.expr(kind, d) })
    }

    fn try_catch(&mut self, kind: Kind, d: usize) -> String {
        let mut text = format!("try {}", self.block(d));
        if self.random.below(3) == 0 {
            let clauses = self.clauses(Kind::Any, kind, d);
            let _ = write!(text, " of {clauses}");
        }
        let (class, reason) = (self.name(), self.name());
        let caught = match self.random.below(4) {
            0 => format!("throw:{reason} -> {{thrown, {reason}}}"),
            1 => {
                let (pattern, value) = self.scoped(|g| (g.pattern(2), g.expr(kind, d)));
                format!("error:{pattern} -> {value}; {class}:{reason} -> {{{class}, {reason}}}")
            }
            2 => format!("error:badarith -> arith; error:{{badmatch, {reason}}} -> {reason}"),
            _ => format!("{class}:{reason} -> {{{class}, {reason}}}"),
        };
        let _ = write!(text, " catch {caught}");
        if self.random.below(3) == 0 {
            let after = self.block(d.min(1));
            let _ = write!(text, " after {after}");
        }
        text + " end"
    }

    /// Clauses over a value of a kind; mostly one that always matches comes last.
    fn clauses(&mut self, of: Kind, kind: Kind, d: usize) -> String {
        let mut clauses = vec![];
        for _ in 0..=self.random.below(3) {
            clauses.push(self.scoped(|g| {
                let pattern = g.pattern_of(of, 2);
                let guard = if g.random.below(3) == 0 { g.when() } else { String::new() };
                format!("{pattern}{guard} -> {}", g.value(kind, d))
            }));
        }
        if self.random.below(5) > 0 {
            let last = self.scoped(|g| {
                let rest = g.bind(Kind::Any);
                format!("{rest} -> {}", g.value(kind, d))
            });
            clauses.push(last);
        }
        clauses.join("; ")
    }

    fn fun(&mut self, arity: usize, kind: Kind, d: usize) -> String {
        self.scoped(|g| {
            let mut clauses = vec![];
            if g.random.below(3) == 0 {
                let outer = g.scope.len();
                let heads: Vec<String> = (0..arity).map(|_| g.pattern(1)).collect();
                let guard = if g.random.below(2) == 0 { g.when() } else { String::new() };
                clauses.push(format!("({}){guard} -> {}", heads.join(", "), g.value(kind, d)));
                g.scope.truncate(outer);
            }
            let heads: Vec<String> = (0..arity).map(|_| g.bind(Kind::Any)).collect();
            clauses.push(format!("({}) -> {}", heads.join(", "), g.value(kind, d)));
            format!("fun {} end", clauses.join("; "))
        })
    }

    fn qualifiers(&mut self, d: usize) -> String {
        let mut parts = vec![];
        for _ in 0..=self.random.below(2) {
            let part = match self.random.below(5) {
                0 => {
                    let source = self.expr(Kind::Bin, d);
                    let (x, size) = (self.name(), self.random.pick(&["", ":4", ":16/little"]));
                    self.scope.push((x.clone(), Kind::Int));
                    format!("<<{x}{size}>> <= {source}")
                }
                1 if !parts.is_empty() => self.guard(2),
                2 if !parts.is_empty() => self.expr(Kind::Bool, d),
                3 => {
                    let source = self.expr(Kind::List, d);
                    format!("{} <- ({source})", self.pattern(2))
                }
                _ => {
                    let source = self.expr(Kind::List, d);
                    format!("{} <- ({source})", self.bind(Kind::Any))
                }
            };
            parts.push(part);
        }
        parts.join(", ")
    }

    /// A small number, whatever the expression in it says.
    fn small(&mut self, d: usize) -> String {
        let mask = self.random.pick(&[3, 7, 15, 31]);
        format!("({} band {mask})", self.expr(Kind::Int, d))
    }

    /// Puts expressions of kinds in the places of a pattern: `i` for an integer, and so on.
    fn fill(&mut self, template: &str, d: usize) -> String {
        let mut text = String::new();
        let mut rest = template.chars();
        while let Some(c) = rest.next() {
            if c != '%' {
                text.push(c);
                continue;
            }
            let part = match rest.next() {
                Some('i') => self.expr(Kind::Int, d),
                Some('f') => self.expr(Kind::Float, d),
                Some('b') => self.expr(Kind::Bool, d),
                Some('a') => self.expr(Kind::Atom, d),
                Some('l') => self.expr(Kind::List, d),
                Some('t') => self.expr(Kind::Tuple, d),
                Some('m') => self.expr(Kind::Map, d),
                Some('n') => self.expr(Kind::Bin, d),
                Some('r') => self.expr(Kind::Record, d),
                Some('x') => self.expr(Kind::Any, d),
                Some('s') => self.small(d),
                Some('k') => self.random.pick(&["a", "b", "1", "{x}", "\"k\""]).to_string(),
                Some('*') => self.several(Kind::Any, d, 3),
                Some('1') => self.fun(1, Kind::Any, d),
                Some('?') => self.fun(1, Kind::Bool, d),
                Some('2') => self.fun(2, Kind::Any, d),
                other => unreachable!("no place {other:?}"),
            };
            text += &part;
        }
        text
    }

    fn operation(&mut self, kind: Kind, d: usize) -> String {
        if self.random.below(6) == 0 {
            match kind {
                Kind::List => {
                    return self.scoped(|g| {
                        let qualifiers = g.qualifiers(d);
                        format!("[{} || {qualifiers}]", g.expr(Kind::Any, d))
                    });
                }
                // OTP looks at the whole list first if the bits have a fixed size, and then blames
                // the whole list for a bad tail: here no tail is bad.
                Kind::Bin => {
                    return self.scoped(|g| {
                        let qualifiers = g.qualifiers(d).replace(" <- (", " <- lists:reverse(");
                        format!("<< <<({})>> || {qualifiers} >>", g.expr(Kind::Int, d))
                    });
                }
                _ => {}
            }
        }
        let templates: &[&str] = match kind {
            Kind::Int => &[
                "(%i + %i)",
                "(%i - %i)",
                "(%i * %i)",
                "(%i div %i)",
                "(%i rem %i)",
                "(%i band %i)",
                "(%i bor %i)",
                "(%i bxor %i)",
                "(%i bsl %s)",
                "(%i bsr %s)",
                "(bnot %i)",
                "(- %i)",
                "length(%l)",
                "abs(%i)",
                "byte_size(%n)",
                "bit_size(%n)",
                "tuple_size(%t)",
                "map_size(%m)",
                "round(%f)",
                "trunc(%f)",
                "floor(%f)",
                "ceil(%f)",
                "lists:sum(%l)",
                "hd(%l)",
                "element(%s, %t)",
                "size(%t)",
                "erlang:phash2(%x)",
                "max(%i, %i)",
                "list_to_integer(integer_to_list(%i))",
                "binary:decode_unsigned(%n)",
                "lists:foldl(%2, %i, %l)",
                "maps:get(%k, %m, %i)",
                "map_get(%k, %m)",
                "(%r)#r.a",
                "binary_to_integer(integer_to_binary(%i, 36), 36)",
                "lists:nth(%s, %l)",
                "#r.b",
                "lists:max(%l)",
                "binary:at(%n, %s)",
                "string:length(%l)",
                "%{i}",
            ],
            Kind::Float => &[
                "(%f + %i)",
                "(%f * %f)",
                "(%i / %i)",
                "(%f - %f)",
                "float(%i)",
                "abs(%f)",
                "(- %f)",
                "math:floor(%f)",
                "math:sqrt(%f)",
                "math:pow(%i, %s)",
                "math:fmod(%f, %f)",
                "min(%f, %i)",
                "list_to_float(float_to_list(%f))",
                "binary_to_float(float_to_binary(%f))",
            ],
            Kind::Bool => &[
                "(%x == %x)",
                "(%x =:= %x)",
                "(%x /= %x)",
                "(%x =/= %x)",
                "(%x < %x)",
                "(%x >= %x)",
                "(%x =< %x)",
                "(%x > %x)",
                "(%i < %f)",
                "(%b andalso %b)",
                "(%b orelse %b)",
                "(not %b)",
                "(%b and %b)",
                "(%b or %b)",
                "(%b xor %b)",
                "is_integer(%x)",
                "is_list(%x)",
                "is_map_key(%k, %m)",
                "lists:member(%x, %l)",
                "is_tuple(%x)",
                "is_record(%x, r)",
                "is_function(%1, %s)",
                "lists:any(%?, %l)",
                "lists:all(%?, %l)",
                "is_bitstring(%x)",
                "maps:is_key(%k, %m)",
                "lists:prefix(%l, %l)",
                "is_boolean(%x)",
            ],
            Kind::Atom => &[
                "list_to_atom(atom_to_list(%a))",
                "binary_to_atom(atom_to_binary(%a))",
                "element(1, %t)",
                "hd(%l)",
                "(%r)#r.b",
                "list_to_existing_atom(%l)",
            ],
            Kind::List => &[
                "[%*]",
                "[%x | %l]",
                "[%x, %x | %l]",
                "(%l ++ %l)",
                "(%l -- %l)",
                "tl(%l)",
                "lists:reverse(%l)",
                "lists:sort(%l)",
                "lists:usort(%l)",
                "tuple_to_list(%t)",
                "binary_to_list(%n)",
                "atom_to_list(%a)",
                "integer_to_list(%i)",
                "lists:map(%1, %l)",
                "lists:filter(%?, %l)",
                "lists:seq(%s, %s)",
                "lists:zip(%l, %l)",
                "maps:keys(%m)",
                "maps:values(%m)",
                "maps:to_list(%m)",
                "lists:sublist(%l, %s)",
                "lists:nthtail(%s, %l)",
                "lists:duplicate(%s, %x)",
                "lists:flatten(%l)",
                "lists:keysort(1, %l)",
                "lists:foldr(%2, %l, %l)",
                "float_to_list(%f)",
                "bitstring_to_list(%n)",
                "lists:append(%l, %l)",
                "lists:delete(%x, %l)",
                "lists:keydelete(%x, 1, %l)",
                "lists:enumerate(%l)",
                "lists:last(%l)",
                "string:uppercase(%l)",
                "lists:takewhile(%?, %l)",
                "lists:flatmap(%1, %l)",
                "string:split(%l, \",\")",
                "integer_to_list(%i, 2)",
                "lists:flatten(io_lib:format(\"~w ~p\", [%x, %x]))",
                "lists:mapfoldl(%2, %x, %l)",
                "lists:concat(%l)",
            ],
            Kind::Tuple => &[
                "{%*}",
                "{%x, %x}",
                "{%a, %x}",
                "list_to_tuple(%l)",
                "setelement(%s, %t, %x)",
                "erlang:append_element(%t, %x)",
                "erlang:delete_element(%s, %t)",
                "lists:partition(%?, %l)",
                "lists:split(%s, %l)",
                "split_binary(%n, %s)",
                "erlang:make_tuple(%s, %x)",
                "lists:keyfind(%x, 1, %l)",
                "maps:find(%k, %m)",
                "lists:splitwith(%?, %l)",
                "string:to_integer(%l)",
                "erlang:insert_element(%s, %t, %x)",
            ],
            // OTP drops or delays an update with `:=` whose value it can do without, and with it
            // the error; an argument of a call stays.
            Kind::Map => &[
                "#{%k => %x}",
                "#{%x => %x, %k => %x}",
                "(%m)#{%k => %x}",
                "id((%m)#{%k := %x})",
                "maps:put(%k, %x, %m)",
                "maps:remove(%k, %m)",
                "maps:merge(%m, %m)",
                "maps:from_list(%l)",
                "maps:map(%2, %m)",
                "maps:with(%l, %m)",
                "maps:take(%k, %m)",
                "maps:fold(fun(K, V, Acc) -> Acc#{V => K} end, %m, %m)",
                "id((%m)#{%k => %x, %k := %x})",
                "maps:update_with(%k, %1, %m)",
                "maps:filter(%2, %m)",
                "maps:without(%l, %m)",
            ],
            Kind::Bin => &[
                "<<(id(%i)), (id(%i)):16>>",
                "<<(id(%i)):(id(%s))>>",
                "<<(id(%n))/binary, (id(%i))>>",
                "<<(id(%n))/bits, (id(%i)):4/little>>",
                "<<(id(%f))/float>>",
                "<<(id(%f)):32/float-little>>",
                "<<(id(%s))/utf8>>",
                "<<(id(%n)):(id(%s))/binary>>",
                "list_to_binary(%l)",
                "iolist_to_binary([%n, %l])",
                "atom_to_binary(%a)",
                "integer_to_binary(%i)",
                "binary:part(%n, 0, %s)",
                "binary:copy(%n, %s)",
                "list_to_bitstring([%n, %n])",
                "term_to_binary(%i)",
                "float_to_binary(%f, [{decimals, 3}])",
                "<<(id(%i)):24/little-signed>>",
                "unicode:characters_to_binary(%l)",
                "binary:replace(%n, <<1>>, %n)",
                "<<%n/bits>>",
                "binary:encode_unsigned(%i)",
                "<<(id(%s))/utf16-little>>",
            ],
            Kind::Record => {
                &["#r{a = %x}", "#r{b = %i, a = %x}", "(%r)#r{a = %x}", "(%r)#r{b = %x, a = %i}"]
            }
            Kind::Any => unreachable!("a kind has been chosen"),
        };
        let template = self.random.pick(templates);
        // A literal string would need no type, and has one in these.
        let template = template.replace("%{i}", "%i").replace("<<%n/bits>>", "<<(id(%n))/bits>>");
        self.fill(&template, d)
    }
}

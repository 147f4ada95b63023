//! Records become tuples; their names live on in `ModuleInfo::records`, for display.

use super::emit::{FunLowering, Holes, Operand};
use super::*;

impl<'a> FunLowering<'_, 'a> {
    pub fn known_record(&self, name: &Expr) -> Option<&'a RecordDef> {
        match &name.kind {
            ExprKind::Atom(name) => self.l.records.get(name).copied(),
            _ => None,
        }
    }

    fn definition(&self, name: Atom) -> &'a [RecordFieldDef] {
        self.l.records.get(&name).map_or(&[], |r| r.fields.as_slice())
    }

    /// The 0-based place of a field in the tuple.
    pub fn field_index(&self, name: Atom, field: Atom) -> u16 {
        let place = self.definition(name).iter().position(|f| f.name == field);
        place.map_or(0, |i| i as u16 + 1)
    }

    pub fn record(&mut self, e: &'a Expr, d: Reg) {
        match &e.kind {
            ExprKind::Record { name, fields } => self.make_record(*name, fields, d),
            ExprKind::RecordUpdate { record, name, fields, .. } => {
                self.update_record(e, record, *name, fields, d);
            }
            ExprKind::RecordAccess { record, name, field, .. } => {
                // OTP blames the record, not the access.
                let id = self.place_id(e.span, record.place());
                let a = self.value_register(record);
                self.at = id;
                self.step(Rule::Op, id);
                self.check_record(*name, a);
                let i = self.field_index(*name, *field);
                self.emit(Op::Element { d, a, i });
            }
            ExprKind::RecordIndex { name, field } => {
                let i = self.field_index(*name, *field);
                self.emit(Op::Int { d, i: i32::from(i) + 1 });
            }
            _ => unreachable!("not a record"),
        }
    }

    /// OTP evaluates the fields in the order of the definition.
    fn make_record(&mut self, name: Atom, fields: &'a [RecordField], d: Reg) {
        let a0 = self.new_temp();
        self.load(&Term::atom(name), a0);
        let definition = self.definition(name);
        let value = |f: &'a RecordFieldDef| given(fields, f.name).or(f.default.as_ref());
        let group = self.start_group(definition.iter().filter_map(value));
        for field in definition {
            match value(field) {
                Some(value) => self.push_value(value),
                None => {
                    let reg = self.new_temp();
                    self.load(&Term::atom(reverl_term::atoms::UNDEFINED), reg);
                }
            }
            self.end_operand(group);
        }
        self.end_group(group);
        self.emit(Op::MakeTuple { d, a0, n: definition.len() as u16 + 1 });
    }

    fn update_record(
        &mut self,
        e: &'a Expr,
        record: &'a Expr,
        name: Atom,
        fields: &'a [RecordField],
        d: Reg,
    ) {
        let id = self.node_id(e);
        let values: Vec<(u16, Reg)> = fields
            .iter()
            .filter_map(|f| {
                let i = self.field_index(name, f.name?);
                let reg = self.temp;
                self.push_value(&f.value);
                Some((i, reg))
            })
            .collect();
        let a = self.value_register(record);
        self.at = id;
        self.step(Rule::Op, id);
        self.check_record(name, a);
        let n = self.definition(name).len() as u16 + 1;
        let a0 = self.new_temps(n as usize);
        for i in 0..n {
            match values.iter().find(|(at, _)| *at == i) {
                Some((_, s)) => self.emit(Op::Move { d: a0 + i, s: *s }),
                None => self.emit(Op::Element { d: a0 + i, a, i }),
            };
        }
        self.emit(Op::MakeTuple { d, a0, n });
    }

    fn check_record(&mut self, name: Atom, a: Reg) {
        let mut fails = vec![];
        self.record_tests(name, a, &mut fails);
        let over = self.emit(Op::Jmp { to: 0 });
        self.patch_here(&fails);
        self.emit(Op::Fail { failure: Failure::BadRecord, a });
        self.patch_here(&[over]);
    }

    /// Goes on if `a` holds a record `name` of the right size.
    pub fn record_tests(&mut self, name: Atom, a: Reg, fails: &mut Holes) {
        let n = self.definition(name).len() as u16 + 1;
        self.match_tagged(a, n, name, fails);
    }

    pub fn record_pattern(
        &mut self,
        name: Atom,
        fields: &'a [RecordField],
        reg: Reg,
        fails: &mut Holes,
        seen: &mut Vec<Atom>,
    ) {
        self.record_tests(name, reg, fails);
        for (i, field) in self.definition(name).iter().enumerate() {
            if let Some(value) = given(fields, field.name) {
                self.element_pattern(value, reg, i as u16 + 1, fails, seen);
            }
        }
    }

    /// `is_record(Value, name)` of a record that is known here, as a boolean in `d`.
    /// Whether the value in `a` is such a record.
    pub fn is_record(&mut self, e: &Expr, a: Reg, record: &Expr, d: Reg) {
        let id = self.node_id(e);
        let ExprKind::Atom(name) = &record.kind else { unreachable!("a known record") };
        self.at = id;
        self.step(Rule::Op, id);
        let mut fails = vec![];
        self.record_tests(*name, a, &mut fails);
        self.load(&Term::bool(true), d);
        let over = self.emit(Op::Jmp { to: 0 });
        self.patch_here(&fails);
        self.load(&Term::bool(false), d);
        self.patch_here(&[over]);
    }

    pub fn record_info(&self, what: &Expr, record: &Expr) -> Option<Operand> {
        let definition = self.known_record(record)?;
        let ExprKind::Atom(what) = &what.kind else { return None };
        let names = definition.fields.iter().map(|f| Term::atom(f.name));
        match what.name() {
            "fields" => Some(Operand::Literal(Term::list(names))),
            "size" => Some(Operand::Literal(Term::int(definition.fields.len() as i64 + 1))),
            _ => None,
        }
    }
}

/// The value given for a field, by name or by `_ = Value`.
fn given(fields: &[RecordField], name: Atom) -> Option<&Expr> {
    let named = fields.iter().find(|f| f.name == Some(name));
    named.or_else(|| fields.iter().find(|f| f.name.is_none())).map(|f| &f.value)
}

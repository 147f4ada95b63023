//! Records: that they and their fields exist, each once.

use super::Lint;
use crate::ast::{RecordDef, RecordField};
use crate::print::atom;
use crate::source::Span;
use reverl_term::Atom;

impl Lint<'_> {
    pub(super) fn record_exists(&mut self, name: Atom, span: Span) -> bool {
        let known = self.records.contains_key(&name);
        if !known {
            self.undefined(span, format!("record {} undefined", atom(name)));
        }
        known
    }

    pub(super) fn record_field(&mut self, name: Atom, field: Atom, span: Span) {
        if self.record_exists(name, span) {
            self.field_exists(name, field, span);
        }
    }

    fn field_exists(&mut self, name: Atom, field: Atom, span: Span) {
        let Some(record) = self.records.get(&name) else { return };
        if !record.fields.iter().any(|f| f.name == field) {
            let message = format!("field {} undefined in record {}", atom(field), atom(name));
            self.undefined(span, message);
        }
    }

    /// A record made, or taken apart in a pattern.
    pub(super) fn record_use(&mut self, name: Atom, fields: &[RecordField], span: Span) {
        if !self.record_exists(name, span) {
            return;
        }
        for (i, field) in fields.iter().enumerate() {
            let Some(wanted) = field.name else { continue };
            if fields[..i].iter().any(|f| f.name == Some(wanted)) {
                let message =
                    format!("field {} already defined in record {}", atom(wanted), atom(name));
                self.error(field.span, message);
            } else {
                self.field_exists(name, wanted, field.span);
            }
        }
    }

    pub(super) fn record_update(&mut self, name: Atom, fields: &[RecordField], span: Span) {
        if let Some(wildcard) = fields.iter().find(|f| f.name.is_none()) {
            let message = format!("meaningless use of _ in update of record {}", atom(name));
            self.error(wildcard.span, message);
        }
        self.record_use(name, fields, span);
    }

    /// Defaults are expressions without any variable from outside.
    pub(super) fn record_defaults(&mut self, record: &RecordDef) {
        for (i, field) in record.fields.iter().enumerate() {
            if record.fields[..i].iter().any(|f| f.name == field.name) {
                let (field_name, name) = (atom(field.name), atom(record.name));
                let message = format!("field {field_name} already defined in record {name}");
                self.error(field.span, message);
            }
            if let Some(default) = &field.default {
                self.scope.clear();
                self.expr(default);
            }
        }
    }
}

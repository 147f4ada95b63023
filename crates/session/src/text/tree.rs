//! The processes as they belong to each other, in words.

use crate::query::tree::{FamilyRow, FamilyTree};

pub fn family(tree: &FamilyTree) -> String {
    let mut lines: Vec<String> = tree.rows.iter().flat_map(|row| row_lines(tree, row)).collect();
    match tree.runtime {
        0 => {}
        1 => lines.push("  1 process of the runtime: 'ps all'".into()),
        n => lines.push(format!("  {n} processes of the runtime: 'ps all'")),
    }
    lines.join("\n")
}

fn row_lines(tree: &FamilyTree, row: &FamilyRow) -> Vec<String> {
    let mark = if row.process.proc == tree.current { "*" } else { " " };
    let indent = "  ".repeat(row.depth.min(12));
    let name = format!("{indent}{}", row.process.called);
    let mut about = vec![];
    if let Some(behaviour) = row.behaviour.filter(|_| row.children > 0) {
        about.push(format!("{}, {} children", behaviour.name(), row.children));
    }
    about.push(row.about.clone());
    if row.mailbox > 0 {
        about.push(format!("mailbox {}", row.mailbox));
    }
    if let Some(next) = row.restarted_as.first() {
        about.push(format!("restarted as {}", next.called));
    }
    let mut lines = vec![format!("{mark} {name:<32} {:<10} {}", row.process.pid, about.join(", "))];
    if row.more > 0 {
        let more = format!("{indent}{} more", row.more);
        lines.push(format!("  {more:<32} {:<10} {}", "", row.about));
    }
    lines
}

//! A tree as a drawing: a line for each node below its parent, joined to it.

const ROW: usize = 22;
const INDENT: usize = 24;
/// About the width of a letter.
const LETTER: usize = 7;

/// Text as it stands in XML.
pub fn escaped(text: &str) -> String {
    text.replace('&', "&amp;").replace('<', "&lt;").replace('>', "&gt;").replace('"', "&quot;")
}

/// The nodes of a tree in order, each with its depth and text.
pub fn svg(nodes: &[(usize, String)]) -> String {
    let x = |depth: usize| 10 + depth * INDENT;
    let y = |row: usize| 20 + row * ROW;
    let widths = nodes.iter().map(|(depth, text)| x(*depth) + text.chars().count() * LETTER + 30);
    let (width, height) = (widths.max().unwrap_or(100), nodes.len() * ROW + 20);
    let mut out = format!(
        "<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"{width}\" height=\"{height}\" \
         font-family=\"monospace\" font-size=\"11\">\n"
    );
    // The row of the last node seen at each depth: the parent of what comes one deeper.
    let mut last: Vec<usize> = vec![];
    for (row, (depth, text)) in nodes.iter().enumerate() {
        last.truncate(*depth);
        if let Some(parent) = depth.checked_sub(1).and_then(|above| last.get(above)) {
            let (from, to) = (x(depth - 1) + 4, x(*depth));
            out += &format!(
                "<path d=\"M{from},{} V{} H{to}\" fill=\"none\" stroke=\"#999\"/>\n",
                y(*parent) + 5,
                y(row)
            );
        }
        last.push(row);
        out += &format!(
            "<circle cx=\"{}\" cy=\"{1}\" r=\"3\"/><text x=\"{2}\" y=\"{3}\">{4}</text>\n",
            x(*depth) + 4,
            y(row),
            x(*depth) + 12,
            y(row) + 4,
            escaped(text)
        );
    }
    out + "</svg>\n"
}

#[cfg(test)]
mod tests {
    use super::svg;

    #[test]
    fn every_node_but_the_roots_is_joined_to_its_parent() {
        let nodes = [(0, "a"), (1, "b<1>"), (2, "c"), (1, "d"), (0, "e")];
        let drawn = svg(&nodes.map(|(depth, text)| (depth, text.to_string())));
        assert_eq!(drawn.matches("<path").count(), 3);
        assert_eq!(drawn.matches("<text").count(), 5);
        // d is joined to a, whose row is the first.
        assert!(drawn.contains("M14,25 V86 H34"), "{drawn}");
        assert!(drawn.contains("b&lt;1&gt;"), "{drawn}");
    }
}

//! Verdicts on tests as the XML that servers for continuous integration read.

use super::cases::Explored;
use reverl_session::text;

/// One test suite for all tests.
pub fn xml(explored: &[Explored]) -> String {
    let failed = explored.iter().filter(|one| one.report.fails()).count();
    let skipped = explored.iter().filter(|one| is_open(one)).count();
    let seconds: f64 = explored.iter().map(|one| one.report.seconds).sum();
    let mut text = format!(
        "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n<testsuite name=\"reverl explore\" \
         tests=\"{}\" failures=\"{failed}\" skipped=\"{skipped}\" time=\"{seconds:.3}\">\n",
        explored.len()
    );
    explored.iter().for_each(|one| text.push_str(&test_case(one)));
    text.push_str("</testsuite>\n");
    text
}

/// Nothing was found, but not everything was looked at.
fn is_open(one: &Explored) -> bool {
    !one.report.fails() && !one.report.complete
}

fn test_case(one: &Explored) -> String {
    let Explored { module, test, report } = one;
    let (module, name, verdict) = (escaped(module), escaped(test), escaped(&text::verdict(report)));
    let told = escaped(&text::failures(report).join("\n"));
    let inside = match (report.fails(), is_open(one)) {
        (true, _) => format!("\n    <failure message=\"{verdict}\">{told}</failure>\n  "),
        (_, true) => format!("\n    <skipped message=\"{verdict}\"/>\n  "),
        _ => format!("\n    <system-out>{verdict}</system-out>\n  "),
    };
    let seconds = report.seconds;
    format!(
        "  <testcase classname=\"{module}\" name=\"{name}\" time=\"{seconds:.3}\">{inside}</testcase>\n"
    )
}

/// Text that is only text in XML; what XML has no way to write is left out.
fn escaped(text: &str) -> String {
    let mut out = String::with_capacity(text.len());
    for c in text.chars() {
        match c {
            '&' => out.push_str("&amp;"),
            '<' => out.push_str("&lt;"),
            '>' => out.push_str("&gt;"),
            '"' => out.push_str("&quot;"),
            '\n' | '\t' => out.push(c),
            c if c.is_control() || matches!(c, '\u{FFFE}' | '\u{FFFF}') => {}
            c => out.push(c),
        }
    }
    out
}

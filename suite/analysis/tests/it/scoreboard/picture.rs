//! The picture: a bar for each version, as long as the requirements are many that it breaks.

use std::fmt::Write as _;

use verdict::Level;

use super::{Sdk, count};

/// Lengths in pixels: of the names, of a broken requirement, of the whole, and of a row.
const NAMES: usize = 250;
const UNIT: usize = 7;
const WIDTH: usize = 860;
const ROW: usize = 22;

const STYLE: &str = "\
text { font: 13px system-ui, sans-serif; fill: #1b1f24; }
.quiet { fill: #57606a; }
.must { fill: #b3261e; }
.should { fill: #d99a2b; }
@media (prefers-color-scheme: dark) {
  text { fill: #e6edf3; }
  .quiet { fill: #9aa5b1; }
  .must { fill: #ff8b82; }
  .should { fill: #e5b567; }
}
";

/// Draws the picture as SVG.
pub(super) fn picture(sdks: &[Sdk]) -> String {
    let mut rows = String::new();
    let mut top = 2 * ROW;
    for sdk in sdks {
        for (at, profile) in sdk.versions.iter().enumerate() {
            let name = if at == 0 { sdk.title.as_str() } else { "" };
            rows.push_str(&row(
                name,
                &profile.version,
                [Level::Must, Level::Should].map(|level| count(profile, level, None)),
                top,
            ));
            top += ROW;
        }
        top += ROW / 2;
    }
    let title = "Requirements that the smallest server breaks, by SDK and version";
    format!(
        "<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 {WIDTH} {top}\" width=\"{WIDTH}\" height=\"{top}\" role=\"img\">\n\
         <title>{title}</title>\n<style>\n{STYLE}</style>\n{}{rows}</svg>\n",
        legend()
    )
}

fn legend() -> String {
    let item = |class, word, left| {
        format!(
            "<rect class=\"{class}\" x=\"{left}\" y=\"9\" width=\"12\" height=\"12\"/><text x=\"{}\" y=\"20\">{word}</text>\n",
            left + 18
        )
    };
    item("must", "MUST", NAMES) + &item("should", "SHOULD", NAMES + 80)
}

fn row(name: &str, version: &str, [must, should]: [usize; 2], top: usize) -> String {
    let (base, bar) = (top + 15, top + 3);
    let mut text = format!(
        "<text x=\"0\" y=\"{base}\">{name}</text><text class=\"quiet\" x=\"{}\" y=\"{base}\" text-anchor=\"end\">{version}</text>\n",
        NAMES - 10
    );
    let mut left = NAMES;
    for (class, number) in [("must", must), ("should", should)] {
        let width = number * UNIT;
        let _ =
            write!(text, "<rect class=\"{class}\" x=\"{left}\" y=\"{bar}\" width=\"{width}\" height=\"{}\"/>", ROW - 6);
        left += width;
    }
    let _ = writeln!(text, "<text class=\"quiet\" x=\"{}\" y=\"{base}\">{must} + {should}</text>", left + 8);
    text
}

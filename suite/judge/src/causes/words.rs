//! Messages with what varies taken out: names, numbers, values of the request.

/// Characters that are compared.
const COMPARED: usize = 100;
/// What says nothing of its own: many unrelated places of a server say just this.
const EMPTY: [&str; 24] = [
    "a",
    "an",
    "argument",
    "arguments",
    "bad",
    "error",
    "exception",
    "failed",
    "found",
    "input",
    "internal",
    "invalid",
    "is",
    "json",
    "mcp",
    "method",
    "not",
    "param",
    "parameter",
    "parameters",
    "params",
    "request",
    "server",
    "the",
];

/// The message without what varies from one request to the next; `sent` is the request.
pub(super) fn template(message: &str, sent: &str) -> String {
    let message = message.trim_start();
    // A message that is JSON itself lists what is wrong, which varies.
    if message.starts_with(['[', '{']) {
        return message[..1].to_owned();
    }
    let line = message.split("\\n").next().unwrap_or_default();
    let words = without_quotes(line);
    let named = words.split_whitespace().scan("", |before, word| Some((std::mem::replace(before, word), word)));
    // Rust's serde names the type that an author gave to the parameters: "expected struct Point".
    let words: Vec<String> = named
        .map(|(before, word)| if matches!(before, "struct" | "enum") { "…".to_owned() } else { general(word, sent) })
        .collect();
    words.join(" ").chars().take(COMPARED).collect()
}

/// Whether unrelated places of a server may say this.
pub(super) fn is_empty(template: &str) -> bool {
    let mut words = template.split(|c: char| !c.is_alphabetic()).filter(|word| !word.is_empty());
    !template.starts_with(['[', '{']) && words.all(|word| EMPTY.contains(&word.to_lowercase().as_str()))
}

/// What stands in quotes is somebody's name or value.
fn without_quotes(line: &str) -> String {
    let mut text = String::new();
    let mut inside = None;
    let mut before = ' ';
    for c in line.chars().filter(|c| *c != '\\') {
        match inside {
            Some(quote) if c == quote => inside = None,
            Some(_) => {}
            // An apostrophe within a word quotes nothing.
            None if "\"`".contains(c) || c == '\'' && !before.is_alphanumeric() => {
                inside = Some(c);
                text.push('…');
            }
            None => text.push(c),
        }
        before = c;
    }
    text
}

fn general(word: &str, sent: &str) -> String {
    let bare = word.trim_matches(|c: char| !c.is_alphanumeric());
    if !bare.is_empty() && sent.contains(&format!("\"{bare}\"")) {
        return word.replace(bare, "…");
    }
    let mut text = String::new();
    for c in word.chars() {
        match c {
            '0'..='9' if text.ends_with('#') => {}
            '0'..='9' => text.push('#'),
            _ => text.push(c),
        }
    }
    text
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_varies_is_taken_out() {
        let unknown = |name: &str| {
            let sent = format!("{{\"method\":\"tools/call\",\"params\":{{\"name\":\"{name}\"}}}}");
            template(&format!("MCP error -32602: Tool {name} not found"), &sent)
        };
        assert_eq!(unknown("a_b"), "MCP error -#: Tool … not found");
        assert_eq!(unknown("a_b"), unknown("zz"));
        assert_eq!(template("unknown key 'x' (it's \\\"y\\\")", ""), "unknown key … (it's …)");
        assert_eq!(
            template("bad type, expected struct Add with 2 elements", ""),
            "bad type, expected struct … with # elements"
        );
        assert_eq!(template("[\\n  {\\n  \\\"code\\\"", ""), "[");
        assert_eq!(template("1 validation error for Params\\nname\\n  missing", ""), "# validation error for Params");
    }

    #[test]
    fn what_many_places_say_tells_nothing() {
        for empty in ["Internal server error", "Invalid params", "MCP error -#", "", "…"] {
            assert!(is_empty(empty), "{empty}");
        }
        for telling in ["Tool … not found", "[", "# validation error for Params"] {
            assert!(!is_empty(telling), "{telling}");
        }
    }
}

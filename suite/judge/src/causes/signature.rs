//! What a server says where it breaks a requirement, in words that any server built with the same code says too: without the names of
//! its tools, and readable, for tables that people review.

use super::Broken;
use super::mark::Mark;

/// The signatures of the findings that make a requirement as grave as it is, sorted, each once.
#[must_use]
pub fn signatures(broken: &Broken<'_>) -> Vec<String> {
    let mut all: Vec<String> = broken.gravest().map(|finding| Mark::of_finding(finding).signature()).collect();
    all.sort();
    all.dedup();
    all
}

impl Mark {
    fn signature(&self) -> String {
        let asked = |asked: &str| if asked.starts_with("tool ") { "a tool".to_owned() } else { asked.to_owned() };
        match self {
            Self::Ended { how, asked: to } => join(&format!("ends with {how}"), &asked(to)),
            Self::Error { code, words, to, .. } => join(&format!("error {code}"), &format!("{words}{}", asked(to))),
            Self::ToolError { words, .. } => join("isError", words),
            Self::Codeless => "error without a code".to_owned(),
            Self::Dropped { asked: to } => join("no answer", &asked(to)),
            Self::Same(words) => words.clone(),
        }
    }
}

fn join(what: &str, to: &str) -> String {
    if to.is_empty() { what.to_owned() } else { format!("{what}: {to}") }
}

#[cfg(test)]
mod tests {
    use verdict::{Finding, Level};

    use super::*;

    fn signature(tool: &str, sent: &str, answer: &str, actual: &str) -> Vec<String> {
        let wire = vec![format!("> {sent}"), format!("< {answer}")];
        let mut finding = Finding::new("It is wrong.", "", actual, wire);
        finding.tool = Some(tool.to_owned());
        signatures(&Broken { id: "a.b", level: Level::Must, findings: &[finding.clone(), finding] })
    }

    #[test]
    fn servers_with_other_tools_have_the_same_signature() {
        let refused = |tool: &str| {
            let sent = format!(
                r#"{{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{{"name":"{tool}","arguments":{{}}}}}}"#
            );
            let text = format!("Error executing tool {tool}: 1 validation error for {tool}Arguments");
            let answer = format!(
                r#"{{"jsonrpc":"2.0","id":1,"result":{{"content":[{{"type":"text","text":"{text}"}}],"isError":true}}}}"#
            );
            signature(tool, &sent, &answer, "a result with isError true")
        };
        assert_eq!(refused("echo"), ["isError: Error executing tool …: # validation error for …Arguments"]);
        assert_eq!(refused("echo"), refused("get_current_time"));
    }

    #[test]
    fn codes_and_words_are_told_apart() {
        let sent = r#"{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":5}}"#;
        let answer = r#"{"jsonrpc":"2.0","id":1,"error":{"code":-32603,"message":"[\n {"}}"#;
        assert_eq!(signature("a", sent, answer, "error -32603"), ["error -32603: missing or mistyped parameters"]);
        assert_eq!(signature("a", sent, "{}", "a result"), ["It is wrong."]);
    }
}

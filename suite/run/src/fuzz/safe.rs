//! Messages that must not be sent: calls of tools that the safety policy forbids, however they are written.

use fuzz::Node;

use crate::ServerProfile;

/// The tools that must not be called.
#[derive(Clone, Debug)]
pub(super) struct Forbidden(Vec<String>);

impl Forbidden {
    pub(super) fn of(profile: &ServerProfile) -> Self {
        let names = profile.tools.iter().filter(|tool| !tool.callable).map(|tool| tool.name.trim().to_lowercase());
        Self(names.collect())
    }

    /// Whether nothing in the line could be taken for a call of such a tool. Readers differ in which of two members with
    /// one name counts, in letter case and white space: their name alone, wherever it stands, is too much.
    pub(super) fn lets_pass(&self, line: &[u8]) -> bool {
        if self.0.is_empty() {
            return true;
        }
        let text = String::from_utf8_lossy(line);
        match Node::read(&text) {
            Some(node) => {
                let mut clean = true;
                node.strings(&mut |found| clean &= !self.0.contains(&found.trim().to_lowercase()));
                clean
            }
            // Whoever reads this all the same reads it in a way of their own.
            None => !text.contains("call") && !text.contains("\\u"),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_of_forbidden_tools_never_pass_however_they_are_written() {
        let forbidden = Forbidden(vec!["delete_all".into()]);
        for line in [
            r#"{"method":"tools/call","params":{"name":"delete_all"}}"#,
            r#"{"method":"ping","method":"tools/call","params":{"name":"x","name":" Delete_All "}}"#,
            r#"[{"method":"tools/call","params":{"name":"\u0064elete_all"}}]"#,
            r#"{"method":"tools/call","params":{"name":"delete_all"}"#,
            r#"{"method":"tools/c\u0061ll","params":{"name":"delete_\u0061ll"}"#,
        ] {
            assert!(!forbidden.lets_pass(line.as_bytes()), "{line}");
        }
        assert!(forbidden.lets_pass(br#"{"method":"tools/call","params":{"name":"echo"}}"#));
        assert!(forbidden.lets_pass(br#"{"method":"ping""#));
    }
}

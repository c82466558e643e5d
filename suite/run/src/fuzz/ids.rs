//! Ids of one conversation made into ids that the session has not seen: many conversations share a session, and none may
//! reuse an id but by its own doing.

use fuzz::Node;

/// Numbers that are taken for ids of the conversation's own.
const OWN: i64 = 5_000;
/// How far apart the ids of two conversations are.
const APART: i64 = 10_000;

/// The line with its ids moved to those of the conversation with this number.
pub(super) fn renumbered(line: &[u8], number: i64) -> Vec<u8> {
    let Some(mut node) = std::str::from_utf8(line).ok().and_then(Node::read) else { return line.to_vec() };
    let base = APART * (number + 1);
    let changed = match &mut node {
        Node::Array(batch) => batch.iter_mut().map(|message| renumber(message, base)).fold(false, |any, one| any | one),
        message => renumber(message, base),
    };
    if changed { node.write().into_bytes() } else { line.to_vec() }
}

fn renumber(message: &mut Node, base: i64) -> bool {
    let cancels = matches!(message.member("method"), Some(Node::Text(name)) if name == "notifications/cancelled");
    let asks = message.member("method").is_some();
    let Node::Object(members) = message else { return false };
    let mut changed = false;
    for (name, value) in members.iter_mut() {
        if name == "id" && asks {
            changed |= moved(value, base);
        }
        if let (true, "params", Node::Object(params)) = (cancels, name.as_str(), value) {
            let ids = params.iter_mut().filter(|(name, _)| name == "requestId");
            changed |= ids.map(|(_, id)| moved(id, base)).fold(false, |any, one| any | one);
        }
    }
    changed
}

fn moved(id: &mut Node, base: i64) -> bool {
    let Node::Raw(raw) = id else { return false };
    let Some(number) = raw.parse::<i64>().ok().filter(|number| (0..OWN).contains(number)) else { return false };
    *raw = (base + number).to_string();
    true
}

#[cfg(test)]
mod tests {
    use super::*;

    fn of(line: &str) -> String {
        String::from_utf8(renumbered(line.as_bytes(), 1)).expect("text")
    }

    #[test]
    fn own_ids_move_together_and_odd_ones_stay() {
        assert_eq!(of(r#"{"id":7,"method":"m"}"#), r#"{"id":20007,"method":"m"}"#);
        assert_eq!(
            of(r#"{"method":"notifications/cancelled","params":{"requestId":7}}"#),
            r#"{"method":"notifications/cancelled","params":{"requestId":20007}}"#
        );
        for odd in [r#"{"id":"7", "method":"m"}"#, r#"{"id":-1,"method":"m"}"#, r#"{"id":7,"result":{}}"#, "{\"id\":7"]
        {
            assert_eq!(of(odd), odd);
        }
        assert_eq!(of(r#"[{"id":1,"id":2,"method":"m"}]"#), r#"[{"id":20001,"id":20002,"method":"m"}]"#);
    }
}

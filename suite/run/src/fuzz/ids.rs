//! Ids and progress tokens of one conversation made into ones that the session has not seen: many conversations share a
//! session, and none may reuse an id but by its own doing.

use fuzz::Node;

/// Numbers that are taken for ids of the conversation's own.
const OWN: i64 = 5_000;
/// Bytes from which on a text is odd rather than an id.
const LONG: usize = 64;
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

/// The line with this id, if it is one message with an id that nothing is odd about.
pub(super) fn numbered(line: &[u8], id: i64) -> Vec<u8> {
    let Some(mut node) = std::str::from_utf8(line).ok().and_then(Node::read) else { return line.to_vec() };
    let plain = matches!(node.member("id"), Some(Node::Raw(raw)) if raw.parse().is_ok_and(|id| (0..OWN).contains(&id)));
    if !plain || node.members("id").count() > 1 || node.member("method").is_none() {
        return line.to_vec();
    }
    node.set("id", Node::Raw(id.to_string()));
    token(&mut node, |token| {
        let plain = matches!(token, Node::Raw(raw) if raw.parse().is_ok_and(|number| (0..OWN).contains(&number)));
        if plain {
            *token = Node::Raw(id.to_string());
        }
        plain
    });
    node.write().into_bytes()
}

/// Whether the progress token of a message was changed.
fn token(message: &mut Node, change: impl FnOnce(&mut Node) -> bool) -> bool {
    let place = message.member_mut("params").and_then(|params| params.member_mut("_meta"));
    place.and_then(|meta| meta.member_mut("progressToken")).is_some_and(change)
}

fn renumber(message: &mut Node, base: i64) -> bool {
    let cancels = matches!(message.member("method"), Some(Node::Text(name)) if name == "notifications/cancelled");
    let asks = message.member("method").is_some();
    let mut changed = asks && token(message, |token| moved(token, base));
    let Node::Object(members) = message else { return changed };
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
    let own = |text: &str| text.parse::<i64>().ok().filter(|number| (0..OWN).contains(number));
    match id {
        Node::Raw(raw) => own(raw).map(|number| *raw = (base + number).to_string()).is_some(),
        // The number and its text stay alike. The first conversation keeps its texts: what is repeated alone is as it was.
        Node::Text(text) if base > APART && !text.is_empty() && text.len() < LONG => {
            *text = own(text).map_or_else(|| format!("{text}-{base}"), |number| (base + number).to_string());
            true
        }
        _ => false,
    }
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
        assert_eq!(of(r#"{"id":"7","method":"m"}"#), r#"{"id":"20007","method":"m"}"#);
        assert_eq!(of(r#"{"id":"a","method":"m"}"#), r#"{"id":"a-20000","method":"m"}"#);
        for odd in [r#"{"id":"", "method":"m"}"#, r#"{"id":-1,"method":"m"}"#, r#"{"id":7,"result":{}}"#, "{\"id\":7"] {
            assert_eq!(of(odd), odd);
        }
        assert_eq!(
            of(r#"{"id":7,"method":"m","params":{"_meta":{"progressToken":7}}}"#),
            r#"{"id":20007,"method":"m","params":{"_meta":{"progressToken":20007}}}"#
        );
        assert_eq!(of(r#"[{"id":1,"id":2,"method":"m"}]"#), r#"[{"id":20001,"id":20002,"method":"m"}]"#);
    }
}

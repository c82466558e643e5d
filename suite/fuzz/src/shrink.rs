//! Smaller conversations: without some of the messages, and with simpler messages.

use crate::Node;

/// Conversations without some of the lines, the shortest first: halves, quarters, single lines.
#[must_use]
pub fn fewer<T: Clone>(lines: &[T]) -> Vec<Vec<T>> {
    let mut made = Vec::new();
    let mut size = lines.len().div_ceil(2);
    while size > 0 && lines.len() > 1 {
        let mut from = 0;
        while from < lines.len() {
            let to = (from + size).min(lines.len());
            made.push([&lines[..from], &lines[to..]].concat());
            from = to;
        }
        if size == 1 {
            break;
        }
        size = size.div_ceil(2);
    }
    made.retain(|kept| !kept.is_empty());
    made
}

/// The line with one thing made simpler, what takes most away first.
#[must_use]
pub fn simpler(line: &[u8]) -> Vec<Vec<u8>> {
    let Some(node) = std::str::from_utf8(line).ok().and_then(Node::read) else { return shorter(line) };
    let mut made: Vec<Node> = Vec::new();
    for at in 0..node.count().min(200) {
        let mut probe = node.clone();
        let Some(place) = probe.nth(at) else { break };
        for change in changes(place) {
            let mut changed = node.clone();
            if let Some(place) = changed.nth(at) {
                *place = change;
                made.push(changed);
            }
        }
    }
    let mut texts: Vec<Vec<u8>> = made.into_iter().map(|node| node.write().into_bytes()).collect();
    texts.retain(|text| text.len() < line.len() || (text.len() == line.len() && text.as_slice() < line));
    texts.sort_by_key(Vec::len);
    texts.dedup();
    texts
}

fn changes(of: &Node) -> Vec<Node> {
    match of {
        Node::Raw(raw) if raw.len() > 1 && raw.parse::<f64>().is_ok() => vec![Node::Raw("0".into())],
        Node::Raw(_) => vec![],
        Node::Text(text) => {
            let letters: Vec<char> = text.chars().collect();
            let (half, most) = (letters.len() / 2, letters.len() - letters.len() / 16);
            let parts = [
                &letters[..half],
                &letters[half..],
                &letters[..half + half / 2],
                &letters[..most],
                &letters[..letters.len().saturating_sub(1)],
            ];
            parts
                .iter()
                .filter(|part| part.len() < letters.len())
                .map(|part| Node::Text(part.iter().collect()))
                .collect()
        }
        Node::Array(items) => {
            let mut made: Vec<Node> = fewer(items).into_iter().map(Node::Array).collect();
            made.push(Node::Array(Vec::new()));
            made.extend(inner(of));
            made
        }
        Node::Object(members) => {
            let mut made: Vec<Node> = fewer(members).into_iter().map(Node::Object).collect();
            made.push(Node::Object(Vec::new()));
            made.extend(inner(of));
            made
        }
    }
}

/// Nodes half as deep, three quarters as deep, and one level less deep, following the first values.
fn inner(of: &Node) -> Vec<Node> {
    let mut chain = vec![of];
    while let Some(next) = chain.last().and_then(|node| node.first()) {
        chain.push(next);
    }
    let last = chain.len() - 1;
    let mut levels = vec![last / 2, last / 4, last / 8, 1];
    levels.retain(|level| *level > 0 && *level < last);
    levels.dedup();
    levels.into_iter().map(|level| chain[level].clone()).collect()
}

/// Shorter versions of a line that cannot be read as JSON.
fn shorter(line: &[u8]) -> Vec<Vec<u8>> {
    fewer(&line.chunks(line.len().div_ceil(16).max(1)).collect::<Vec<_>>())
        .into_iter()
        .map(|parts| parts.concat())
        .collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Shrinks until nothing simpler is still wanted.
    fn least(line: &str, wanted: impl Fn(&[u8]) -> bool) -> String {
        let mut line = line.as_bytes().to_vec();
        while let Some(next) = simpler(&line).into_iter().find(|next| wanted(next)) {
            line = next;
        }
        String::from_utf8(line).expect("text")
    }

    #[test]
    fn what_does_not_matter_goes() {
        let line = r#"{"jsonrpc":"2.0","id":77,"method":"tools/call","params":{"name":"x","arguments":{"a":[1,2,{"boom":true}]}}}"#;
        let wanted = |line: &[u8]| String::from_utf8_lossy(line).contains("boom");
        assert_eq!(least(line, wanted), r#"{"boom":true}"#);
        assert_eq!(least("[[[[ boom", wanted), "boom");
    }

    #[test]
    fn nesting_is_brought_down_to_what_it_takes() {
        let line = format!(r#"{{"a":{}{}}}"#, "[".repeat(60), "]".repeat(60));
        let wanted = |line: &[u8]| line.iter().filter(|byte| **byte == b'[').count() >= 30;
        assert_eq!(least(&line, wanted), format!("{}{}", "[".repeat(30), "]".repeat(30)));
    }

    #[test]
    fn every_line_alone_is_left_out_once() {
        let kept = fewer(&[1, 2, 3, 4, 5]);
        assert!(kept.contains(&vec![4, 5]) && kept.contains(&vec![1, 2, 3, 4]) && kept.contains(&vec![2, 3, 4, 5]));
        assert!(fewer(&[1]).is_empty());
    }
}

//! Every odd value at every place of the messages, once: what chance alone comes upon only after a long time.

use std::collections::HashSet;

use crate::Node;

/// Lines that are made at most.
const MOST: usize = 20_000;
/// How deep something is nested: what readers still take, and what is beyond most of them.
const DEPTHS: [usize; 2] = [60, 3_000];
/// How long a text grows.
const LENGTHS: [usize; 2] = [300, 5_000];
/// Suffixes appended to a text.
const TAILS: [&str; 5] = ["%00", "%", "\0", "/../..", "\u{fffd}"];
/// Values of another type, or at the end of one.
const VALUES: [&str; 14] = [
    "null",
    "true",
    "-1",
    "1.5",
    "1e300",
    "2147483648",
    "9007199254740993",
    "-9223372036854775808",
    "\"\"",
    "\"a\"",
    "[]",
    "{}",
    "[[]]",
    "[{}]",
];
/// Members that an object does not expect.
const MEMBERS: [&str; 4] = ["__proto__", "constructor", "", "toString"];
/// Messages in one array.
const WIDTHS: [usize; 4] = [1, 2, 8, 64];

/// The lines with one thing odd: each oddity once for every place that a method, tool or prompt has.
#[must_use]
pub fn sweep<T: AsRef<[u8]>>(lines: impl IntoIterator<Item = T>) -> Vec<Vec<u8>> {
    let (mut seen, mut made) = (HashSet::new(), Vec::new());
    for line in lines {
        let Some(node) = std::str::from_utf8(line.as_ref()).ok().and_then(Node::read) else { continue };
        let Some(Node::Text(method)) = node.member("method") else { continue };
        let name = node.member("params").and_then(|params| params.member("name")).map(Node::write);
        let about = format!("{method} {}", name.unwrap_or_default());
        if seen.insert(about.clone()) {
            made.extend(WIDTHS.iter().map(|width| batch(&node, *width)));
        }
        for node in [enriched(&node), node] {
            if made.len() < MOST {
                places(&node, &about, &mut seen, &mut made);
            }
        }
    }
    made.truncate(MOST);
    made
}

/// With what every request may carry, so that it is tried everywhere.
fn enriched(node: &Node) -> Node {
    let mut node = node.clone();
    if node.member("id").is_none() {
        return node;
    }
    if node.member("params").is_none() {
        node.set("params", Node::Object(Vec::new()));
    }
    let lists = matches!(node.member("method"), Some(Node::Text(method)) if method.ends_with("/list"));
    let mut params = node.member("params").cloned().unwrap_or(Node::Object(Vec::new()));
    let mut meta = params.member("_meta").cloned().unwrap_or(Node::Object(Vec::new()));
    meta.set("progressToken", Node::Raw("7".to_owned()));
    params.set("_meta", meta);
    if lists {
        params.set("cursor", Node::Text("x".to_owned()));
    }
    node.set("params", params);
    node
}

fn batch(node: &Node, width: usize) -> Vec<u8> {
    let one = |id: usize| {
        let mut one = node.clone();
        if one.member("id").is_some() {
            one.set("id", Node::Raw((1 + id).to_string()));
        }
        one
    };
    Node::Array((0..width).map(one).collect()).write().into_bytes()
}

fn places(node: &Node, about: &str, seen: &mut HashSet<String>, made: &mut Vec<Vec<u8>>) {
    let mut paths = Vec::new();
    path(node, String::new(), &mut paths);
    for (at, path) in paths.iter().enumerate().skip(1) {
        if !seen.insert(format!("{about} {path}")) {
            continue;
        }
        let mut changed = node.clone();
        let Some(place) = changed.nth(at).map(|place| place.clone()) else { continue };
        for odd in oddities(&place) {
            let deep = matches!(&odd, Node::Raw(raw) if raw.len() > DEPTHS[1]);
            if deep && changed.member("id").is_some() && path != "/id" {
                // Nobody who sends it can read it to give it an id that is free.
                changed.set("id", Node::Text(format!("deep-{}", made.len())));
            }
            if let Some(place) = changed.nth(at) {
                *place = odd;
                made.push(changed.write().into_bytes());
            }
            changed = node.clone();
        }
    }
}

/// The paths of all values in the order of [`Node::nth`]; items of one array are one place.
fn path(node: &Node, here: String, out: &mut Vec<String>) {
    out.push(here.clone());
    match node {
        Node::Raw(_) | Node::Text(_) => {}
        Node::Array(items) => items.iter().for_each(|item| path(item, format!("{here}/*"), out)),
        Node::Object(members) => members.iter().for_each(|(name, value)| path(value, format!("{here}/{name}"), out)),
    }
}

fn oddities(place: &Node) -> Vec<Node> {
    let mut made: Vec<Node> = VALUES.iter().map(|value| Node::Raw((*value).to_owned())).collect();
    for depth in DEPTHS {
        made.push(Node::Raw(format!("{}1{}", "[".repeat(depth), "]".repeat(depth))));
        made.push(Node::Raw(format!("{}1{}", "{\"a\":".repeat(depth), "}".repeat(depth))));
    }
    match place {
        Node::Text(text) => {
            made.extend(TAILS.iter().map(|tail| Node::Text(format!("{text}{tail}"))));
            let start = if text.is_empty() { "x" } else { text.as_str() };
            made.extend(LENGTHS.iter().map(|length| Node::Text(start.repeat(length.div_ceil(start.len())))));
            made.push(Node::Text(text.to_uppercase()));
        }
        Node::Raw(raw) => made.push(Node::Text(raw.clone())),
        Node::Array(items) => {
            made.push(Node::Array(items.iter().cycle().take(items.len() * 500).cloned().collect()));
        }
        Node::Object(members) => made.extend(objects(members)),
    }
    made
}

fn objects(members: &[(String, Node)]) -> Vec<Node> {
    let with = |name: &str, value: Node| {
        let mut members = members.to_vec();
        members.push((name.to_owned(), value));
        Node::Object(members)
    };
    let plain = || Node::Raw("{\"x\":1}".to_owned());
    let mut made: Vec<Node> = MEMBERS.iter().map(|name| with(name, plain())).collect();
    made.push(with(&"x".repeat(5_000), plain()));
    for at in 0..members.len() {
        let mut without = members.to_vec();
        let (name, _) = without.remove(at);
        made.push(Node::Object(without));
        made.push(with(&name, Node::Raw("null".to_owned())));
    }
    made
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_place_gets_every_oddity_once() {
        let call = r#"{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"t","arguments":{"a":"b"}}}"#;
        let list = r#"{"jsonrpc":"2.0","id":2,"method":"resources/list","params":{}}"#;
        let made = sweep([call, call, list]);
        let texts: Vec<String> = made.iter().map(|line| String::from_utf8_lossy(line).into_owned()).collect();
        let alone: HashSet<&String> = texts.iter().collect();
        assert!(alone.len() * 10 > texts.len() * 9, "{} of {}", alone.len(), texts.len());
        let deep = format!(r#""_meta":{}1"#, "[".repeat(60));
        let long = format!(r#""cursor":"{}"#, "x".repeat(5_000));
        for part in [r#""a":"b%00""#, r#""__proto__":{"x":1}}"#, r#""progressToken":[]"#, r#""id":"a""#, &deep, &long] {
            assert!(texts.iter().any(|text| text.contains(part)), "{part}");
        }
        assert!(texts.iter().any(|text| text.starts_with('[') && text.matches("tools/call").count() == 8));
        assert!(made.iter().all(|line| !line.contains(&b'\n')));
    }
}

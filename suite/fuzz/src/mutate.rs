//! Mutation by structure: what is changed is a member, a type, an id, the order of messages, not a bit of the text.

use crate::words::{MEMBERS, METHODS, SCRAPS, VALUES};
use crate::{Chance, Node};

/// Donors that are kept.
const DONORS: usize = 4_000;
/// Messages of a conversation.
const LINES: usize = 40;
/// How deep something is nested; beyond, readers differ.
const DEPTHS: [usize; 6] = [8, 60, 127, 130, 1_000, 20_000];
/// How long a string grows.
const LENGTHS: [usize; 5] = [40, 300, 5_000, 70_000, 600_000];

/// Changes messages and conversations, with parts of others.
#[derive(Clone, Debug, Default)]
pub struct Mutator {
    donors: Vec<Node>,
    /// Bytes of a message above which nothing is made to grow.
    room: usize,
}

impl Mutator {
    /// A mutator that takes parts from these lines.
    #[must_use]
    pub fn new<T: AsRef<[u8]>>(lines: impl IntoIterator<Item = T>) -> Self {
        let mut mutator = Self { donors: Vec::new(), room: 1 << 20 };
        lines.into_iter().for_each(|line| mutator.learn(line.as_ref()));
        mutator
    }

    /// One that makes no message grow beyond this.
    #[must_use]
    pub fn within(mut self, bytes: usize) -> Self {
        self.room = bytes;
        self
    }

    /// Takes parts from this line too.
    pub fn learn(&mut self, line: &[u8]) {
        if self.donors.len() < DONORS
            && line.len() < 16 << 10
            && let Some(node) = std::str::from_utf8(line).ok().and_then(Node::read)
        {
            self.donors.push(node);
        }
    }

    /// The conversation with something changed.
    #[must_use]
    pub fn conversation(&self, lines: &[Vec<u8>], chance: &mut Chance) -> Vec<Vec<u8>> {
        let mut lines = lines.to_vec();
        for _ in 0..=chance.below(3) {
            self.rearrange(&mut lines, chance);
        }
        lines.truncate(LINES);
        lines
    }

    fn rearrange(&self, lines: &mut Vec<Vec<u8>>, chance: &mut Chance) {
        let at = chance.below(lines.len());
        if lines.is_empty() || chance.one_in(8) {
            if let Some(donor) = chance.pick(&self.donors) {
                lines.insert(at, donor.write().into_bytes());
            }
            return;
        }
        match chance.below(12) {
            0 if lines.len() > 1 => drop(lines.remove(at)),
            1 => {
                let other = chance.below(lines.len());
                lines.swap(at, other);
            }
            2 => {
                let most = if chance.one_in(4) { 24 } else { 3 };
                let times = 1 + chance.below(most);
                let line = lines[at].clone();
                (0..times).for_each(|_| lines.insert(at, line.clone()));
            }
            3 => {
                let batch = lines.iter().map(|line| String::from_utf8_lossy(line).into_owned()).collect::<Vec<_>>();
                *lines = vec![format!("[{}]", batch.join(",")).into_bytes()];
            }
            _ => lines[at] = self.message(&lines[at], chance),
        }
    }

    /// The message with one to a few things changed.
    #[must_use]
    pub fn message(&self, line: &[u8], chance: &mut Chance) -> Vec<u8> {
        if chance.one_in(14) {
            return damaged(line, chance);
        }
        let read = std::str::from_utf8(line).ok().and_then(Node::read);
        let Some(mut node) = read.or_else(|| chance.pick(&self.donors).cloned()) else { return damaged(line, chance) };
        let room = self.room.saturating_sub(line.len());
        for _ in 0..=chance.below(3) {
            self.change(&mut node, room, chance);
        }
        node.write().into_bytes()
    }

    fn change(&self, node: &mut Node, room: usize, chance: &mut Chance) {
        if chance.one_in(10) {
            return whole(node, chance);
        }
        let at = chance.below(node.count());
        let donor = self.part(chance);
        let Some(place) = node.nth(at) else { return };
        match (chance.below(10), &mut *place) {
            (0, _) => *place = value(chance),
            (1, _) => *place = donor,
            (2, _) => *place = other_type(place, room, chance),
            (3, Node::Text(text)) => grow(text, room, chance),
            (3..=4, Node::Text(text)) => *place = Node::Text(self.within_text(text, chance)),
            (3..=4, Node::Raw(raw)) => *raw = number(raw, chance),
            (_, Node::Object(members)) => objects(members, donor, chance),
            (_, Node::Array(items)) => arrays(items, donor, chance),
            _ => *place = value(chance),
        }
    }

    /// A part of some other message.
    fn part(&self, chance: &mut Chance) -> Node {
        let Some(mut donor) = chance.pick(&self.donors).cloned() else { return value(chance) };
        let at = chance.below(donor.count());
        donor.nth(at).cloned().unwrap_or_else(|| value(chance))
    }

    /// A string may hold a message itself, or be a word of the protocol.
    fn within_text(&self, text: &str, chance: &mut Chance) -> String {
        if let Some(mut inner @ (Node::Object(_) | Node::Array(_))) = Node::read(text) {
            self.change(&mut inner, 1 << 10, chance);
            return inner.write();
        }
        let word =
            |words: &[&str], chance: &mut Chance| chance.pick(words).map_or(String::new(), |word| (*word).to_owned());
        match chance.below(4) {
            0 => word(&METHODS, chance),
            1 => word(&MEMBERS, chance),
            2 => text.chars().rev().collect(),
            _ => format!("{text}\u{0}"),
        }
    }
}

fn value(chance: &mut Chance) -> Node {
    let from = if chance.one_in(30) { &SCRAPS[..] } else { &VALUES[..] };
    Node::Raw(chance.pick(from).map_or("null", |word| word).to_owned())
}

/// Changes that only make sense for a message.
fn whole(node: &mut Node, chance: &mut Chance) {
    match chance.below(6) {
        0 => node.set("method", Node::Text(chance.pick(&METHODS).map_or("", |word| word).to_owned())),
        1 => node.set("id", value(chance)),
        2 => node.set("params", value(chance)),
        3 => {
            if let Node::Object(members) = node {
                members.retain(|(name, _)| name != "id");
            }
        }
        4 => *node = Node::Array(vec![node.clone()]),
        _ => {
            if let Node::Object(members) = node {
                members.push(("id".to_owned(), value(chance)));
            }
        }
    }
}

fn objects(members: &mut Vec<(String, Node)>, donor: Node, chance: &mut Chance) {
    let at = chance.below(members.len());
    let name = || MEMBERS.iter().map(|word| (*word).to_owned()).collect::<Vec<_>>();
    match chance.below(6) {
        0 | 1 if !members.is_empty() => drop(members.remove(at)),
        2 if !members.is_empty() => members.push((members[at].0.clone(), donor)),
        3 if !members.is_empty() => members[at].0 = chance.pick(&name()).cloned().unwrap_or_default(),
        4 if members.len() > 1 => {
            let other = chance.below(members.len());
            let (name, next) = (members[at].0.clone(), members[other].0.clone());
            (members[at].0, members[other].0) = (next, name);
        }
        _ => members.insert(at, (chance.pick(&name()).cloned().unwrap_or_default(), donor)),
    }
}

fn arrays(items: &mut Vec<Node>, donor: Node, chance: &mut Chance) {
    let at = chance.below(items.len());
    match chance.below(4) {
        0 if !items.is_empty() => drop(items.remove(at)),
        1 if !items.is_empty() => {
            let times = [1, 2, 40, 300][chance.below(4)];
            let item = items[at].clone();
            (0..times).for_each(|_| items.push(item.clone()));
        }
        2 if items.len() > 1 => {
            let other = chance.below(items.len());
            items.swap(at, other);
        }
        _ => items.insert(at, donor),
    }
}

fn other_type(node: &Node, room: usize, chance: &mut Chance) -> Node {
    match chance.below(5) {
        0 => Node::Text(node.write()),
        1 => Node::Array(vec![node.clone()]),
        2 => Node::Object(vec![("value".to_owned(), node.clone())]),
        3 => deep(room, chance),
        _ => value(chance),
    }
}

fn deep(room: usize, chance: &mut Chance) -> Node {
    let (open, close) = if chance.one_in(2) { ("[", "]") } else { ("{\"a\":", "}") };
    let depth = chance.pick(&DEPTHS).copied().unwrap_or(8).min(room / 8);
    Node::Raw(format!("{}1{}", open.repeat(depth), close.repeat(depth)))
}

fn grow(text: &mut String, room: usize, chance: &mut Chance) {
    let length = chance.pick(&LENGTHS).copied().unwrap_or(40);
    let length = if chance.one_in(3) { length } else { length.min(5_000) };
    if text.is_empty() {
        text.push('x');
    }
    let times = length.min(room) / text.len();
    *text = text.repeat(times.max(1));
}

fn number(raw: &str, chance: &mut Chance) -> String {
    let Ok(number) = raw.parse::<i64>() else { return value(chance).write() };
    let by = [1, -1, 256, 65_536, 1 << 31, 1 << 53][chance.below(6)];
    number.wrapping_add(by).to_string()
}

/// Bytes that are no message any more.
fn damaged(line: &[u8], chance: &mut Chance) -> Vec<u8> {
    let mut bytes = line.to_vec();
    let at = chance.below(bytes.len());
    match chance.below(6) {
        0 => bytes.truncate(at),
        1 if !bytes.is_empty() => bytes[at] ^= 1 << chance.below(7),
        2 if !bytes.is_empty() => drop(bytes.remove(at)),
        3 => {
            let odd: [&[u8]; 6] = [b"\xff", b"\xc0\xaf", b"\xed\xa0\x80", b"\0", b"\r", b"\xef\xbb\xbf"];
            bytes.splice(at..at, odd[chance.below(odd.len())].iter().copied());
        }
        4 => bytes.splice(at..at, SCRAPS[chance.below(SCRAPS.len())].bytes()).for_each(drop),
        _ => {
            let to = at + chance.below(bytes.len() - at);
            let part = bytes[at..to].to_vec();
            bytes.extend(part);
        }
    }
    bytes.retain(|byte| *byte != b'\n');
    bytes
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::messages;
    use verdict::Revision;

    #[test]
    fn the_same_seed_makes_the_same_and_another_something_else() {
        let lines: Vec<Vec<u8>> = messages(Revision::V2025_11_25).into_iter().map(String::into_bytes).collect();
        let mutator = Mutator::new(&lines);
        let made = |seed| {
            let mut chance = Chance::new(seed);
            (0..200).map(|_| mutator.conversation(&lines[..3], &mut chance)).collect::<Vec<_>>()
        };
        assert_eq!(made(1), made(1));
        assert_ne!(made(1), made(2));
        assert!(made(1).concat().iter().all(|line| !line.contains(&b'\n')));
    }

    #[test]
    fn most_of_what_it_makes_is_json_still_and_some_is_not() {
        let lines: Vec<Vec<u8>> = messages(Revision::V2025_11_25).into_iter().map(String::into_bytes).collect();
        let mutator = Mutator::new(&lines).within(10_000);
        let mut chance = Chance::new(7);
        let made: Vec<Vec<u8>> = (0..1_000).map(|at| mutator.message(&lines[at % lines.len()], &mut chance)).collect();
        let read = made.iter().filter(|line| serde_json::from_slice::<serde_json::Value>(line).is_ok()).count();
        assert!((700..980).contains(&read), "{read} of 1000");
        let repeated = made.iter().filter(|line| wire::parse(line, &wire::Limits::default()).repeats()).count();
        assert!(repeated > 20, "{repeated} with a name twice");
        assert!(made.iter().all(|line| line.len() < 20_000));
    }
}

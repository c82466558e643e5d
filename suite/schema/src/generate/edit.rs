//! Small changes that may make an instance simpler, the boldest first.

use serde_json::{Map, Number, Value, json};

use super::shape::equal;

/// Edits of one round.
const MOST: usize = 4_000;
/// Values of one instance that edits are made for.
const PLACES: usize = 400;
/// Characters of one string that are edited one by one.
const LETTERS: usize = 64;

/// A change at one place.
#[derive(Clone, Debug)]
pub(super) struct Edit {
    pointer: String,
    change: Change,
}

#[derive(Clone, Debug)]
enum Change {
    To(Value),
    /// Leaves these members or items out: from an index, so many.
    Without(usize, usize),
    /// Puts a member or an item in the place of the whole.
    Hoist(usize),
    Rename(usize, &'static str),
    /// Swaps an item with the next.
    Swap(usize),
    /// Every item equal to that at an index.
    All(usize, Value),
    /// A number at a place of every item equal to that at an index, written there as the old one is.
    Alike(usize, String, Number),
}

/// The edits of an instance; `hints` are values that the schema itself speaks of.
pub(super) fn edits(instance: &Value, hints: &[Value]) -> Vec<Edit> {
    let mut places = Vec::new();
    collect(instance, String::new(), &mut places);
    let mut bold = Vec::new();
    let mut fine = Vec::new();
    for (pointer, value) in places {
        let edit = |change| Edit { pointer: pointer.clone(), change };
        bold.extend(smaller(value).into_iter().map(edit));
        bold.extend(simple(value, hints).into_iter().map(Change::To).map(edit));
        fine.extend(finer(value, hints).into_iter().map(edit));
    }
    bold.extend(fine);
    bold.truncate(MOST);
    bold
}

fn collect<'v>(value: &'v Value, pointer: String, found: &mut Vec<(String, &'v Value)>) {
    if found.len() >= PLACES {
        return;
    }
    let below: Vec<(String, &Value)> = match value {
        Value::Object(members) => {
            let escape = |name: &str| name.replace('~', "~0").replace('/', "~1");
            members.iter().map(|(name, value)| (format!("{pointer}/{}", escape(name)), value)).collect()
        }
        Value::Array(items) => items.iter().enumerate().map(|(at, item)| (format!("{pointer}/{at}"), item)).collect(),
        _ => Vec::new(),
    };
    found.push((pointer, value));
    for (pointer, value) in below {
        collect(value, pointer, found);
    }
}

/// Leaves parts out: all, halves, one by one.
fn smaller(value: &Value) -> Vec<Change> {
    let count = match value {
        Value::Object(members) => members.len(),
        Value::Array(items) => items.len(),
        _ => return Vec::new(),
    };
    let mut changes = Vec::new();
    let mut size = count;
    while size > 0 {
        changes.extend((0..count).step_by(size).map(|from| Change::Without(from, size)));
        size /= 2;
    }
    changes.extend((0..count).map(Change::Hoist));
    changes
}

/// The simplest values of all, and those of the schema.
fn simple(value: &Value, hints: &[Value]) -> Vec<Value> {
    let atoms = [json!(null), json!(false), json!(0), json!(""), json!([]), json!({})];
    let same_kind = |hint: &&Value| std::mem::discriminant(*hint) == std::mem::discriminant(value);
    let hinted = hints.iter().filter(same_kind).cloned();
    atoms.into_iter().chain(hinted).filter(|other| other != value).collect()
}

fn finer(value: &Value, hints: &[Value]) -> Vec<Change> {
    match value {
        Value::Bool(true) => vec![Change::To(Value::Bool(false))],
        Value::Number(number) => {
            lower(number, hints).into_iter().map(|number| Change::To(Value::Number(number))).collect()
        }
        Value::String(text) => shorter(text).into_iter().map(|text| Change::To(Value::String(text))).collect(),
        Value::Object(members) => {
            let names = |at| ["a", "b", "c", "d", "A"].map(|name| Change::Rename(at, name));
            (0..members.len()).flat_map(names).collect()
        }
        Value::Array(items) => {
            let swaps = (1..items.len().min(20)).map(|at| Change::Swap(at - 1));
            repeated(items, hints).into_iter().chain(inside(items, hints)).chain(swaps).collect()
        }
        _ => Vec::new(),
    }
}

/// Items that stand there twice are made simpler together.
fn repeated(items: &[Value], hints: &[Value]) -> Vec<Change> {
    let is_repeated = |at: &usize| items[at + 1..].iter().any(|other| equal(other, &items[*at]));
    let repeated = (0..items.len()).filter(is_repeated).take(20);
    repeated.flat_map(|at| simple(&items[at], hints).into_iter().map(move |value| Change::All(at, value))).collect()
}

/// Numbers inside of items that stand there twice, whatever the order of their members.
fn inside(items: &[Value], hints: &[Value]) -> Vec<Change> {
    let is_repeated = |at: &usize| items[at + 1..].iter().any(|other| equal(other, &items[*at]));
    let mut changes = Vec::new();
    for at in (0..items.len()).filter(is_repeated).take(4) {
        let mut places = Vec::new();
        collect(&items[at], String::new(), &mut places);
        for (pointer, number) in places.into_iter().filter_map(|(pointer, value)| Some((pointer, value.as_number()?))) {
            let all = std::iter::once(Number::from(0)).chain(lower(number, hints)).take(12);
            changes.extend(all.map(|other| Change::Alike(at, pointer.clone(), other)));
        }
    }
    changes
}

/// Numbers nearer to zero.
fn lower(number: &Number, hints: &[Value]) -> Vec<Number> {
    let mut found = Vec::new();
    if let Some(whole) = number.as_i128() {
        // Where programs have their own bounds.
        let bounds = [7, 8, 15, 16, 31, 32, 53, 63].map(|bits| 1_i128 << bits).into_iter();
        let bounds = bounds.filter(|bound| *bound < whole.abs()).map(|bound| bound * whole.signum());
        found.extend(bounds.filter_map(from_whole));
        let mut gap = whole;
        while gap != 0 {
            gap /= 2;
            found.extend(from_whole(whole - gap.max(i128::from(whole > 0 && gap == 0))));
        }
        found.extend(from_whole(-whole));
        let steps = hints.iter().filter_map(|hint| hint.as_number()?.as_i128()).filter(|step| *step > 0);
        for step in steps.take(8) {
            found.extend(
                [64, 16, 4, 1].into_iter().filter_map(|times| from_whole(whole - whole.signum() * step * times)),
            );
        }
        found.extend(from_whole(whole - whole.signum()));
    } else if let Some(float) = number.as_f64() {
        let whole = [float.trunc(), float.ceil(), (float / 2.0).trunc(), float / 2.0, (float * 10.0).trunc() / 10.0];
        found.extend(whole.into_iter().filter_map(from_whole_float));
        found.extend(whole.into_iter().chain([-float]).filter_map(Number::from_f64));
    }
    found
}

fn from_whole(whole: i128) -> Option<Number> {
    let small = i64::try_from(whole).map(Number::from).ok();
    small.or_else(|| u64::try_from(whole).map(Number::from).ok())
}

fn from_whole_float(float: f64) -> Option<Number> {
    (float.fract() == 0.0 && float.abs() < 9e15).then(|| format!("{float:.0}").parse::<i64>().ok().map(Number::from))?
}

/// Shorter and plainer texts.
fn shorter(text: &str) -> Vec<String> {
    let letters: Vec<char> = text.chars().collect();
    let mut found = Vec::new();
    let without = |from: usize, count: usize| -> String {
        letters[..from].iter().chain(&letters[(from + count).min(letters.len())..]).collect()
    };
    let mut size = letters.len() / 2;
    while size > 0 {
        let starts = (0..letters.len()).step_by(size).take(LETTERS);
        found.extend(starts.map(|from| without(from, size)));
        size /= 2;
    }
    // Capitals stay capitals, and what is beyond ASCII stays there, if they must.
    let rare = [('A', letters.iter().any(char::is_ascii_uppercase)), ('\u{e9}', !text.is_ascii())];
    let rare = rare.into_iter().filter(|(_, is_there)| *is_there).map(|(plain, _)| plain);
    for plain in ['a', '0'].into_iter().chain(rare) {
        found.push(letters.iter().map(|_| plain).collect());
        found.extend((0..letters.len().min(LETTERS)).map(|at| {
            letters.iter().enumerate().map(|(index, letter)| if index == at { plain } else { *letter }).collect()
        }));
    }
    found
}

impl Edit {
    /// The edited instance.
    pub(super) fn apply(&self, instance: &Value) -> Option<Value> {
        let mut edited = instance.clone();
        let place = edited.pointer_mut(&self.pointer)?;
        *place = self.change.apply(place)?;
        Some(edited)
    }
}

impl Change {
    fn apply(&self, value: &Value) -> Option<Value> {
        match (self, value) {
            (Self::To(other), _) => Some(other.clone()),
            (Self::Without(from, count), Value::Object(members)) => {
                let kept = members.iter().enumerate().filter(|(at, _)| at < from || *at >= from + count);
                Some(Value::Object(kept.map(|(_, (name, value))| (name.clone(), value.clone())).collect()))
            }
            (Self::Without(from, count), Value::Array(items)) => {
                let kept = items.iter().enumerate().filter(|(at, _)| at < from || *at >= from + count);
                Some(Value::Array(kept.map(|(_, item)| item.clone()).collect()))
            }
            (Self::Hoist(at), Value::Object(members)) => members.values().nth(*at).cloned(),
            (Self::Hoist(at), Value::Array(items)) => items.get(*at).cloned(),
            (Self::Rename(at, name), Value::Object(members)) => rename(members, *at, name),
            (Self::Swap(at), Value::Array(items)) if at + 1 < items.len() => {
                let mut swapped = items.clone();
                swapped.swap(*at, at + 1);
                Some(Value::Array(swapped))
            }
            (Self::All(at, other), Value::Array(items)) => {
                let old = items.get(*at)?;
                let change = |item: &Value| if equal(item, old) { other.clone() } else { item.clone() };
                Some(Value::Array(items.iter().map(change).collect()))
            }
            (Self::Alike(at, pointer, number), Value::Array(items)) => {
                let old = items.get(*at)?;
                let change = |item: &Value| if equal(item, old) { alike(item, pointer, number) } else { item.clone() };
                Some(Value::Array(items.iter().map(change).collect()))
            }
            _ => None,
        }
    }
}

/// An item with another number at a place: a float where there was one.
fn alike(item: &Value, pointer: &str, number: &Number) -> Value {
    let mut changed = item.clone();
    if let Some(slot) = changed.pointer_mut(pointer) {
        let float = number.as_f64().filter(|_| slot.is_f64()).and_then(Number::from_f64);
        *slot = Value::Number(float.unwrap_or_else(|| number.clone()));
    }
    changed
}

fn rename(members: &Map<String, Value>, at: usize, name: &str) -> Option<Value> {
    if members.contains_key(name) {
        return None;
    }
    let renamed = members
        .iter()
        .enumerate()
        .map(|(index, (old, value))| (if index == at { name.to_owned() } else { old.clone() }, value.clone()));
    Some(Value::Object(renamed.collect()))
}

//! The closed list of probes: `probes/*.toml`, one file per area with the intents, and `keys.toml` with the keys.

use std::collections::{HashMap, HashSet};
use std::fmt::Write as _;
use std::path::Path;

use toml::{Table, Value};

use crate::tables::{area, check_keys, read, strings, text};

/// Returns the enums and tables as Rust code.
pub(crate) fn generate(files: &[impl AsRef<Path>]) -> String {
    let (keys, areas): (Vec<&Path>, Vec<&Path>) =
        files.iter().map(AsRef::as_ref).partition(|file: &&Path| area(file) == "keys");
    let keys = read(keys.first().expect("probes/keys.toml"));
    let keys = Keys::new(entries(&keys, "key"));
    let mut intents = Intents::default();
    for file in areas {
        intents.read(area(file), &read(file), &keys);
    }
    keys.finish() + &intents.finish()
}

/// The name in a transcript, and the variant that stands for it.
fn variant(name: &str) -> String {
    let is_name =
        |name: &str| name.bytes().all(|byte| byte.is_ascii_lowercase() || byte.is_ascii_digit() || byte == b'-');
    assert!(!name.is_empty() && is_name(name), "`{name}`: a name has lower-case letters, digits and hyphens");
    let upper = |word: &str| word[..1].to_ascii_uppercase() + &word[1..];
    name.split('-').map(upper).collect()
}

/// The text on one line.
fn meaning(entry: &Table) -> String {
    let meaning = text(entry, "meaning").split_whitespace().collect::<Vec<_>>().join(" ");
    assert!(meaning.ends_with('.'), "{meaning}: a meaning is sentences");
    meaning
}

fn is_background(entry: &Table) -> bool {
    entry.get("background").is_some_and(|value| value.as_bool().expect("background is true or false"))
}

fn entries<'a>(table: &'a Table, name: &str) -> &'a [Value] {
    table.get(name).and_then(Value::as_array).unwrap_or_else(|| panic!("no [[{name}]]"))
}

/// The keys, in the order of the file.
struct Keys {
    variants: HashMap<String, String>,
    declared: String,
    rows: String,
}

impl Keys {
    fn new(entries: &[Value]) -> Self {
        let mut keys = Self { variants: HashMap::new(), declared: String::new(), rows: String::new() };
        for entry in entries {
            keys.add(entry.as_table().expect("entries are tables"));
        }
        keys
    }

    fn add(&mut self, entry: &Table) {
        let name = text(entry, "name");
        check_keys(name, entry, &["name", "types", "background", "meaning"]);
        let (variant, meaning) = (variant(name), meaning(entry));
        let types: String =
            strings(entry, "types").iter().map(|kind| format!("KeyType::{},", self::variant(kind))).collect();
        assert!(!types.is_empty(), "{name}: no types");
        let _ = writeln!(self.declared, "#[doc = {meaning:?}]\n{variant},");
        let background = is_background(entry);
        let _ = writeln!(
            self.rows,
            "KeyRow {{ name: {name:?}, types: &[{types}], background: {background}, meaning: {meaning:?} }},"
        );
        assert!(self.variants.insert(name.to_owned(), variant).is_none(), "{name}: declared twice");
    }

    /// Returns the keys of these names as code.
    fn list(&self, of: &str, names: &[String]) -> String {
        let find = |name: &String| self.variants.get(name).unwrap_or_else(|| panic!("{of}: no key is named {name}"));
        names.iter().map(|name| format!("Key::{},", find(name))).collect()
    }

    fn finish(self) -> String {
        format!(
            "/// A key of `about`, see [`crate::transcript::Probe`].\n\
             #[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]\npub enum Key {{\n{}}}\n\
             pub(super) const KEY_ROWS: &[KeyRow] = &[\n{}];\n{}",
            self.declared,
            self.rows,
            all("Key", "keys, in alphabetical order", &self.declared)
        )
    }
}

/// Returns the list of an enum's variants, whose declarations are given.
fn all(name: &str, noun: &str, declared: &str) -> String {
    let variants: String =
        declared.lines().filter(|line| !line.starts_with('#')).map(|line| format!("Self::{line}")).collect();
    format!("impl {name} {{\n/// All {noun}.\npub const ALL: &[Self] = &[{variants}];\n}}\n")
}

#[derive(Default)]
struct Intents {
    names: HashSet<String>,
    declared: String,
    rows: String,
    areas: String,
}

impl Intents {
    fn read(&mut self, area: &str, table: &Table, keys: &Keys) {
        check_keys(area, table, &["title", "intent"]);
        let mut variants = String::new();
        for entry in entries(table, "intent") {
            let variant = self.add(area, entry.as_table().expect("entries are tables"), keys);
            let _ = write!(variants, "Intent::{variant},");
        }
        let title = text(table, "title");
        let _ = writeln!(self.areas, "Self {{ name: {area:?}, title: {title:?}, intents: &[{variants}] }},");
    }

    fn add(&mut self, area: &str, entry: &Table, keys: &Keys) -> String {
        let name = text(entry, "name");
        check_keys(name, entry, &["name", "needs", "may", "background", "meaning"]);
        assert!(self.names.insert(name.to_owned()) && name != "unknown", "{name}: declared twice");
        let (variant, meaning) = (variant(name), meaning(entry));
        let (needs, may) = (strings(entry, "needs"), strings(entry, "may"));
        assert!(!may.iter().any(|key| needs.contains(key)), "{name}: a key is both needed and optional");
        let _ = writeln!(self.declared, "#[doc = {meaning:?}]\n{variant},");
        let _ = writeln!(
            self.rows,
            "IntentRow {{ name: {name:?}, area: {area:?}, meaning: {meaning:?}, needs: &[{}], may: &[{}], background: {} }},",
            keys.list(name, &needs),
            keys.list(name, &may),
            is_background(entry)
        );
        variant
    }

    fn finish(self) -> String {
        format!(
            "/// The meaning of a probe. Rules look for it; its name in a transcript never changes.\n\
             #[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]\npub enum Intent {{\n{}\
             /// A name that is not in the tables: of a later version, perhaps. No rule looks for it.\nUnknown,\n}}\n\
             /// In the order of the variants.\npub(super) const INTENT_ROWS: &[IntentRow] = &[\n{}];\n{}\
             impl Area {{\n/// All areas.\npub const ALL: &[Self] = &[\n{}];\n}}\n",
            self.declared,
            self.rows,
            all("Intent", "intents of the tables", &self.declared),
            self.areas
        )
    }
}

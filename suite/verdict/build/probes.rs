//! The closed list of probes: `probes/*.toml`, one file per area with the intents, and `keys.toml` with the keys.

use std::collections::{HashMap, HashSet};
use std::fmt::Write as _;
use std::path::Path;

use toml::{Table, Value};

use crate::tables::{area, check_keys, optional, read, strings, text};

/// The enums and tables as Rust code.
pub(crate) struct Generated {
    /// Intents and keys.
    pub(crate) tables: String,
    /// The values of keys that rules compare.
    pub(crate) values: String,
}

/// Reads the files and returns the code.
pub(crate) fn generate(files: &[impl AsRef<Path>]) -> Generated {
    let (keys, areas): (Vec<&Path>, Vec<&Path>) =
        files.iter().map(AsRef::as_ref).partition(|file: &&Path| area(file) == "keys");
    let keys = read(keys.first().expect("probes/keys.toml"));
    let keys = Keys::new(entries(&keys, "key"));
    let mut intents = Intents::default();
    for file in areas {
        intents.read(area(file), &read(file), &keys);
    }
    let (keys, values) = keys.finish();
    Generated { tables: keys + &intents.finish(), values }
}

/// The name in a transcript, and the variant that stands for it.
fn variant(name: &str) -> String {
    let is_name =
        |name: &str| name.bytes().all(|byte| byte.is_ascii_lowercase() || byte.is_ascii_digit() || byte == b'-');
    assert!(!name.is_empty() && is_name(name), "`{name}`: a name has lower-case letters, digits and hyphens");
    let upper = |word: &str| word[..1].to_ascii_uppercase() + &word[1..];
    name.split('-').map(upper).collect()
}

/// The variant that stands for a value: `tools/list` is `ToolsList`, and `GET` is `Get`.
fn value_variant(value: &str) -> String {
    let words = value.split(|letter: char| !letter.is_ascii_alphanumeric()).filter(|word| !word.is_empty());
    let variant: String = words.map(|word| word[..1].to_ascii_uppercase() + &word[1..].to_ascii_lowercase()).collect();
    assert!(
        variant.starts_with(|letter: char| letter.is_ascii_alphabetic()),
        "`{value}`: a value begins with a letter"
    );
    variant
}

/// The text on one line.
fn meaning(entry: &Table) -> String {
    let meaning = text(entry, "meaning").split_whitespace().collect::<Vec<_>>().join(" ");
    assert!(meaning.ends_with('.'), "{meaning}: a meaning is sentences");
    meaning
}

fn flag(entry: &Table, name: &str) -> bool {
    entry.get(name).is_some_and(|value| value.as_bool().expect("flags are true or false"))
}

fn entries<'a>(table: &'a Table, name: &str) -> &'a [Value] {
    table.get(name).and_then(Value::as_array).unwrap_or_else(|| panic!("no [[{name}]]"))
}

/// The keys, in the order of the file.
struct Keys {
    variants: HashMap<String, String>,
    declared: String,
    rows: String,
    values: String,
    value_rows: String,
}

impl Keys {
    fn new(entries: &[Value]) -> Self {
        let mut keys = Self {
            variants: HashMap::new(),
            declared: String::new(),
            rows: String::new(),
            values: String::new(),
            value_rows: String::new(),
        };
        for entry in entries {
            keys.add(entry.as_table().expect("entries are tables"));
        }
        keys
    }

    fn add(&mut self, entry: &Table) {
        let name = text(entry, "name");
        check_keys(name, entry, &["name", "types", "background", "meaning", "values", "open"]);
        let (variant, meaning) = (variant(name), meaning(entry));
        let types: String =
            strings(entry, "types").iter().map(|kind| format!("KeyType::{},", self::variant(kind))).collect();
        assert!(!types.is_empty(), "{name}: no types");
        let _ = writeln!(self.declared, "#[doc = {meaning:?}]\n{variant},");
        let (background, values) = (flag(entry, "background"), strings(entry, "values"));
        let allowed = if flag(entry, "open") { &[][..] } else { &values };
        let _ = writeln!(
            self.rows,
            "KeyRow {{ name: {name:?}, types: &[{types}], background: {background}, meaning: {meaning:?}, allowed: &{allowed:?} }},"
        );
        if !values.is_empty() {
            self.add_values(name, &variant, &values);
        }
        assert!(self.variants.insert(name.to_owned(), variant).is_none(), "{name}: declared twice");
    }

    /// Adds the enum of a key's values.
    fn add_values(&mut self, name: &str, key: &str, values: &[String]) {
        let variants: Vec<String> = values.iter().map(|value| value_variant(value)).collect();
        let distinct: HashSet<&String> = variants.iter().collect();
        assert_eq!(distinct.len(), variants.len(), "{name}: two values have one variant");
        let pairs = || variants.iter().zip(values);
        for (variant, value) in pairs() {
            let _ = writeln!(self.value_rows, "(Key::{key}, \"{key}::{variant}\", {value:?}),");
        }
        let declared: String = pairs().map(|(variant, value)| format!("/// `{value}`\n{variant},\n")).collect();
        let list: String = variants.iter().map(|variant| format!("Self::{variant},")).collect();
        let names: String = pairs().map(|(variant, value)| format!("Self::{variant} => {value:?},\n")).collect();
        let _ = write!(
            self.values,
            "/// A value of [`Key::{key}`] that rules compare.\n\
             #[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]\npub enum {key} {{\n{declared}}}\n\
             impl KeyValue for {key} {{\nconst KEY: Key = Key::{key};\nconst ALL: &'static [Self] = &[{list}];\n\
             fn name(self) -> &'static str {{\nmatch self {{\n{names}}}\n}}\n}}\n\
             impl Serialize for {key} {{\n\
             fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {{\n\
             serializer.serialize_str(self.name())\n}}\n}}\n\
             impl std::fmt::Display for {key} {{\n\
             fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {{\nf.write_str(self.name())\n}}\n}}\n"
        );
    }

    /// Returns the keys of these names as code.
    fn list(&self, of: &str, names: &[String]) -> String {
        let find = |name: &String| self.variants.get(name).unwrap_or_else(|| panic!("{of}: no key is named {name}"));
        names.iter().map(|name| format!("Key::{},", find(name))).collect()
    }

    /// Returns the code of the keys and that of their values.
    fn finish(self) -> (String, String) {
        let keys = format!(
            "/// A key of `about`, see [`crate::transcript::Probe`].\n\
             #[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]\npub enum Key {{\n{}}}\n\
             pub(super) const KEY_ROWS: &[KeyRow] = &[\n{}];\n{}",
            self.declared,
            self.rows,
            all("Key", "keys, in alphabetical order", &self.declared)
        );
        let list = "/// Every value: its key, its variant, and its text in a transcript.\npub const ALL: &[(Key, &str, &str)] = &[\n";
        (keys, format!("{}{list}{}];\n", self.values, self.value_rows))
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
        check_keys(name, entry, &["name", "needs", "may", "background", "untested", "meaning"]);
        assert!(self.names.insert(name.to_owned()) && name != "unknown", "{name}: declared twice");
        let (variant, meaning) = (variant(name), meaning(entry));
        let (needs, may) = (strings(entry, "needs"), strings(entry, "may"));
        assert!(!may.iter().any(|key| needs.contains(key)), "{name}: a key is both needed and optional");
        let _ = writeln!(self.declared, "#[doc = {meaning:?}]\n{variant},");
        let _ = writeln!(
            self.rows,
            "IntentRow {{ name: {name:?}, area: {area:?}, meaning: {meaning:?}, needs: &[{}], may: &[{}], background: {}, untested: {:?} }},",
            keys.list(name, &needs),
            keys.list(name, &may),
            flag(entry, "background"),
            optional(entry, "untested")
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

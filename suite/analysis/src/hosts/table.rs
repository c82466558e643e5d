//! The words in which the table of hosts is written (`hosts/*.toml`). The build reads the table with these types, so a wrong or unknown
//! word fails it.

use std::collections::BTreeMap;

use regex::Regex;
use serde::{Deserialize, Serialize};
use serde_json::Value;

/// The table: hosts by id, and what they refuse.
#[derive(Clone, Debug, Default, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Table {
    /// Hosts, client libraries and model APIs.
    #[serde(default)]
    pub host: BTreeMap<String, Host>,
    /// What they refuse.
    #[serde(default)]
    pub fact: Vec<Fact>,
}

/// Something that speaks to servers, or that gets what they list.
#[derive(Clone, Debug, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Host {
    /// What people call it.
    pub name: String,
    /// What it is.
    pub kind: Kind,
    /// A page about it, or a package URL.
    pub doc: String,
    /// Whether it is one of the hosts that are shown if none are named.
    #[serde(default)]
    pub common: bool,
}

/// What a host is.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Kind {
    /// An API of a model, which gets the tools of a server through a host.
    ModelApi,
    /// A program that people use.
    Host,
    /// A library that programs speak to servers with.
    ClientLibrary,
}

/// Something that a host does not take as it is.
#[derive(Clone, Debug, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Fact {
    /// Its name.
    pub id: String,
    /// The hosts, by id.
    pub hosts: Vec<String>,
    /// What triggers it, as a sentence.
    pub what: String,
    /// What happens then.
    pub effect: Effect,
    /// What happens in hosts in which it is something else.
    #[serde(default, skip_serializing_if = "BTreeMap::is_empty")]
    pub effects: BTreeMap<String, Effect>,
    /// The only transport over which it can happen, if there is one.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub over: Option<Over>,
    /// Since and until when, and in which versions it was seen.
    pub seen_in: String,
    /// Where that can be read: URLs, or package URLs of what was measured.
    pub source: Vec<String>,
    /// How it is known: `documented`, `reported`, `measured` or `mended in VERSION`.
    pub status: String,
    /// Whether the specification allows what triggers it.
    pub legal: bool,
    /// What has to be so on the side of the user, if it does not happen to everyone.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub only_if: Option<String>,
    /// The newest revision of a connection on which it happens, if newer ones allow it.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub until: Option<String>,
    /// Facts that pull in the opposite direction.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub against: Vec<String>,
    /// What hosts on both sides take, if there are such facts.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub both: Option<String>,
    /// The requirements that it breaks, if it is not legal.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub requirement: Vec<String>,
    /// What the author can do.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub mend: Option<String>,
    /// Limits and contradictions.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub note: Option<String>,
    /// How it was measured.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub found: Option<String>,
    /// When it was last confirmed, as YYYY-MM.
    pub confirmed: String,
    /// What a server has to have for it to happen.
    pub when: When,
}

impl Fact {
    /// What this host does.
    #[must_use]
    pub fn effect_in(&self, host: &str) -> Effect {
        self.effects.get(host).copied().unwrap_or(self.effect)
    }
}

/// A kind of transport.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Over {
    /// The standard input and output of a child process.
    Stdio,
    /// HTTP in any form.
    Http,
}

/// What a host does, the worst first.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
pub enum Effect {
    /// The model API answers 4xx, or the call of the client raises, and with it everything in that request.
    #[serde(rename = "request fails")]
    RequestFails,
    /// A list is lost as a whole.
    #[serde(rename = "whole list dropped")]
    ListLost,
    /// The connection is not made, or ends.
    #[serde(rename = "disconnects")]
    Disconnects,
    /// A tool is missing, and nobody says so.
    #[serde(rename = "tool dropped silently")]
    ToolLost,
    /// The end of something is cut off.
    #[serde(rename = "truncated")]
    Truncated,
    /// The model or the server sees something else than was sent.
    #[serde(rename = "changed")]
    Changed,
    /// The host says that it does not like it.
    #[serde(rename = "warning")]
    Warning,
}

impl Effect {
    /// As reports and the table have it.
    #[must_use]
    pub fn as_str(self) -> &'static str {
        match self {
            Self::RequestFails => "request fails",
            Self::ListLost => "whole list dropped",
            Self::Disconnects => "disconnects",
            Self::ToolLost => "tool dropped silently",
            Self::Truncated => "truncated",
            Self::Changed => "changed",
            Self::Warning => "warning",
        }
    }
}

/// What a server has to have.
#[derive(Clone, Debug, Serialize, Deserialize)]
#[serde(rename_all = "snake_case", deny_unknown_fields)]
pub enum When {
    /// The inputSchema of a tool.
    Input(Schema),
    /// The outputSchema of a tool.
    Output(Schema),
    /// One of both.
    Schema(Schema),
    /// The definition of a tool.
    Tool(Test),
    /// All tools together.
    Tools(Tools),
    /// One of these.
    Any(Vec<When>),
    /// The results of a method.
    Answer(Answer),
    /// One of these requirements was found broken.
    Broken(Vec<String>),
    /// What crossed the wire, by a function of this name.
    Wire(String),
    /// The handshake is answered later than after this many seconds, however often it is tried.
    StartsAfter(u64),
    /// Nothing that a run sees, for this reason.
    Unseen(String),
}

/// What a server answers.
#[derive(Clone, Debug, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Answer {
    /// The method.
    pub method: String,
    /// What its result is. Functions get the definition of the called tool beside it.
    pub result: Test,
}

/// A place in a schema.
#[derive(Clone, Debug, Serialize, Deserialize)]
#[serde(rename_all = "snake_case", deny_unknown_fields)]
pub enum Schema {
    /// The schema itself.
    Root(Test),
    /// The schema or any schema in it.
    Node(Test),
    /// As `node`, without what is reached through `$defs` or `definitions` only.
    Inline(Test),
    /// The schema of a property, at any depth.
    Property(Test),
    /// The schema of a property of the root.
    RootProperty(Test),
    /// The name of a property of the root.
    RootKey(Test),
}

/// What all tools of a server are together.
#[derive(Clone, Debug, Serialize, Deserialize)]
#[serde(rename_all = "snake_case", deny_unknown_fields)]
pub enum Tools {
    /// Their number is at least this.
    AtLeast(usize),
    /// One of these names is missing.
    Lack(Vec<String>),
    /// A function of this name says so.
    Code(String),
}

/// A test of a value: all that it names must hold.
#[derive(Clone, Debug, Default, Serialize, Deserialize)]
#[serde(deny_unknown_fields, default)]
pub struct Test {
    /// It has one of these members.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub has: Vec<String>,
    /// It is an object and has none of these members.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub lacks: Vec<String>,
    /// These members are there and pass.
    #[serde(skip_serializing_if = "BTreeMap::is_empty")]
    pub member: BTreeMap<String, Test>,
    /// One of its elements, or of the values of its members, passes.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub some: Option<Box<Test>>,
    /// Its `type` is this, or a list that holds it.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub of_type: Option<String>,
    /// It is of this kind: `null`, `boolean`, `number`, `string`, `array` or `object`.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub kind: Option<JsonKind>,
    /// It is this value.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub is: Option<Value>,
    /// It is a string, and this expression matches in it.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub matches: Option<Pattern>,
    /// It is a string of more characters.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub longer_than: Option<usize>,
    /// A function of this name says so.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub code: Option<String>,
    /// One of these passes.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub any: Vec<Test>,
    /// This does not pass.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub not: Option<Box<Test>>,
}

/// A kind of JSON value.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum JsonKind {
    Null,
    Boolean,
    Number,
    String,
    Array,
    Object,
}

/// A regular expression.
#[derive(Clone, Debug, Serialize, Deserialize)]
#[serde(try_from = "String", into = "String")]
pub struct Pattern(pub Regex);

impl TryFrom<String> for Pattern {
    type Error = regex::Error;

    fn try_from(text: String) -> Result<Self, regex::Error> {
        Regex::new(&text).map(Self)
    }
}

impl From<Pattern> for String {
    fn from(pattern: Pattern) -> Self {
        pattern.0.as_str().to_owned()
    }
}

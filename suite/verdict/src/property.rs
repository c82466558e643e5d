//! Results of property tests: the generated request of a finding, and one line per tool, prompt, template or completion that was
//! tried.

use serde::{Deserialize, Serialize};
use serde_json::Value;

/// The generated request that a finding rests on.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Generated {
    /// The params of the request: name and arguments.
    pub call: Value,
    /// Its method, if it is not `tools/call`.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub method: Option<String>,
    /// The keyword of the schema that the arguments break; none if they satisfy it.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub keyword: Option<String>,
    /// The JSON pointer of the schema that the keyword stands in.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub schema: Option<String>,
    /// Nothing simpler of the same kind shows the same.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub minimal: bool,
    /// Which of the cases it is, or was made from.
    #[serde(default)]
    pub case: u32,
    /// The seed that they were made with.
    #[serde(default)]
    pub seed: u64,
    /// How many were asked for.
    #[serde(default)]
    pub cases: u32,
}

/// Generated calls of one tool, or of something that takes strings.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Tested {
    /// Its name.
    pub tool: String,
    /// Its kind, unless it is a tool: `prompt`, `template` or `completion`.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub kind: Option<String>,
    /// Calls with generated arguments that were answered, without those that made a failing one simpler.
    pub cases: u32,
    /// Of these with arguments that satisfy the schema.
    pub valid: u32,
    /// Of these with arguments that break one keyword.
    pub invalid: u32,
    /// Of the invalid ones those that were refused.
    pub refused: u32,
    /// Of the valid ones those that gave an error or a result with isError.
    pub failed: u32,
    /// The keywords that were broken, or at whose boundary the arguments were.
    pub reached: Vec<String>,
    /// The others, with the reason.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub unreached: Vec<Unreached>,
    /// Why it was not called at all, or why fewer cases were tried than were asked for.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub stopped: Option<String>,
}

/// A keyword that was not broken.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Unreached {
    /// The keyword.
    pub keyword: String,
    /// The JSON pointer of the schema it stands in.
    pub schema: String,
    /// Why not.
    pub reason: String,
}

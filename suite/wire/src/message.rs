//! One JSON-RPC message: its kind by the members it has, and every defect of its envelope.
//!
//! A defect is an observation, not a verdict: which revision forbids what is for rules to say.

use std::fmt;

use serde_json::{Map, Value};

use crate::defect::Defect;
use crate::id::Id;
use crate::shared::Shared;

/// One message, whatever its state.
#[derive(Debug, Clone, PartialEq)]
pub struct Message {
    /// Its kind, by its members alone.
    pub kind: Kind,
    /// The `id` member; `None` when there is none.
    pub id: Option<Id>,
    /// Defects of the envelope, in a fixed order.
    pub defects: Vec<Defect>,
    pub(crate) shared: Shared,
}

/// The kind of a message, by the presence of `method`, `id`, `result` and `error`, whatever their values.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Kind {
    /// `method` and `id`.
    Request,
    /// `method` without `id`.
    Notification,
    /// `result`; also when `error` stands beside it ([`Defect::ResultAndError`]).
    Response,
    /// `error` without `result`.
    Error,
    /// No object, none of the three, or `method` together with an outcome.
    Invalid,
}

impl Message {
    /// The message that `value` is. An id beyond 64 bits has been rounded in it; [`crate::parse()`] keeps it.
    #[must_use]
    pub fn from_value(value: Value) -> Self {
        let id = value.as_object().and_then(|members| members.get("id")).map(|id| Id::from_raw(&id.to_string()));
        Self::with_id(value, id)
    }

    pub(crate) fn with_id(value: Value, id: Option<Id>) -> Self {
        let mut defects = Vec::new();
        let kind = match &value {
            Value::Object(members) => {
                let kind = kind(members, id.is_some(), &mut defects);
                version(members, &mut defects);
                bodies(members, &mut defects);
                id_defects(kind, id.as_ref(), &mut defects);
                defects.sort();
                kind
            }
            _ => {
                defects.push(Defect::NotAnObject);
                Kind::Invalid
            }
        };
        Self { kind, id, defects, shared: Shared::new(value) }
    }

    /// The member `name` of the message.
    #[must_use]
    pub fn member(&self, name: &str) -> Option<&Value> {
        self.shared.get(name)
    }

    /// The names of its members; none if it is no object.
    pub fn names(&self) -> impl Iterator<Item = &str> {
        self.shared.object().into_iter().flat_map(Map::keys).map(String::as_str)
    }

    /// Whether it is an object.
    #[must_use]
    pub fn is_object(&self) -> bool {
        self.shared.object().is_some()
    }

    /// The whole value, for those whom its id does not concern: of answers that differ in their ids alone, it may be another's.
    #[must_use]
    pub fn but_for_id(&self) -> &Value {
        self.shared.but_for_id()
    }

    /// The whole value.
    #[must_use]
    pub fn into_value(self) -> Value {
        self.shared.into_value()
    }

    /// `method`, if it is a string.
    #[must_use]
    pub fn method(&self) -> Option<&str> {
        self.member("method")?.as_str()
    }

    /// `params`, of any type.
    #[must_use]
    pub fn params(&self) -> Option<&Value> {
        self.member("params")
    }

    /// `result`, of any type.
    #[must_use]
    pub fn result(&self) -> Option<&Value> {
        self.member("result")
    }

    /// `error`, of any type.
    #[must_use]
    pub fn error(&self) -> Option<&Value> {
        self.member("error")
    }

    /// `error.code`, if it is a whole number of 64 bits, however spelled.
    #[must_use]
    pub fn error_code(&self) -> Option<i64> {
        whole(self.error()?.get("code")?)
    }

    /// `error.message`, if it is a string.
    #[must_use]
    pub fn error_message(&self) -> Option<&str> {
        self.error()?.get("message")?.as_str()
    }

    /// `error.data`, of any type.
    #[must_use]
    pub fn error_data(&self) -> Option<&Value> {
        self.error()?.get("data")
    }

    /// Whether it answers a request: a response or an error.
    #[must_use]
    pub fn is_answer(&self) -> bool {
        matches!(self.kind, Kind::Response | Kind::Error)
    }

    /// Whether it is meant to answer a request and does not: it has an id, and neither a method nor a result nor an error.
    #[must_use]
    pub fn lacks_outcome(&self) -> bool {
        self.id.is_some() && self.has(&Defect::NoKind)
    }

    /// Whether the envelope has this defect.
    #[must_use]
    pub fn has(&self, defect: &Defect) -> bool {
        self.defects.contains(defect)
    }
}

/// A number that is whole, however it is spelled: `-32600.0` is an integer to JSON Schema.
fn whole(value: &Value) -> Option<i64> {
    value.as_i64().or_else(|| {
        let number = value.as_f64()?;
        #[expect(clippy::cast_possible_truncation, reason = "the range is checked in the same line")]
        (number.fract() == 0.0 && number.abs() < 9_007_199_254_740_992.0).then_some(number as i64)
    })
}

fn kind(members: &Map<String, Value>, id: bool, defects: &mut Vec<Defect>) -> Kind {
    let [method, result, error] = ["method", "result", "error"].map(|name| members.contains_key(name));
    if result && error {
        defects.push(Defect::ResultAndError);
    }
    match (method, result, error) {
        (true, false, false) if id => Kind::Request,
        (true, false, false) => Kind::Notification,
        (false, true, _) => Kind::Response,
        (false, false, true) => Kind::Error,
        (false, false, false) => {
            defects.push(Defect::NoKind);
            Kind::Invalid
        }
        (true, _, _) => {
            defects.push(Defect::MethodAndOutcome);
            Kind::Invalid
        }
    }
}

fn version(members: &Map<String, Value>, defects: &mut Vec<Defect>) {
    match members.get("jsonrpc") {
        None => defects.push(Defect::VersionMissing),
        Some(Value::String(version)) if version == "2.0" => {}
        Some(other) => defects.push(Defect::VersionWrong(other.to_string().chars().take(40).collect())),
    }
}

fn bodies(members: &Map<String, Value>, defects: &mut Vec<Defect>) {
    if members.get("method").is_some_and(|method| !method.is_string()) {
        defects.push(Defect::MethodNotString);
    }
    if members.get("params").is_some_and(|params| !params.is_object()) {
        defects.push(Defect::ParamsNotObject);
    }
    if members.get("result").is_some_and(|result| !result.is_object()) {
        defects.push(Defect::ResultNotObject);
    }
    match members.get("error") {
        None => {}
        Some(Value::Object(error)) => error_defects(error, defects),
        Some(_) => defects.push(Defect::ErrorNotObject),
    }
}

fn error_defects(error: &Map<String, Value>, defects: &mut Vec<Defect>) {
    match error.get("code") {
        None => defects.push(Defect::ErrorCodeMissing),
        Some(Value::Number(code)) if code.as_f64().is_some_and(|code| code.fract() == 0.0) => {}
        Some(_) => defects.push(Defect::ErrorCodeNotInteger),
    }
    match error.get("message") {
        None => defects.push(Defect::ErrorMessageMissing),
        Some(Value::String(_)) => {}
        Some(_) => defects.push(Defect::ErrorMessageNotString),
    }
}

fn id_defects(kind: Kind, id: Option<&Id>, defects: &mut Vec<Defect>) {
    match id {
        None if matches!(kind, Kind::Response | Kind::Error) => defects.push(Defect::IdMissing),
        Some(Id::Null) => defects.push(Defect::IdNull),
        Some(Id::Other(_)) => defects.push(Defect::IdWrongType),
        Some(number) if number.is_fractional() => defects.push(Defect::IdFractional),
        _ => {}
    }
}

impl fmt::Display for Kind {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::Request => "request",
            Self::Notification => "notification",
            Self::Response => "response",
            Self::Error => "error",
            Self::Invalid => "invalid message",
        })
    }
}

#[cfg(test)]
mod tests;

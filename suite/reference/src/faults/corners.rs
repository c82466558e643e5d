//! Faults that only the right arguments show, among all that a tool takes or must refuse: those of the tools with rich
//! input schemas.

use jsonschema::ValidationError;
use jsonschema::error::ValidationErrorKind as Kind;
use serde_json::{Value, json};
use wire::mcp::code;

use super::Hook::{Arguments, Overlooks, Request, Switch};
use super::replies::{error, exit, invalid};
use super::{Fault, Hook, fault};
use crate::Revision;
use crate::Transport::{Http, Stdio};
use crate::core::Reply;
use crate::deviation::Deviation;
use crate::tools::depth;

const ACCEPTED: &str = "tools.call.valid-arguments-accepted";
const REJECTED: &str = "tools.call.invalid-arguments-rejected";
/// Those in which a session of its own is watched after a cancellation.
const HANDSHAKE: &[Revision] =
    &[Revision::V2024_11_05, Revision::V2025_03_26, Revision::V2025_06_18, Revision::V2025_11_25];

const ANSWERED: &str = "jsonrpc.response.every-request-answered";

pub(super) static TABLE: &[Fault] = &[
    fault(
        REJECTED,
        "minimum",
        "one less than a minimum passes",
        Overlooks(|error| matches!(error.kind(), Kind::Minimum { limit } if is_beyond(error, limit, -1.0))),
    ),
    fault(
        REJECTED,
        "maximum",
        "one more than a maximum passes",
        Overlooks(|error| matches!(error.kind(), Kind::Maximum { limit } if is_beyond(error, limit, 1.0))),
    ),
    fault(
        REJECTED,
        "exclusive-minimum",
        "an exclusive minimum is taken for an inclusive one",
        Overlooks(|error| matches!(error.kind(), Kind::ExclusiveMinimum { limit } if is_beyond(error, limit, 0.0))),
    ),
    fault(
        REJECTED,
        "exclusive-maximum",
        "an exclusive maximum is taken for an inclusive one",
        Overlooks(|error| matches!(error.kind(), Kind::ExclusiveMaximum { limit } if is_beyond(error, limit, 0.0))),
    ),
    fault(
        REJECTED,
        "multiple-of",
        "multipleOf is not checked",
        Overlooks(|error| matches!(error.kind(), Kind::MultipleOf { .. })),
    ),
    fault(
        REJECTED,
        "min-length",
        "a text that is too short by one passes",
        Overlooks(|error| matches!(error.kind(), Kind::MinLength { limit } if count(error) + 1 == *limit)),
    ),
    fault(
        REJECTED,
        "min-bytes",
        "for the least length bytes are counted",
        Overlooks(|error| matches!(error.kind(), Kind::MinLength { limit } if written(error).len() as u64 >= *limit)),
    ),
    fault(
        REJECTED,
        "max-length",
        "a text that is too long by one passes",
        Overlooks(|error| matches!(error.kind(), Kind::MaxLength { limit } if count(error) == *limit + 1)),
    ),
    fault(
        REJECTED,
        "min-items",
        "an array that is too short by one passes",
        Overlooks(|error| matches!(error.kind(), Kind::MinItems { limit } if count(error) + 1 == *limit)),
    ),
    fault(
        REJECTED,
        "max-items",
        "an array that is too long by one passes",
        Overlooks(|error| matches!(error.kind(), Kind::MaxItems { limit } if count(error) == *limit + 1)),
    ),
    fault(
        REJECTED,
        "min-properties",
        "an object with a property too few passes",
        Overlooks(|error| matches!(error.kind(), Kind::MinProperties { limit } if count(error) + 1 == *limit)),
    ),
    fault(
        REJECTED,
        "max-properties",
        "an object with a property too many passes",
        Overlooks(|error| matches!(error.kind(), Kind::MaxProperties { limit } if count(error) == *limit + 1)),
    ),
    fault(
        REJECTED,
        "enum-case",
        "the values of an enum are compared without regard to case",
        Overlooks(|error| matches!(error.kind(), Kind::Enum { options } if has_any_case(options, error))),
    ),
    fault(
        REJECTED,
        "const-case",
        "a const is compared without regard to case",
        Overlooks(
            |error| matches!(error.kind(), Kind::Constant { expected_value } if has_any_case(&json!([expected_value.as_ref()]), error)),
        ),
    ),
    fault(
        REJECTED,
        "pattern-anywhere",
        "an anchored pattern is searched for anywhere",
        Overlooks(
            |error| matches!(error.kind(), Kind::Pattern { pattern } if is_found(pattern.trim_matches(['^', '$']), error)),
        ),
    ),
    fault(
        REJECTED,
        "pattern-start",
        "an anchored pattern need not reach the end",
        Overlooks(
            |error| matches!(error.kind(), Kind::Pattern { pattern } if is_found(pattern.trim_end_matches('$'), error)),
        ),
    ),
    fault(
        REJECTED,
        "unknown-below",
        "unknown properties of nested objects pass",
        Overlooks(|error| matches!(error.kind(), Kind::AdditionalProperties { .. } if is_nested(error))),
    ),
    fault(
        REJECTED,
        "required-below",
        "properties missing from nested objects are not noticed",
        Overlooks(|error| matches!(error.kind(), Kind::Required { .. } if is_nested(error))),
    ),
    fault(
        REJECTED,
        "unique-text",
        "items that are written differently pass for unlike: 1 and 1.0",
        Overlooks(|error| matches!(error.kind(), Kind::UniqueItems if are_unlike(error.instance(), false))),
    ),
    fault(
        REJECTED,
        "unique-order",
        "objects with their members in another order pass for unlike",
        Overlooks(|error| matches!(error.kind(), Kind::UniqueItems if are_unlike(error.instance(), true))),
    ),
    fault(
        REJECTED,
        "first-item",
        "only the first item of an array is checked",
        Overlooks(|error| {
            error.instance_path().to_string().split('/').any(|step| step.parse::<usize>().is_ok_and(|at| at > 0))
        }),
    ),
    fault(
        REJECTED,
        "one-of",
        "oneOf is taken for anyOf",
        Overlooks(|error| matches!(error.kind(), Kind::OneOfMultipleValid { .. })),
    ),
    fault(REJECTED, "not", "not is not checked", Overlooks(|error| matches!(error.kind(), Kind::Not { .. }))),
    fault(
        REJECTED,
        "names",
        "propertyNames is not checked",
        Overlooks(|error| matches!(error.kind(), Kind::PropertyNames { .. })),
    ),
    fault(
        REJECTED,
        "null",
        "null passes for anything",
        Overlooks(|error| matches!(error.kind(), Kind::Type { .. } if error.instance().is_null())),
    ),
    fault(
        REJECTED,
        "coerced",
        "a text of digits passes for a number",
        Overlooks(|error| matches!(error.kind(), Kind::Type { .. } if written(error).parse::<f64>().is_ok())),
    ),
    fault(
        REJECTED,
        "fraction",
        "a fraction passes for an integer",
        Overlooks(|error| matches!(error.kind(), Kind::Type { .. } if error.instance().is_f64())),
    ),
    fault(
        REJECTED,
        "format",
        "formats are not checked",
        Overlooks(|error| matches!(error.kind(), Kind::Format { .. })),
    ),
    fault(
        ACCEPTED,
        "whole-float",
        "an integer written with a fraction of zero is refused",
        Arguments(|_, given| refuse(["grams", "insured", "from", "step"].iter().any(|name| given[*name].is_f64()))),
    ),
    fault(
        ACCEPTED,
        "bytes",
        "the length of a text is counted in bytes",
        Arguments(|_, given| refuse(name(given).len() > 12)),
    ),
    fault(
        ACCEPTED,
        "utf16",
        "the length of a text is counted in UTF-16 units",
        Arguments(|_, given| refuse(name(given).encode_utf16().count() > 12)),
    ),
    fault(
        ACCEPTED,
        "longest",
        "a text of the greatest length is refused",
        Arguments(|_, given| refuse(name(given).chars().count() == 12)),
    ),
    fault(
        ACCEPTED,
        "fullest",
        "an array of the greatest length is refused",
        Arguments(|_, given| refuse(given["tags"].as_array().is_some_and(|tags| tags.len() == 4))),
    ),
    fault(
        ACCEPTED,
        "exclusive",
        "bounds themselves are refused",
        Arguments(|_, given| {
            let is_bound = |name: &&str| [1, 30_000, -10, 10].iter().any(|bound| given[*name] == *bound);
            refuse(["grams", "step"].iter().any(is_bound))
        }),
    ),
    fault(
        ACCEPTED,
        "anchored",
        "a pattern must match the whole text",
        Arguments(|_, given| refuse(given["code"].as_str().is_some_and(|code| code.len() != 3))),
    ),
    fault(
        ACCEPTED,
        "empty-list",
        "an empty array is refused",
        Arguments(|_, given| refuse(given["ratings"] == json!([]))),
    ),
    fault(
        ACCEPTED,
        "null",
        "null is refused where it may be",
        Arguments(|_, given| refuse(given.get("floor").is_some_and(Value::is_null))),
    ),
    fault(
        ACCEPTED,
        "branch",
        "the second branch of a choice is refused",
        Arguments(|_, given| refuse(given["method"]["kind"] == "bank")),
    ),
    fault(
        ACCEPTED,
        "leap-day",
        "29 February is taken for no date",
        Arguments(|_, given| refuse(given["day"].as_str().is_some_and(|day| day.ends_with("-02-29")))),
    ),
    fault(ACCEPTED, "falsy", "zero is taken for missing", Arguments(|_, given| refuse(given["insured"] == json!(0)))),
    fault(
        ACCEPTED,
        "nested",
        "what refers to itself is refused below its second level",
        Arguments(|_, given| refuse(depth(&given["sum"]) > 1)),
    ),
    fault(
        "tools.error.execution-in-result",
        "quotes",
        "a text with a quotation mark or a backslash gives -32603",
        Arguments(|_, arguments| {
            let quoted = text(arguments).is_some_and(|text| text.contains(['"', '\\']));
            quoted.then(|| error(code::INTERNAL_ERROR, "unterminated string"))
        }),
    ),
    fault(
        "tools.structured.conforms",
        "empty",
        "structuredContent has null where there is nothing to tell",
        Switch(&[Deviation::NullForNothing]),
    ),
    fault(
        "tools.structured.conforms",
        "branch",
        "structuredContent has a string for a number in one case of three",
        Switch(&[Deviation::PricesInWords]),
    ),
    crash(
        "empty-text",
        "an empty text is not survived",
        Arguments(|connection, arguments| (text(arguments) == Some("")).then(|| exit(connection))),
    ),
    crash(
        "unicode",
        "a text beyond ASCII is not survived",
        Arguments(|connection, arguments| {
            text(arguments).is_some_and(|text| !text.is_ascii()).then(|| exit(connection))
        }),
    ),
    crash(
        "big-integer",
        "an integer beyond 53 bits is not survived",
        Arguments(|connection, arguments| {
            let beyond = arguments["from"].as_f64().is_some_and(|from| from.abs() > SAFE);
            beyond.then(|| exit(connection))
        }),
    ),
    crash(
        "deep",
        "sums nested four deep are not survived",
        Arguments(|connection, arguments| (depth(&arguments["sum"]) > 3).then(|| exit(connection))),
    ),
    crash(
        "long-text",
        "a text of more than forty characters is not survived",
        Arguments(|connection, arguments| {
            text(arguments).is_some_and(|text| text.chars().count() > 40).then(|| exit(connection))
        }),
    )
    .in_a_run(),
    fault(
        ANSWERED,
        "silence",
        "after a call of one tool nothing is answered any more",
        Request(|connection, call| {
            let silences = call.tool() == Some("version");
            silences.then(|| {
                connection.server.state().silent = true;
                Reply::Later
            })
        }),
    ),
    fault(
        ANSWERED,
        "upset",
        "a call of one tool is not answered, and from then on every request fails",
        Request(|connection, call| {
            let upsets = call.tool() == Some("version");
            upsets.then(|| {
                connection.server.state().upset = true;
                Reply::Later
            })
        }),
    )
    .over(&[Http]),
    fault(
        ANSWERED,
        "now-and-then",
        "every thirtieth request fails with a status and no answer",
        Switch(&[Deviation::RequestsFailNowAndThen]),
    )
    .over(&[Http]),
    crash(
        "after-cancellation",
        "the process ends a moment after a cancellation",
        Switch(&[Deviation::CancellationIsFatalLater]),
    )
    .only(HANDSHAKE),
    fault(
        ANSWERED,
        "hang",
        "a step of zero keeps a call busy for ever",
        Arguments(|_, arguments| (arguments["step"].as_f64() == Some(0.0)).then_some(Reply::Later)),
    ),
];

/// Over HTTP the server cannot be started again, so that nothing more comes of the run.
const fn crash(variant: &'static str, what: &'static str, hook: Hook) -> Fault {
    fault(ANSWERED, variant, what, hook).over(&[Stdio])
}

/// Integers beyond which doubles have gaps.
const SAFE: f64 = 9_007_199_254_740_991.0;

fn text(arguments: &Value) -> Option<&str> {
    arguments["text"].as_str()
}

fn name(arguments: &Value) -> &str {
    arguments["name"].as_str().unwrap_or_default()
}

fn refuse(applies: bool) -> Option<Reply> {
    applies.then(|| invalid("arguments: a value is out of range"))
}

/// Whether a number misses a limit by just so much.
fn is_beyond(error: &ValidationError<'_>, limit: &Value, by: f64) -> bool {
    error.instance().as_f64().zip(limit.as_f64()).is_some_and(|(value, limit)| value == limit + by)
}

/// How many characters, items or members there are.
fn count(error: &ValidationError<'_>) -> u64 {
    let count = match error.instance().as_ref() {
        Value::String(text) => text.chars().count(),
        Value::Array(items) => items.len(),
        Value::Object(members) => members.len(),
        _ => 0,
    };
    count as u64
}

/// The text that is wrong; empty if it is none.
fn written(error: &ValidationError<'_>) -> String {
    error.instance().as_str().unwrap_or_default().to_owned()
}

fn has_any_case(options: &Value, error: &ValidationError<'_>) -> bool {
    let text = written(error);
    let mut options = options.as_array().into_iter().flatten().filter_map(Value::as_str);
    options.any(|option| option.eq_ignore_ascii_case(&text))
}

fn is_found(pattern: &str, error: &ValidationError<'_>) -> bool {
    let validator = jsonschema::validator_for(&json!({"pattern": pattern}));
    validator.is_ok_and(|validator| validator.is_valid(error.instance().as_ref()))
}

fn is_nested(error: &ValidationError<'_>) -> bool {
    !error.instance_path().to_string().is_empty()
}

/// Whether no two items are written alike; numbers by their value if it is the order of members that counts.
fn are_unlike(items: &Value, by_value: bool) -> bool {
    let written =
        |item: &Value| item.as_f64().filter(|_| by_value).map_or_else(|| item.to_string(), |number| number.to_string());
    let mut all: Vec<String> = items.as_array().into_iter().flatten().map(written).collect();
    let count = all.len();
    all.sort();
    all.dedup();
    all.len() == count
}

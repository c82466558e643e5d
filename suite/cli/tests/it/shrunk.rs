//! Faults that only the right arguments show are found with generated ones, and what is shown is the call that a person
//! would have written.

use std::sync::Mutex;
use std::sync::atomic::{AtomicUsize, Ordering};

use serde_json::Value;

use crate::support::{Bench, record};

/// Servers side by side.
const JOBS: usize = 4;
const ACCEPTED: &str = "tools.call.valid-arguments-accepted";
const REJECTED: &str = "tools.call.invalid-arguments-rejected";
const ANSWERED: &str = "jsonrpc.response.every-request-answered";
const CONFORMS: &str = "tools.structured.conforms";

/// The tool that shows a fault, the requirement, and the ways in which it is broken.
const FAULTS: [(&str, &str, &[&str]); 15] = [
    (
        "reference_weigh_parcel",
        REJECTED,
        &["minimum", "maximum", "exclusive-minimum", "exclusive-maximum", "multiple-of"],
    ),
    ("reference_weigh_parcel", REJECTED, &["enum-case", "const-case", "null", "coerced", "fraction"]),
    ("reference_weigh_parcel", ACCEPTED, &["whole-float", "exclusive", "falsy"]),
    ("reference_weigh_parcel", CONFORMS, &["branch"]),
    (
        "reference_print_label",
        REJECTED,
        &["min-length", "min-bytes", "max-length", "pattern-anywhere", "pattern-start", "format"],
    ),
    ("reference_print_label", ACCEPTED, &["bytes", "utf16", "longest", "anchored", "null", "leap-day"]),
    ("reference_tag_photo", REJECTED, &["min-items", "max-items", "unique-text", "unique-order", "first-item"]),
    ("reference_tag_photo", ACCEPTED, &["fullest", "empty-list"]),
    (
        "reference_ship_order",
        REJECTED,
        &["unknown-below", "required-below", "names", "min-properties", "max-properties"],
    ),
    ("reference_pay_bill", REJECTED, &["one-of", "not"]),
    ("reference_pay_bill", ACCEPTED, &["branch"]),
    ("reference_evaluate_sum", ACCEPTED, &["nested"]),
    ("reference_evaluate_sum", ANSWERED, &["deep"]),
    ("reference_describe_text", "tools.error.execution-in-result", &["quotes"]),
    ("reference_count_steps", ANSWERED, &["big-integer", "hang"]),
];
const TEXTS: (&str, &str, &[&str]) = ("reference_describe_text", ANSWERED, &["empty-text", "unicode"]);
const NOTHING: (&str, &str, &[&str]) = ("reference_describe_text", CONFORMS, &["empty"]);

#[test]
fn what_only_the_right_arguments_show_is_found_and_made_simple() {
    let groups = FAULTS.into_iter().chain([TEXTS, NOTHING]);
    let faults: Vec<(&str, String)> = groups
        .flat_map(|(tool, id, variants)| variants.iter().map(move |variant| (tool, format!("{id}/{variant}"))))
        .collect();
    let (next, lines) = (AtomicUsize::new(0), Mutex::new(Vec::new()));
    std::thread::scope(|scope| {
        for _ in 0..JOBS {
            scope.spawn(|| {
                while let Some((tool, fault)) = faults.get(next.fetch_add(1, Ordering::Relaxed)) {
                    let shown = shown(tool, fault);
                    lines.lock().expect("no panic").push(format!("{fault}: {shown}"));
                }
            });
        }
    });
    let mut lines = lines.into_inner().expect("no panic");
    lines.sort();
    let missed: Vec<&String> = lines.iter().filter(|line| line.contains(": not found")).collect();
    assert!(missed.is_empty(), "{missed:?}");
    insta::assert_snapshot!(lines.join("\n"));
}

/// Of prompts, resource templates and completions: the fault, and the requests that may be shown for it.
const STRINGS: [(&str, &[&str]); 5] = [
    (
        "jsonrpc.response.every-request-answered/empty-argument",
        &[
            r#"{"name":"postcard","arguments":{"city":""}}"#,
            r#"{"name":"postcard","arguments":{"city":"a","mood":""}}"#,
            r#"{"name":"wish","arguments":{"for_whom":""}}"#,
        ],
    ),
    ("jsonrpc.response.every-request-answered/percent", &[r#"{"uri":"weather://%25"}"#, r#"{"uri":"shout://%25"}"#]),
    (
        "jsonrpc.response.every-request-answered/apostrophe",
        &[
            r#"{"ref":{"type":"ref/prompt","name":"postcard"},"argument":{"name":"city","value":"'"}}"#,
            r#"{"ref":{"type":"ref/prompt","name":"postcard"},"argument":{"name":"mood","value":"'"}}"#,
            r#"{"ref":{"type":"ref/prompt","name":"wish"},"argument":{"name":"for_whom","value":"'"}}"#,
        ],
    ),
    (
        "prompts.get.validates-arguments/beyond-16-bits",
        &[
            "{\"name\":\"postcard\",\"arguments\":{\"city\":\"\u{10000}\"}}",
            "{\"name\":\"postcard\",\"arguments\":{\"city\":\"\u{1f600}\"}}",
            "{\"name\":\"wish\",\"arguments\":{\"for_whom\":\"\u{1f600}\"}}",
        ],
    ),
    (
        "completion.inputs-validated/quote",
        &[
            r#"{"ref":{"type":"ref/prompt","name":"postcard"},"argument":{"name":"city","value":"\""}}"#,
            r#"{"ref":{"type":"ref/prompt","name":"postcard"},"argument":{"name":"mood","value":"\""}}"#,
            r#"{"ref":{"type":"ref/prompt","name":"wish"},"argument":{"name":"for_whom","value":"\""}}"#,
            r#"{"ref":{"type":"ref/resource","uri":"weather://{city}"},"argument":{"name":"city","value":"\""}}"#,
            r#"{"ref":{"type":"ref/resource","uri":"shout://{word}"},"argument":{"name":"word","value":"\""}}"#,
        ],
    ),
];

#[test]
fn what_only_the_right_strings_show_is_found_and_made_simple() {
    for (fault, expected) in STRINGS {
        let id = fault.split('/').next().unwrap_or_default();
        let program = env!("CARGO_BIN_EXE_mcp-conform");
        let mut args = vec!["run", "--protocol", "2025-11-25", "--format", "json", "--timeout", "3", "--only", id];
        args.extend(["--skip", "tools/*", "--", program, "serve", "--transport", "stdio", "--fault", fault]);
        let record = record(&Bench::new().run(&args));
        let entries = record["requirements"].as_array().into_iter().flatten();
        let findings = entries.filter(|entry| entry["id"] == id).filter_map(|entry| entry["findings"].as_array());
        let calls: Vec<&Value> = findings.flatten().filter_map(|finding| finding.get("generated")).collect();
        let minimal: Vec<String> =
            calls.iter().filter(|call| call["minimal"] == true).map(|call| call["call"].to_string()).collect();
        assert!(!minimal.is_empty(), "{fault}: {calls:?}");
        assert!(minimal.iter().all(|call| expected.contains(&call.as_str())), "{fault}: {minimal:?}");
    }
}

/// The call that is shown for a fault: what it breaks if anything, and its arguments.
fn shown(tool: &str, fault: &str) -> String {
    let id = fault.split('/').next().unwrap_or_default();
    let server = ["serve", "--transport", "stdio", "--quirk", "no-annotations", "--fault", fault];
    let program = env!("CARGO_BIN_EXE_mcp-conform");
    let mut args = vec!["run", "--protocol", "2025-11-25", "--format", "json", "--timeout", "3"];
    // Without annotations a tool may reach the world outside, and would get few calls.
    args.extend(["--cases", "100", "--only", id, "--tool", tool, "--", program]);
    args.extend(server);
    let outcome = Bench::new().run(&args);
    let record = record(&outcome);
    let found = |entry: &&Value| entry["id"] == id;
    let Some(entry) = record["requirements"].as_array().into_iter().flatten().find(found) else {
        return "it is not in the record".to_owned();
    };
    let findings = entry["findings"].as_array().into_iter().flatten();
    let calls: Vec<&Value> = findings.filter_map(|finding| finding.get("generated")).collect();
    if calls.is_empty() {
        return format!("not found ({})", entry["status"]);
    }
    let one = |generated: &&Value| {
        let keyword = generated["keyword"].as_str().map_or(String::new(), |keyword| format!("{keyword} broken by "));
        let rough = if generated["minimal"] == true { "" } else { " (not made simple)" };
        format!("{keyword}{}{rough}", generated["call"]["arguments"])
    };
    // What is broken at several places is shown for each of them: one is enough here.
    calls.iter().map(one).min_by_key(String::len).unwrap_or_default()
}

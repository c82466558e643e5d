//! The tools as their author wrote them, in the order of the list, each with the revisions that have it.

use serde_json::{Value, json};

use super::{EXTRA, TOGGLE, icon};
use crate::Revision;
use crate::Revision::{V2024_11_05, V2025_03_26, V2025_06_18, V2025_11_25, V2026_07_28};
use crate::settings::Settings;

type Entry = (Revision, Revision, Value);

pub(super) fn all(settings: &Settings) -> Vec<Entry> {
    let mut all = Vec::new();
    all.extend(arguments());
    all.extend(contents());
    all.extend(effects());
    all.extend(conversations(settings));
    if settings.quirk("many-tools") {
        all.extend((1..=300).map(|n| always(&format!("numbered_{n:03}"), "One of many.", nothing(), read_only())));
    }
    // Last, so that it changes no page but the last.
    all.push(always(EXTRA, "Is there only sometimes.", nothing(), read_only()));
    all
}

fn always(name: &str, description: &str, input: Value, annotations: Value) -> Entry {
    since(V2024_11_05, name, description, input, annotations)
}

fn since(first: Revision, name: &str, description: &str, input: Value, annotations: Value) -> Entry {
    let mut definition = json!({"name": name, "description": description, "inputSchema": input});
    if !annotations.is_null() {
        definition["annotations"] = annotations;
    }
    (first, V2026_07_28, definition)
}

fn with(mut entry: Entry, member: &str, value: Value) -> Entry {
    entry.2[member] = value;
    entry
}

fn read_only() -> Value {
    json!({"readOnlyHint": true, "openWorldHint": false})
}

fn nothing() -> Value {
    json!({"type": "object", "additionalProperties": false})
}

fn object(properties: Value, required: &[&str]) -> Value {
    json!({"type": "object", "properties": properties, "required": required, "additionalProperties": false})
}

/// Tools that differ in what they take.
fn arguments() -> Vec<Entry> {
    let echo = object(json!({"message": {"type": "string", "description": "What to repeat."}}), &["message"]);
    let greet = object(json!({"name": {"type": "string", "maxLength": 40}, "loud": {"type": "boolean"}}), &[]);
    let tree = json!({"type": "object", "properties": {"root": {"$ref": "#/$defs/node"}}, "required": ["root"],
        "$defs": {"node": {"type": "object", "properties": {"name": {"type": "string"},
            "children": {"type": "array", "items": {"$ref": "#/$defs/node"}, "maxItems": 3}},
            "required": ["name"], "additionalProperties": false}}});
    let region = json!({"name": "query_region", "description": "Tells what a region would be asked.",
        "inputSchema": region(), "annotations": read_only()});
    vec![
        with(always("echo", "Repeats a message.", echo, read_only()), "title", json!("Echo")),
        add(),
        always("describe_order", "Puts an order into words.", order(), read_only()),
        always("version", "Tells the version of this server.", nothing(), read_only()),
        always("greet", "Says hello.", greet, read_only()),
        always("measure_tree", "Counts the nodes of a tree.", tree, read_only()),
        with(
            always("statistics", "Count, sum and mean of numbers.", numbers(), read_only()),
            "outputSchema",
            statistics(),
        ),
        (V2026_07_28, V2026_07_28, region),
    ]
}

fn add() -> Entry {
    let number = json!({"type": "integer", "minimum": -1_000_000, "maximum": 1_000_000});
    let sum = json!({"type": "object", "properties": {"sum": {"type": "integer"}}, "required": ["sum"]});
    let hints = json!({"title": "Add", "readOnlyHint": true, "destructiveHint": false, "idempotentHint": true,
        "openWorldHint": false});
    let add = always("add", "Adds two whole numbers.", object(json!({"a": number, "b": number}), &["a", "b"]), hints);
    let add = with(with(add, "outputSchema", sum), "icons", json!([icon()]));
    with(add, "_meta", json!({"com.example/category": "arithmetic"}))
}

fn order() -> Value {
    let item = object(
        json!({"sku": {"type": "string", "pattern": "^[A-Z]{2}-[0-9]{3}$"},
            "quantity": {"type": "integer", "minimum": 1, "maximum": 100}}),
        &["sku", "quantity"],
    );
    let customer = object(
        json!({"name": {"type": "string", "minLength": 1, "maxLength": 60}, "vip": {"type": "boolean"}}),
        &["name"],
    );
    object(
        json!({"customer": customer, "items": {"type": "array", "items": item, "minItems": 1, "maxItems": 5},
            "priority": {"type": "string", "enum": ["low", "normal", "high"]},
            "discount": {"type": "number", "minimum": 0, "exclusiveMaximum": 1}}),
        &["customer", "items"],
    )
}

fn numbers() -> Value {
    let number = json!({"type": "number", "minimum": -1_000_000, "maximum": 1_000_000});
    object(json!({"numbers": {"type": "array", "items": number, "minItems": 1, "maxItems": 50}}), &["numbers"])
}

fn statistics() -> Value {
    json!({"type": "object", "properties": {"count": {"type": "integer", "minimum": 0}, "sum": {"type": "number"},
        "mean": {"type": "number"}}, "required": ["count", "sum", "mean"], "additionalProperties": false})
}

fn region() -> Value {
    let options = json!({"type": "object", "additionalProperties": false,
        "properties": {"dry_run": {"type": "boolean", "x-mcp-header": "Dry-Run"}}});
    object(
        json!({"region": {"type": "string", "x-mcp-header": "Region"},
            "limit": {"type": "integer", "minimum": 0, "maximum": 1000, "x-mcp-header": "Limit"}, "options": options}),
        &["region"],
    )
}

/// Tools that differ in what they give.
fn contents() -> Vec<Entry> {
    vec![
        always("draw_pixel", "Gives an image.", nothing(), read_only()),
        since(V2025_03_26, "play_silence", "Gives a sound.", nothing(), read_only()),
        since(V2025_06_18, "link_poem", "Gives a link to a resource.", nothing(), read_only()),
        always("embed_readme", "Gives an embedded resource.", nothing(), read_only()),
        always("mixed", "Gives blocks of every kind, with annotations.", nothing(), read_only()),
        always("empty", "Gives nothing.", nothing(), read_only()),
        always("fail", "Always fails.", nothing(), read_only()),
        always("read_counter", "Tells the counter.", nothing(), read_only()),
    ]
}

/// Tools that change something, in memory alone.
fn effects() -> Vec<Entry> {
    let harmless = json!({"readOnlyHint": false, "destructiveHint": false, "idempotentHint": false,
        "openWorldHint": false});
    let destructive = json!({"readOnlyHint": false, "destructiveHint": true, "idempotentHint": true});
    let note = json!({"type": "object", "properties": {"text": {"type": "string", "maxLength": 200}},
        "required": ["text"]});
    vec![
        always("bump_counter", "Adds one to the counter.", nothing(), harmless.clone()),
        always("reset_counter", "Sets the counter to zero.", nothing(), destructive),
        always("keep_note", "Keeps a note in memory.", note, Value::Null),
        always(TOGGLE, "Puts the tool extra on the list or takes it off.", nothing(), harmless.clone()),
        since(
            V2026_07_28,
            "flash_extra",
            "Puts the tool extra on the list and takes it off again.",
            nothing(),
            harmless,
        ),
    ]
}

/// Tools that say something while they run, or ask the client.
fn conversations(settings: &Settings) -> Vec<Entry> {
    let slow = object(
        json!({"steps": {"type": "integer", "minimum": 1, "maximum": 5, "description": "How many; default 3."},
            "milliseconds": {"type": "integer", "minimum": 1, "maximum": 100, "description": "Of each; default 40."}}),
        &[],
    );
    // New servers of 2026-07-28 should not ask for these.
    let last = if settings.quirk("deprecated-input-requests") { V2026_07_28 } else { V2025_11_25 };
    let until = |(first, _, definition): Entry| (first, last, definition);
    let never = always("never_a_task", "Runs at once or not at all.", nothing(), read_only());
    let mut never = with(never, "execution", json!({"taskSupport": "forbidden"}));
    never.0 = V2025_11_25;
    vec![
        always("work_slowly", "Takes its time and reports progress.", slow, read_only()),
        always("log_all_levels", "Logs a message of every level.", nothing(), read_only()),
        until(always("list_roots", "Tells the roots of the client.", nothing(), read_only())),
        until(always("ask_model", "Asks the client's model for a greeting.", nothing(), read_only())),
        since(V2025_06_18, "ask_name", "Asks the user for a name.", nothing(), read_only()),
        never,
    ]
}

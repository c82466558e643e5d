//! The tools as their author wrote them, in the order of the list, each with the revisions that have it.

use serde_json::{Value, json};

use super::entry::{always, nothing, object, read_only, since, with};
use super::{EXTRA, TOGGLE, TOGGLES, icon, schemas};
use crate::Revision::{V2025_03_26, V2025_06_18, V2025_11_25, V2026_07_28};
use crate::core::Entry;
use crate::deviation::Deviation;
use crate::settings::Settings;

/// All tools, with those of the fixtures where they belong.
pub(crate) fn all(settings: &Settings, fixtures: impl Iterator<Item = Entry>) -> Vec<Entry> {
    let mut all = Vec::new();
    all.extend(arguments());
    all.extend(contents());
    all.extend(effects());
    all.extend(baskets(settings));
    all.extend(conversations(settings));
    all.extend(super::towns::entries());
    all.extend(schemas::entries());
    if settings.quirk("many-tools") {
        all.extend((1..=300).map(|n| {
            always(
                &format!("numbered_{n:03}"),
                "Returns nothing of interest: it is one of very many.",
                nothing(),
                read_only(),
            )
        }));
    }
    all.extend(fixtures);
    // Last, so that it changes no page but the last.
    all.push(always(EXTRA, "Returns a confirmation; it is on the list only for some time.", nothing(), read_only()));
    all
}

/// Tools that differ in what they take.
fn arguments() -> Vec<Entry> {
    let message = json!({"type": "string", "description": "What to repeat.", "examples": ["Good morning."]});
    let echo = object(json!({"message": message}), &["message"]);
    let greet = object(
        json!({"name": {"type": "string", "maxLength": 40, "description": "Whom to greet, for example Ann."},
            "loud": {"type": "boolean", "description": "Whether in capital letters."}}),
        &[],
    );
    let tree = json!({"type": "object", "properties": {"top": {"$ref": "#/$defs/node"}}, "required": ["top"],
        "examples": [{"top": {"name": "root"}}], "additionalProperties": false,
        "$defs": {"node": {"type": "object", "properties": {"name": {"type": "string", "description": "Any name."},
            "children": {"type": "array", "items": {"$ref": "#/$defs/node"}, "maxItems": 3,
                "description": "The nodes right below."}},
            "required": ["name"], "additionalProperties": false}}});
    let mut hints = read_only();
    hints["title"] = json!("Query region");
    let region = json!({"name": "query_region", "description": "Returns a sentence on what would be asked in some part of the world.",
        "inputSchema": region(), "annotations": hints});
    vec![
        with(
            always("echo", "Returns the message that it was sent, word for word.", echo, read_only()),
            "title",
            json!("Echo"),
        ),
        add(),
        always(
            "describe_order",
            "Puts who orders how many kinds of things into words and returns the sentence.",
            order(),
            read_only(),
        ),
        always("version", "Returns the number under which this software was released.", nothing(), read_only()),
        always("greet", "Returns a friendly hello, to the world if nobody is named.", greet, read_only()),
        always(
            "measure_tree",
            "Counts all nodes from the top one on and returns their number, for example 3.",
            tree,
            read_only(),
        ),
        with(
            always("statistics", "Returns count, sum and mean of a list of numbers.", numbers(), read_only()),
            "outputSchema",
            statistics(),
        ),
        (V2026_07_28, V2026_07_28, region),
    ]
}

fn add() -> Entry {
    let number = |about: &str| json!({"type": "integer", "minimum": -1_000_000, "maximum": 1_000_000, "description": about, "examples": [17]});
    let sum = json!({"type": "object", "properties": {"sum": {"type": "integer"}}, "required": ["sum"]});
    let hints = json!({"title": "Add", "readOnlyHint": true, "destructiveHint": false, "idempotentHint": true,
        "openWorldHint": false});
    let add = always(
        "add",
        "Returns the sum of two whole figures between minus and plus a million.",
        object(json!({"a": number("One."), "b": number("The other.")}), &["a", "b"]),
        hints,
    );
    let add = with(with(add, "outputSchema", sum), "icons", json!([icon()]));
    with(add, "_meta", json!({"com.example/category": "arithmetic"}))
}

fn order() -> Value {
    let item = object(
        json!({"sku": {"type": "string", "pattern": "^[A-Z]{2}-[0-9]{3}$",
                "description": "Which one, for example AB-123."},
            "quantity": {"type": "integer", "minimum": 1, "maximum": 100, "description": "How many."}}),
        &["sku", "quantity"],
    );
    let customer = object(
        json!({"name": {"type": "string", "minLength": 1, "maxLength": 60, "description": "Who orders."},
            "vip": {"type": "boolean", "description": "Whether it is a very good customer."}}),
        &["name"],
    );
    let items =
        json!({"type": "array", "items": item, "minItems": 1, "maxItems": 5, "description": "What is ordered."});
    object(
        json!({"customer": with_description(customer, "Who orders."), "items": items,
            "priority": {"type": "string", "enum": ["low", "normal", "high"], "description": "How soon."},
            "discount": {"type": "number", "minimum": 0, "exclusiveMaximum": 1, "description": "Part of the price."}}),
        &["customer", "items"],
    )
}

fn with_description(mut schema: Value, about: &str) -> Value {
    schema["description"] = json!(about);
    schema
}

fn numbers() -> Value {
    let number = json!({"type": "number", "minimum": -1_000_000, "maximum": 1_000_000});
    let numbers = json!({"type": "array", "items": number, "minItems": 1, "maxItems": 50,
        "description": "What to count and add.", "examples": [[1, 2.5]]});
    object(json!({"numbers": numbers}), &["numbers"])
}

fn statistics() -> Value {
    json!({"type": "object", "properties": {"count": {"type": "integer", "minimum": 0}, "sum": {"type": "number"},
        "mean": {"type": "number"}}, "required": ["count", "sum", "mean"], "additionalProperties": false})
}

fn region() -> Value {
    let options = json!({"type": "object", "additionalProperties": false, "description": "What else matters.",
        "properties": {"dry_run": {"type": "boolean", "x-mcp-header": "Dry-Run", "description": "Only to try."}}});
    object(
        json!({"region": {"type": "string", "x-mcp-header": "Region", "description": "Which, for example eu."},
            "limit": {"type": "integer", "minimum": 0, "maximum": 1000, "x-mcp-header": "Limit",
                "description": "How much at most."}, "options": options}),
        &["region"],
    )
}

/// Tools that differ in what they give.
fn contents() -> Vec<Entry> {
    vec![
        always("draw_pixel", "Returns an image of a single dot, as PNG.", nothing(), read_only()),
        since(V2025_03_26, "play_silence", "Returns a sound too short to be heard, as WAV.", nothing(), read_only()),
        since(V2025_06_18, "link_poem", "Returns a resource link to some verses.", nothing(), read_only()),
        always("embed_readme", "Returns the file about this server inside the result.", nothing(), read_only()),
        always("mixed", "Returns content of every kind there is, with annotations.", nothing(), read_only()),
        always("empty", "Returns a result without any content.", nothing(), read_only()),
        always("fail", "Returns an error whatever happens, for clients to practise with.", nothing(), read_only()),
        always("read_counter", "Returns the number to which this server has counted.", nothing(), read_only()),
    ]
}

/// Tools that change something, in memory alone.
fn effects() -> Vec<Entry> {
    let harmless = json!({"readOnlyHint": false, "destructiveHint": false, "idempotentHint": false,
        "openWorldHint": false});
    let destructive = json!({"readOnlyHint": false, "destructiveHint": true, "idempotentHint": true,
        "openWorldHint": false});
    let text = json!({"type": "string", "maxLength": 200, "description": "What to remember, for example a name."});
    let note = object(json!({"text": text}), &["text"]);
    vec![
        always(
            "bump_counter",
            "Adds one to the number that is kept and returns a confirmation.",
            nothing(),
            harmless.clone(),
        ),
        always(
            "reset_counter",
            "Sets the number that is kept back to zero and returns a confirmation.",
            nothing(),
            destructive.clone(),
        ),
        always(
            "keep_note",
            "Remembers a short text until the server ends and returns a confirmation.",
            note,
            destructive,
        ),
        always(
            TOGGLE,
            "Puts one more tool on the list or takes it off, and returns a confirmation.",
            nothing(),
            harmless.clone(),
        ),
        always(
            TOGGLES[1],
            "Puts one more prompt on the list or takes it off, and returns a confirmation.",
            nothing(),
            harmless.clone(),
        ),
        always(
            TOGGLES[2],
            "Puts one more resource on the list or takes it off, and returns a confirmation.",
            nothing(),
            harmless.clone(),
        ),
        since(
            V2026_07_28,
            "flash_extra",
            "Puts one more tool on the list, takes it off at once and returns a confirmation.",
            nothing(),
            harmless,
        ),
    ]
}

/// Tools that keep a state for the client.
fn baskets(settings: &Settings) -> Vec<Entry> {
    let hints = json!({"readOnlyHint": false, "destructiveHint": false, "idempotentHint": false,
        "openWorldHint": false});
    let id = json!({"type": "string", "minLength": 1, "maxLength": 200,
        "description": "As open_basket returned it, for example basket-1."});
    let opened = json!({"type": "object", "properties": {"basket_id": id}, "required": ["basket_id"]});
    let silent = settings.deviates(Deviation::HandleLifetimeUndocumented);
    let opening = if silent {
        "Returns the id of something new to put things into."
    } else {
        "Returns the id of something new to put things into, which is kept for one hour."
    };
    let filled = object(
        json!({"basket_id": id, "item": {"type": "string", "maxLength": 60, "description": "What to put in."}}),
        &["basket_id", "item"],
    );
    vec![
        with(since(V2026_07_28, "open_basket", opening, nothing(), hints.clone()), "outputSchema", opened),
        since(
            V2026_07_28,
            "add_to_basket",
            "Puts something where it was told to and returns a confirmation.",
            filled,
            hints.clone(),
        ),
        since(
            V2026_07_28,
            "end_subscriptions",
            "Lets nobody hear of changes any more and returns a confirmation.",
            nothing(),
            hints.clone(),
        ),
        since(
            V2026_07_28,
            "bump_slowly",
            "Adds one to the number that is kept, after a while, and returns a confirmation.",
            nothing(),
            hints,
        ),
    ]
}

/// Tools that say something while they run, or ask the client.
fn conversations(settings: &Settings) -> Vec<Entry> {
    let slow = object(
        json!({"steps": {"type": "integer", "minimum": 1, "maximum": 12, "description": "How many, for example 4; else 3."},
            "milliseconds": {"type": "integer", "minimum": 1, "maximum": 100, "description": "Of each, for example 20; else 40."}}),
        &[],
    );
    let sign_in = object(
        json!({"user": {"type": "string", "description": "Who, for example ann."},
            "password": {"type": "string", "description": "A secret."}}),
        &["user", "password"],
    );
    // New servers of 2026-07-28 should not ask for these.
    let last = if settings.quirk("deprecated-input-requests") { V2026_07_28 } else { V2025_11_25 };
    let asks_models = settings.deviates(Deviation::AsksModelsInEveryRevision);
    let last = if asks_models { V2026_07_28 } else { last };
    let until = |(first, _, definition): Entry| (first, last, definition);
    let never = always(
        "never_a_task",
        "Returns at once, and never becomes something to be waited for.",
        nothing(),
        read_only(),
    );
    let mut never = with(never, "execution", json!({"taskSupport": "forbidden"}));
    never.0 = V2025_11_25;
    let optional = |entry: Entry| with(entry, "execution", json!({"taskSupport": "optional"}));
    let mut research = always(
        "research",
        "Takes its time, asks for a name if told to and returns what was found out.",
        research(),
        read_only(),
    );
    research = with(research, "execution", json!({"taskSupport": "required"}));
    (research.0, research.1) = (V2025_11_25, V2025_11_25);
    let mut visit = optional(always(
        "visit_first",
        "Sends the user to a web address before it returns a confirmation.",
        nothing(),
        read_only(),
    ));
    (visit.0, visit.1) = (V2025_11_25, V2025_11_25);
    vec![
        optional(always(
            "work_slowly",
            "Takes some steps one after the other, reports progress and returns how many there were.",
            slow,
            read_only(),
        )),
        optional(always(
            "fail_slowly",
            "Reports progress for a moment and then returns an error.",
            nothing(),
            read_only(),
        )),
        always(
            "log_all_levels",
            "Sends one log message of every severity and returns a confirmation.",
            nothing(),
            read_only(),
        ),
        always(
            "sign_in",
            "Logs who asks to be let in and returns an error, since nobody is known.",
            sign_in,
            read_only(),
        ),
        until(always(
            "list_roots",
            "Asks the client which folders it works in and returns their number.",
            nothing(),
            read_only(),
        )),
        until(optional(always(
            "ask_model",
            "Lets the language model of the client write a greeting and returns it.",
            nothing(),
            read_only(),
        ))),
        optional(since(
            V2025_06_18,
            "ask_name",
            "Lets the user fill in a form and returns the answer.",
            nothing(),
            read_only(),
        )),
        since(
            V2025_11_25,
            "open_page",
            "Sends the user to a web address and returns whether they agreed.",
            nothing(),
            read_only(),
        ),
        since(
            V2026_07_28,
            "book_table",
            "Lets the user fill in who comes to dinner and returns a confirmation, with state in between.",
            nothing(),
            read_only(),
        ),
        since(
            V2026_07_28,
            "book_room",
            "Lets the user fill in who stays overnight and returns a confirmation, with another state in between.",
            nothing(),
            read_only(),
        ),
        never,
        research,
        visit,
    ]
}

fn research() -> Value {
    object(
        json!({"topic": {"type": "string", "maxLength": 200, "description": "About what, for example bees."},
            "ambiguous": {"type": "boolean", "description": "Whether to ask what is meant."}}),
        &["topic"],
    )
}

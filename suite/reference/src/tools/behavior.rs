//! The behavior of the tools. Arguments have been checked against the input schema.

use std::time::Duration;

use serde_json::{Value, json};

use super::{baskets, clients, content, measured, talk, towns};
use crate::Revision;
use crate::core::{Call, Connection, Reply, What, failure};
use crate::deviation::Deviation;

/// How long a tool stays that goes again.
const BRIEF: Duration = Duration::from_millis(50);

pub(crate) fn run(connection: &mut Connection, call: &Call, tool: &str, arguments: &Value) -> Reply {
    if let Some(reply) = towns::run(connection, tool, arguments) {
        return reply;
    }
    match tool {
        "work_slowly" => talk::work_slowly(connection, call, arguments),
        "fail_slowly" => talk::fail_slowly(connection, call),
        "log_all_levels" => talk::log_all_levels(connection, call),
        "sign_in" => talk::sign_in(connection, call, arguments),
        "list_roots" => clients::list_roots(connection, call),
        "ask_model" => clients::ask_model(connection, call),
        "bump_counter"
        | "reset_counter"
        | "keep_note"
        | "toggle_extra"
        | "flash_extra"
        | "end_subscriptions"
        | "toggle_extra_prompt"
        | "toggle_extra_resource" => change(connection, tool, arguments),
        "ask_name" | "book_table" | "book_room" => clients::ask_name(connection, call),
        "open_basket" => baskets::open(connection, call),
        "add_to_basket" => baskets::add(connection, call, arguments),
        "bump_slowly" => talk::bump_slowly(connection, call),
        "describe_text" if is_used_up(connection, arguments) => Reply::Result(failure("This was asked before.")),
        "weigh_parcel" | "evaluate_sum" | "describe_text" => {
            Reply::Result(content::structured(call, &measured::compute(&connection.server, tool, arguments)))
        }
        "research" => talk::research(connection, call, arguments),
        "open_page" => clients::open_page(connection, call),
        "visit_first" => clients::visit_first(connection, call),
        "add" | "statistics" => Reply::Result(content::structured(call, &compute(tool, arguments))),
        "fail" if connection.server.deviates(Deviation::ErrorsAreLong) => {
            Reply::Result(failure(&"This tool always fails. Call another one. ".repeat(60)))
        }
        "fail" => Reply::Result(failure("This tool always fails. Call another one.")),
        _ => Reply::Result(json!({"content": blocks(connection, call, tool, arguments)})),
    }
}

/// Whether a fault has forgotten what it told once; what is told now is used up.
fn is_used_up(connection: &Connection, arguments: &Value) -> bool {
    let forgets = connection.server.deviates(Deviation::ReadOnlyToolsUsedUp);
    forgets && !connection.server.state().told.insert(arguments.to_string())
}

fn blocks(connection: &Connection, call: &Call, tool: &str, arguments: &Value) -> Vec<Value> {
    if tool == "version" && connection.server.deviates(Deviation::ReadOnlyToolsCount) {
        connection.server.state().counter += 1;
    }
    let one = match tool {
        "echo" => content::text(arguments["message"].as_str().unwrap_or_default()),
        "describe_order" => content::text(describe_order(arguments)),
        "version" => content::text(env!("CARGO_PKG_VERSION")),
        "greet" => content::text(greet(arguments)),
        "measure_tree" => content::text(count_nodes(&arguments["top"]).to_string()),
        "query_region" => content::text(format!("Would ask {}.", arguments["region"].as_str().unwrap_or_default())),
        "draw_pixel" => content::image(),
        "play_silence" => content::audio(),
        "link_poem" => content::link(),
        "embed_readme" => content::embedded_text(),
        "read_counter" => content::text(connection.server.state().counter.to_string()),
        "address_label" | "tag_photo" | "ship_order" | "pay_bill" | "count_up" => {
            content::text(measured::tell(tool, arguments))
        }
        "mixed" => return mixed(call.revision),
        "empty" => return Vec::new(),
        _ => content::text(format!("{tool} is done.")),
    };
    vec![one]
}

fn mixed(revision: Revision) -> Vec<Value> {
    let mut blocks =
        vec![content::text("First."), content::image(), content::embedded_text(), content::embedded_blob()];
    if revision >= Revision::V2025_03_26 {
        blocks.push(content::audio());
    }
    if revision >= Revision::V2025_06_18 {
        blocks.push(content::link());
    }
    let steps = blocks.len() as f64 - 1.0;
    let annotate = |(index, block)| content::annotated(block, index as f64 / steps, revision);
    blocks.into_iter().enumerate().map(annotate).collect()
}

fn describe_order(order: &Value) -> String {
    let items = order["items"].as_array().map_or(0, Vec::len);
    format!("{} orders {items} kinds of things.", order["customer"]["name"].as_str().unwrap_or_default())
}

fn greet(arguments: &Value) -> String {
    let greeting = format!("Hello, {}!", arguments["name"].as_str().unwrap_or("world"));
    if arguments["loud"] == true { greeting.to_uppercase() } else { greeting }
}

fn count_nodes(node: &Value) -> usize {
    1 + node["children"].as_array().into_iter().flatten().map(count_nodes).sum::<usize>()
}

fn compute(tool: &str, arguments: &Value) -> Value {
    if tool == "add" {
        // The schema takes 1.0 for an integer, and it is one.
        let whole = |name: &str| arguments[name].as_f64().unwrap_or_default() as i64;
        return json!({"sum": whole("a") + whole("b")});
    }
    let numbers: Vec<f64> = arguments["numbers"].as_array().into_iter().flatten().filter_map(Value::as_f64).collect();
    // A fault may let arguments pass that break the schema; the result is to keep its own all the same.
    let sum = Some(numbers.iter().sum::<f64>()).filter(|sum| sum.is_finite()).unwrap_or_default();
    json!({"count": numbers.len(), "sum": sum, "mean": sum / numbers.len().max(1) as f64})
}

fn change(connection: &mut Connection, tool: &str, arguments: &Value) -> Reply {
    let mut state = connection.server.state();
    match tool {
        "keep_note" => state.note = arguments["text"].as_str().unwrap_or_default().to_owned(),
        "toggle_extra" | "flash_extra" => {
            let stays = tool == "toggle_extra" && !connection.server.deviates(Deviation::ListChangesDoNotFollow);
            state.extra_tool ^= stays;
            state.generations.tools += 1;
            drop(state);
            if stays && connection.server.quirk("brief-changes") {
                connection.later(BRIEF, None, What::Toggle);
            }
        }
        "end_subscriptions" => state.generations.endings += 1,
        "toggle_extra_prompt" => {
            state.extra_prompt ^= true;
            state.generations.prompts += 1;
        }
        "toggle_extra_resource" => {
            state.extra_resource ^= true;
            state.generations.resources += 1;
        }
        _ => {
            let counts = tool == "bump_counter" || connection.server.deviates(Deviation::IdempotentToolsCount);
            state.counter = if counts { state.counter.saturating_add(1) } else { 0 };
            state.generations.counter += 1;
        }
    }
    Reply::Result(json!({"content": [content::text(format!("{tool} is done."))]}))
}

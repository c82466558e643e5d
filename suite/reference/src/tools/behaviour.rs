//! What the tools do. Arguments have been checked against the input schema.

use std::time::Duration;

use serde_json::{Value, json};

use super::{clients, content, failure};
use crate::Revision;
use crate::core::{Call, Connection, Reply, What};
use crate::methods::LEVELS;

pub(crate) fn run(connection: &mut Connection, call: &Call, tool: &str, arguments: &Value) -> Reply {
    match tool {
        "work_slowly" => work_slowly(connection, call, arguments),
        "log_all_levels" => log_all_levels(connection, call),
        "list_roots" => clients::list_roots(connection, call),
        "ask_model" => clients::ask_model(connection, call),
        "ask_name" => clients::ask_name(connection, call),
        "bump_counter" | "reset_counter" | "keep_note" | "toggle_extra" | "flash_extra" => {
            change(connection, tool, arguments)
        }
        "add" | "statistics" => Reply::Result(structured(call, &compute(tool, arguments))),
        "fail" => Reply::Result(failure("This tool always fails. Call another one.")),
        _ => Reply::Result(json!({"content": blocks(connection, call, tool, arguments)})),
    }
}

fn blocks(connection: &Connection, call: &Call, tool: &str, arguments: &Value) -> Vec<Value> {
    let one = match tool {
        "echo" => content::text(arguments["message"].as_str().unwrap_or_default()),
        "describe_order" => content::text(describe_order(arguments)),
        "version" => content::text(env!("CARGO_PKG_VERSION")),
        "greet" => content::text(greet(arguments)),
        "measure_tree" => content::text(count_nodes(&arguments["root"]).to_string()),
        "query_region" => content::text(format!("Would ask {}.", arguments["region"].as_str().unwrap_or_default())),
        "draw_pixel" => content::image(),
        "play_silence" => content::audio(),
        "link_poem" => content::link(),
        "embed_readme" => content::embedded_text(),
        "read_counter" => content::text(connection.server.state().counter.to_string()),
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

/// Structured content and its twin as text; revisions that know no structured content get the text alone.
fn structured(call: &Call, value: &Value) -> Value {
    let mut result = json!({"content": [content::text(value.to_string())]});
    if call.revision >= Revision::V2025_06_18 {
        result["structuredContent"] = value.clone();
    }
    result
}

fn change(connection: &mut Connection, tool: &str, arguments: &Value) -> Reply {
    let mut state = connection.server.state();
    match tool {
        "keep_note" => state.note = arguments["text"].as_str().unwrap_or_default().to_owned(),
        "toggle_extra" | "flash_extra" => {
            let stays = tool == "toggle_extra" && !connection.server.faulty("tools.list-changed.list-follows");
            state.extra_tool ^= stays;
            state.tools_generation += 1;
        }
        _ => {
            state.counter = if tool == "bump_counter" { state.counter.saturating_add(1) } else { 0 };
            state.counter_generation += 1;
        }
    }
    Reply::Result(json!({"content": [content::text(format!("{tool} is done."))]}))
}

fn log_all_levels(connection: &mut Connection, call: &Call) -> Reply {
    for (level, name) in LEVELS.iter().enumerate() {
        connection.log(call, level, json!(format!("A message of level {name}.")));
    }
    Reply::Result(json!({"content": [content::text("Logged.")]}))
}

fn work_slowly(connection: &mut Connection, call: &Call, arguments: &Value) -> Reply {
    let given = |name: &str, default| arguments[name].as_f64().map_or(default, |number| number as u32);
    let (steps, each) = (given("steps", 3), Duration::from_millis(given("milliseconds", 40).into()));
    let key = Some(call.key);
    if let Some(token) = call.progress_token() {
        for step in 1..=steps {
            let mut params = json!({"progressToken": token, "progress": step, "total": steps});
            if call.revision >= Revision::V2025_03_26 {
                params["message"] = json!(format!("Step {step} of {steps} is done."));
            }
            connection.later(each * step, key, What::Notify(Box::new(call.clone()), "notifications/progress", params));
        }
    }
    let result = json!({"content": [content::text(format!("{steps} steps are done."))]});
    connection.later(each * steps, key, What::Finish(Box::new(call.clone()), Reply::Result(result)));
    Reply::Later
}

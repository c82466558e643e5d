//! The behavior of the tools of [`super::schemas`]: they have no effect, and only report on their arguments.

use serde_json::{Value, json};

use crate::core::Server;
use crate::deviation::Deviation;

/// The structured content of a tool that has some.
pub(super) fn compute(server: &Server, tool: &str, arguments: &Value) -> Value {
    match tool {
        "weigh_parcel" => weigh(server, arguments),
        "evaluate_sum" => {
            json!({"value": add_up(&arguments["sum"]).clamp(-1e300, 1e300), "depth": depth(&arguments["sum"])})
        }
        _ => measure(server, arguments["text"].as_str().unwrap_or_default()),
    }
}

/// Returns the text of the tools without structured content.
pub(super) fn tell(tool: &str, arguments: &Value) -> String {
    let count = |name: &str| arguments[name].as_array().map_or(0, Vec::len);
    let word = |pointer: &str| arguments.pointer(pointer).and_then(Value::as_str).unwrap_or("nobody").to_owned();
    match tool {
        "address_label" => format!("To {}.", word("/name")),
        "tag_photo" => format!("{} tags, {} ratings, {} spots.", count("tags"), count("ratings"), count("spots")),
        "ship_order" => format!("{} lines to {}.", count("lines"), word("/customer/address/city")),
        "pay_bill" => format!("Would be paid by {}.", word("/method/kind")),
        _ => count_up(arguments),
    }
}

fn weigh(server: &Server, arguments: &Value) -> Value {
    let number = |name: &str| arguments[name].as_f64().unwrap_or_default().clamp(0.0, 1e9);
    let service = arguments["service"].as_str().unwrap_or("economy");
    let price = (number("grams") + number("kilometres") + number("insured")) / 100.0;
    let price = if service == "overnight" && server.deviates(Deviation::PricesInWords) {
        json!(format!("{price} and more"))
    } else {
        json!(price)
    };
    json!({"price": price, "service": service})
}

fn add_up(sum: &Value) -> f64 {
    sum.as_f64().unwrap_or_else(|| sum["plus"].as_array().into_iter().flatten().map(add_up).sum())
}

/// How many sums are one inside the other.
pub(crate) fn depth(sum: &Value) -> usize {
    sum["plus"].as_array().map_or(0, |inner| 1 + inner.iter().map(depth).max().unwrap_or_default())
}

fn measure(server: &Server, text: &str) -> Value {
    let mut measures = json!({"length": text.chars().count()});
    if let Some(first) = text.chars().next() {
        measures["first"] = json!(first.to_string());
    } else if server.deviates(Deviation::NullForNothing) {
        measures["first"] = Value::Null;
    }
    measures
}

fn count_up(arguments: &Value) -> String {
    // Integers may be beyond 64 bits.
    let number = |name: &str, default: f64| arguments[name].as_f64().unwrap_or(default);
    let (from, step) = (number("from", 0.0), number("step", 1.0));
    (1..=3).map(|times| (from + f64::from(times) * step).to_string()).collect::<Vec<_>>().join(", ")
}

//! Arguments with which faults show that nothing else shows.

use serde_json::{Value, json};

/// Tools and arguments, good and bad.
pub(super) fn corners() -> Vec<(&'static str, Value)> {
    let sum = |inner: Value| json!({"plus": [inner]});
    let deep = sum(sum(sum(sum(json!(1)))));
    let all = [
        (
            "weigh_parcel",
            json!([{"grams": 0}, {"grams": 1}, {"grams": 30_001}, {"grams": "5"}, {"grams": 1.5}, {"grams": 2.0}]),
        ),
        ("weigh_parcel", json!([{"kilometres": 0}, {"kilometres": 20_000}, {"kilometres": null}])),
        ("weigh_parcel", json!([{"insured": 0}, {"insured": 7}, {"service": "Express"}, {"form": "cn22"}])),
        ("weigh_parcel", json!([{"service": "overnight"}])),
        (
            "address_label",
            json!([{"name": "a"}, {"name": "\u{e9}"}, {"name": "abcdefghijklm"}, {"name": "abcdefghijkl"}]),
        ),
        ("address_label", json!([{"name": "\u{e9}".repeat(12)}, {"name": "\u{1f600}".repeat(7)}])),
        ("address_label", json!([{"code": "--AB1--"}, {"zip": "x12345"}, {"zip": "123456"}, {"floor": null}])),
        ("address_label", json!([{"day": "yesterday"}, {"day": "2024-02-29"}])),
        ("tag_photo", json!([{"tags": ["a"]}, {"tags": ["a", "b", "c", "d", "e"]}, {"tags": ["a", "b", "c", "d"]}])),
        ("tag_photo", json!([{"tags": ["a", 1]}, {"ratings": [1, 1.0]}, {"ratings": []}])),
        ("tag_photo", json!([{"spots": [{"x": 1, "y": 2}, {"y": 2, "x": 1}]}])),
        ("ship_order", json!([{"customer": {"address": {}}}, {"customer": {"address": {"city": "Bern", "no": 1}}}])),
        ("ship_order", json!([{"options": {}}, {"options": {"A": true}}])),
        ("ship_order", json!([{"options": {"a": true, "b": true, "c": true, "d": true}}])),
        ("pay_bill", json!([{"method": {"kind": "bank", "account": "1"}}, {"rounds": 15}, {"tip": -1}])),
        ("evaluate_sum", json!([{"sum": sum(sum(json!(1)))}, {"sum": deep}])),
        ("describe_text", json!([{"text": ""}, {"text": "\u{fc}"}, {"text": "\""}])),
        ("count_up", json!([{"from": 9_007_199_254_740_993_u64}, {"step": 0}])),
    ];
    let each = |(tool, list): (&'static str, Value)| {
        let list = list.as_array().cloned().unwrap_or_default();
        list.into_iter().map(move |arguments| (tool, arguments))
    };
    all.into_iter().flat_map(each).collect()
}

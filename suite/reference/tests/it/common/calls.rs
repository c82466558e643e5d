//! Tools: every one with arguments that it takes, and calls that no tool takes.

use mcp_conform_reference::Revision;
use serde_json::{Value, json};

use super::{Step, Talk, Tour, corners};

impl Tour<'_> {
    pub(super) fn calls(&mut self, talk: &mut Talk) -> Step {
        for (name, arguments) in calls().into_iter().chain(corners::corners()) {
            let meta = json!({"progressToken": "p", "io.modelcontextprotocol/logLevel": "debug"});
            let meta = if self.revision == Revision::V2026_07_28 { meta } else { json!({"progressToken": 7}) };
            self.request(talk, "tools/call", json!({"name": name, "arguments": arguments, "_meta": meta}))?;
        }
        let wrong = [
            json!({"name": "no_such_tool", "arguments": {}}),
            json!({"arguments": {}}),
            json!({"name": 42}),
            json!({"name": "version", "arguments": []}),
            json!({"name": "version", "arguments": "x"}),
            json!({"name": "version"}),
            json!({"name": "VERSION", "arguments": {}}),
            json!({"name": "version", "arguments": {}, "task": {}}),
            json!({"name": "echo", "arguments": {}}),
            json!({"name": "add", "arguments": {"a": "x", "b": 1}}),
            json!({"name": "add", "arguments": {"a": 10_000_000, "b": 1}}),
            json!({"name": "greet", "arguments": {"loud": true}}),
        ];
        for params in wrong {
            self.request(talk, "tools/call", params)?;
        }
        for method in ["tools/call", "prompts/get", "resources/read"] {
            talk.next += 1;
            let id = talk.next;
            self.value(talk, &json!({"jsonrpc": "2.0", "id": id, "method": method}))?;
            self.request(talk, method, json!({}))?;
        }
        self.request(talk, "tools/list", json!({}))?;
        Ok(())
    }
}

/// Every tool with arguments it takes.
pub(crate) fn calls() -> Vec<(&'static str, Value)> {
    vec![
        ("reference_repeat_message", json!({"message": "hello"})),
        ("reference_add_numbers", json!({"a": 100, "b": 2})),
        ("reference_describe_order", json!({"customer": {"name": "n"}, "items": [{"sku": "AB-123", "quantity": 1}]})),
        ("reference_get_version", json!({})),
        ("reference_greet_person", json!({"name": "Ann"})),
        ("reference_measure_tree", json!({"top": {"name": "a", "children": [{"name": "b"}]}})),
        ("reference_compute_statistics", json!({"numbers": [1, 2.5]})),
        ("reference_query_region", json!({"region": "eu", "limit": 3, "options": {"dry_run": true}})),
        ("reference_draw_pixel", json!({})),
        ("reference_play_silence", json!({})),
        ("reference_link_poem", json!({})),
        ("reference_embed_readme", json!({})),
        ("reference_mix_blocks", json!({})),
        ("reference_give_nothing", json!({})),
        ("reference_fail_always", json!({})),
        ("reference_read_counter", json!({})),
        ("reference_bump_counter", json!({})),
        ("reference_reset_counter", json!({})),
        ("reference_keep_note", json!({"text": "a"})),
        ("reference_flash_extra", json!({})),
        ("reference_work_slowly", json!({"steps": 2})),
        ("reference_fail_slowly", json!({})),
        ("reference_bump_slowly", json!({})),
        ("reference_add_to_basket", json!({"basket_id": "none", "item": "an apple"})),
        ("reference_end_subscriptions", json!({})),
        ("reference_log_levels", json!({})),
        ("reference_sign_in", json!({"user": "ann", "password": "open sesame"})),
        ("reference_show_roots", json!({})),
        ("reference_ask_model", json!({})),
        ("reference_ask_name", json!({})),
        ("reference_research_topic", json!({"topic": "cats"})),
        ("reference_visit_page", json!({})),
        ("reference_open_page", json!({})),
        ("reference_book_table", json!({})),
        ("reference_book_room", json!({})),
        ("reference_run_plainly", json!({})),
        ("reference_weigh_parcel", json!({"grams": 700, "service": "express"})),
        ("reference_print_label", json!({"name": "Ann", "zip": "30000"})),
        ("reference_tag_photo", json!({"tags": ["sea", "sun"]})),
        ("reference_ship_order", json!({"lines": [{"sku": "a"}]})),
        ("reference_pay_bill", json!({"method": {"kind": "card", "number": "1"}})),
        ("reference_evaluate_sum", json!({"sum": {"plus": [1, 2]}})),
        ("reference_describe_text", json!({"text": "hello"})),
        ("reference_count_steps", json!({"from": 1})),
        ("reference_list_towns", json!({"limit": 2, "offset": 3, "response_format": "json"})),
        ("reference_get_town", json!({"town_id": "town-7"})),
        ("reference_read_story", json!({"offset": 20})),
        ("reference_read_page", json!({"path": "notes/today.md"})),
        ("reference_check_link", json!({"url": "https://example.com/"})),
        ("reference_count_values", json!({"value": {"a": [1]}})),
    ]
}

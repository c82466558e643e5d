//! The public names of tools: `reference_`, a verb and a thing. Inside the server a tool goes by a shorter name of a word
//! or two, which clients can still call it by.

use crate::deviation::Deviation;
use crate::settings::Settings;

/// Tools whose own name has no verb in front, or no thing behind.
const NAMES: [(&str, &str); 16] = [
    ("echo", "reference_repeat_message"),
    ("add", "reference_add_numbers"),
    ("version", "reference_get_version"),
    ("greet", "reference_greet_person"),
    ("statistics", "reference_compute_statistics"),
    ("mixed", "reference_mix_blocks"),
    ("empty", "reference_give_nothing"),
    ("fail", "reference_fail_always"),
    ("list_roots", "reference_show_roots"),
    ("log_all_levels", "reference_log_levels"),
    ("never_a_task", "reference_run_plainly"),
    ("extra", "reference_show_extra"),
    ("research", "reference_research_topic"),
    ("visit_first", "reference_visit_page"),
    ("address_label", "reference_print_label"),
    ("count_up", "reference_count_steps"),
];

/// Tools whose name is good once the service stands before it.
const PLAIN: [&str; 39] = [
    "describe_order",
    "measure_tree",
    "query_region",
    "draw_pixel",
    "play_silence",
    "link_poem",
    "embed_readme",
    "read_counter",
    "bump_counter",
    "reset_counter",
    "keep_note",
    "toggle_extra",
    "toggle_extra_prompt",
    "toggle_extra_resource",
    "flash_extra",
    "work_slowly",
    "fail_slowly",
    "sign_in",
    "ask_model",
    "ask_name",
    "open_page",
    "book_table",
    "book_room",
    "list_towns",
    "get_town",
    "read_story",
    "read_page",
    "check_link",
    "count_values",
    "open_basket",
    "add_to_basket",
    "end_subscriptions",
    "bump_slowly",
    "weigh_parcel",
    "tag_photo",
    "ship_order",
    "pay_bill",
    "evaluate_sum",
    "describe_text",
];

/// The name that clients see.
pub(crate) fn public_name(settings: &Settings, name: &str) -> String {
    let known = PLAIN.contains(&name) || NAMES.iter().any(|(own, _)| *own == name);
    if known && settings.deviates(Deviation::ToolNamesWithoutVerb) {
        return format!("reference_thing_{}", name.replace('_', ""));
    }
    match NAMES.iter().find(|(own, _)| *own == name) {
        Some((_, spoken)) => (*spoken).to_owned(),
        None if PLAIN.contains(&name) => format!("reference_{name}"),
        None => name.to_owned(),
    }
}

/// The tool's own name.
pub(crate) fn inner_name<'n>(settings: &Settings, name: &'n str) -> &'n str {
    let all = NAMES.iter().map(|(own, _)| *own).chain(PLAIN);
    let same = |spoken: &str| {
        if settings.deviates(Deviation::ToolNamesAnyCase) { spoken.eq_ignore_ascii_case(name) } else { spoken == name }
    };
    all.into_iter().find(|own| same(&public_name(settings, own))).unwrap_or(name)
}

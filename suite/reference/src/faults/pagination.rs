//! Faults of the area pagination. All need the handlers: what is wrong is the walk, not a message.

use serde_json::{Value, json};
use wire::mcp::code;

use super::Hook::{PageMade, PageStart};
use super::{Fault, fault};
use crate::Transport::Stdio;
use crate::core::{Action, Page, Server, cursor, offset};
use crate::error::RpcError;

pub(super) static TABLE: &[Fault] = &[
    fault(
        "pagination.next-cursor-string",
        "",
        "nextCursor is null on the last page",
        PageMade(|made, result| {
            if made.is_last() {
                result["nextCursor"] = Value::Null;
            }
        }),
    ),
    fault(
        "pagination.next-cursor-string",
        "number",
        "nextCursor is a number",
        PageMade(|made, result| {
            if !made.is_last() {
                result["nextCursor"] = json!(made.end);
            }
        }),
    )
    .and(PageStart(|page| page.cursor?.as_u64().map(|start| Ok(start as usize)))),
    fault(
        "pagination.array-on-every-page",
        "",
        "the last page has no array",
        PageMade(|made, result| {
            let members = result.as_object_mut().filter(|_| made.is_last());
            members.and_then(|members| members.shift_remove(made.page.name));
        }),
    ),
    fault(
        "pagination.array-on-every-page",
        "null",
        "the last page has null for its array",
        PageMade(|made, result| {
            if made.is_last() {
                result[made.page.name] = Value::Null;
            }
        }),
    ),
    fault(
        "pagination.terminates",
        "",
        "the last page leads to itself",
        PageMade(|made, result| {
            if made.is_last() {
                result["nextCursor"] = json!(cursor(made.page.name, made.start));
            }
        }),
    ),
    fault(
        "pagination.terminates",
        "restart",
        "the last page leads to the first",
        PageMade(|made, result| {
            if made.is_last() {
                result["nextCursor"] = json!(cursor(made.page.name, 0));
            }
        }),
    ),
    fault(
        "pagination.terminates",
        "empty",
        "the last page leads to itself by an empty cursor",
        PageMade(|made, result| {
            if made.is_last() {
                result["nextCursor"] = json!("");
            }
        }),
    )
    .and(PageStart(|page| {
        let last = page.items.len().saturating_sub(1) / page.size * page.size;
        page.text()?.is_empty().then_some(Ok(last))
    })),
    fault(
        "pagination.issued-cursor-accepted",
        "",
        "no cursor is accepted",
        PageStart(|page| page.text().map(|_| Err(RpcError::invalid_params("the cursor has expired")))),
    ),
    fault(
        "pagination.cursor-continues",
        "",
        "a cursor leads to the page that gave it",
        PageStart(|page| Some(Ok(page.offset()?.saturating_sub(page.size)))),
    ),
    fault(
        "pagination.no-duplicates",
        "",
        "the last page repeats the first entry of the list",
        PageMade(|made, result| {
            let items = result[made.page.name].as_array_mut();
            if let Some(items) = items.filter(|_| made.is_last() && made.start >= 2 * made.page.size) {
                items.push(made.page.items[0].clone());
            }
        }),
    ),
    fault(
        "pagination.no-gaps",
        "",
        "every other walk lacks an entry",
        PageMade(|made, result| {
            if made.is_last() && is_odd_walk(made.page) {
                pop(&mut result[made.page.name]);
            }
        }),
    ),
    fault(
        "pagination.stable-cursors",
        "",
        "a cursor is good for once",
        PageStart(|page| {
            page.offset()?;
            let fresh = page.server.state().cursors.insert(page.text()?.to_owned());
            (!fresh).then(|| Err(RpcError::invalid_params("the cursor has been used")))
        }),
    ),
    fault(
        "pagination.stable-cursors",
        "shorter",
        "a cursor gives less the second time",
        PageMade(|made, result| {
            // Every other use, so that a later session sees it as well.
            if made.page.text().is_some_and(|used| is_second_use(made.page.server, used)) {
                pop(&mut result[made.page.name]);
            }
        }),
    ),
    fault(
        "pagination.cursor-on-new-connection",
        "",
        "a cursor is good for one process",
        PageStart(|page| {
            let own = page.text()?.strip_suffix(page.server.nonce());
            Some(own.and_then(|text| offset(page.name, text, page.items.len())).ok_or_else(not_ours))
        }),
    )
    .and(PageMade(|made, result| {
        if !made.is_last() {
            let nonce = made.page.server.nonce();
            result["nextCursor"] = json!(format!("{}{nonce}", cursor(made.page.name, made.end)));
        }
    }))
    .over(&[Stdio]),
    fault(
        "pagination.invalid-cursor-code",
        "",
        "an invalid cursor is ignored",
        PageStart(|page| is_invalid(page).then_some(Ok(0))),
    ),
    fault(
        "pagination.invalid-cursor-code",
        "internal",
        "an invalid cursor gives -32603",
        PageStart(|page| is_invalid(page).then(|| Err(unreadable_cursor()))),
    ),
    fault(
        "pagination.invalid-cursor-graceful",
        "",
        "an invalid cursor ends the process",
        PageStart(|page| {
            if !is_invalid(page) {
                return None;
            }
            page.server.state().doom = Some(Action::Exit(1));
            Some(Err(not_ours()))
        }),
    ),
    fault(
        "pagination.invalid-cursor-graceful",
        "silent",
        "after an invalid cursor nothing is answered any more",
        PageStart(|page| {
            if !is_invalid(page) {
                return None;
            }
            page.server.state().silent = true;
            Some(Err(not_ours()))
        }),
    ),
    fault(
        "pagination.cursor-wrong-type",
        "",
        "a cursor that is no string is ignored",
        PageStart(|page| is_mistyped(page).then_some(Ok(0))),
    ),
    fault(
        "pagination.cursor-wrong-type",
        "internal",
        "a cursor that is no string gives -32603",
        PageStart(|page| is_mistyped(page).then(|| Err(unreadable_cursor()))),
    ),
    fault(
        "pagination.foreign-cursor",
        "",
        "a cursor is good for every list",
        PageStart(|page| {
            let lists = ["tools", "prompts", "resources", "resourceTemplates"];
            let start = lists.iter().find_map(|list| offset(list, page.text()?, usize::MAX))?;
            Some(Ok(start.min(page.items.len())))
        }),
    ),
    fault(
        "pagination.without-cursor-first-page",
        "",
        "without a cursor a walk that was begun goes on",
        PageStart(|page| match page.cursor {
            None => page.server.state().positions.remove(page.name).map(Ok),
            Some(_) => None,
        }),
    )
    .and(PageMade(|made, _| {
        let mut state = made.page.server.state();
        if made.is_last() {
            state.positions.remove(made.page.name);
        } else if made.page.cursor.is_some() {
            state.positions.insert(made.page.name.to_owned(), made.end);
        }
    })),
];

/// Whether the cursor is a string that is none of this list.
fn is_invalid(page: &Page<'_>) -> bool {
    page.text().is_some() && page.offset().is_none()
}

fn is_mistyped(page: &Page<'_>) -> bool {
    page.cursor.is_some_and(|cursor| !cursor.is_string())
}

fn is_odd_walk(page: &Page<'_>) -> bool {
    page.server.state().walks.get(page.name).is_some_and(|walks| walks % 2 == 1)
}

fn is_second_use(server: &Server, cursor: &str) -> bool {
    let cursors = &mut server.state().cursors;
    let second = cursors.remove(cursor);
    if !second {
        cursors.insert(cursor.to_owned());
    }
    second
}

fn not_ours() -> RpcError {
    RpcError::invalid_params("the cursor is not one of this list")
}

fn unreadable_cursor() -> RpcError {
    RpcError::new(code::INTERNAL_ERROR, "The cursor could not be read")
}

fn pop(list: &mut Value) {
    if let Some(items) = list.as_array_mut() {
        items.pop();
    }
}

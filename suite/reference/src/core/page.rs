//! Pagination: opaque cursors that are bound to their list and carry nothing a process would have to remember.

use base64::Engine as _;
use base64::engine::general_purpose::URL_SAFE_NO_PAD;
use serde_json::{Value, json};

use super::call::Call;
use super::server::Server;
use crate::error::RpcError;

const PAGE_SIZE: usize = 4;
/// Marks the cursors of pages that a quirk leaves empty.
const EMPTY: &str = "-before";

/// A page being made.
pub(crate) struct Page<'a> {
    pub(crate) server: &'a Server,
    pub(crate) name: &'a str,
    pub(crate) cursor: Option<&'a Value>,
    pub(crate) items: &'a [Value],
    pub(crate) size: usize,
}

impl Page<'_> {
    /// The cursor, if it is a string.
    pub(crate) fn text(&self) -> Option<&str> {
        self.cursor?.as_str()
    }

    /// Where the cursor points, if it is one of this list.
    pub(crate) fn offset(&self) -> Option<usize> {
        offset(self.name, self.text()?, self.items.len())
    }

    fn start(&self) -> Result<usize, RpcError> {
        match self.cursor {
            None => Ok(0),
            Some(Value::String(text)) if text.is_empty() && self.server.quirk("empty-cursor") => Ok(self.size),
            Some(Value::String(_)) => {
                self.offset().ok_or_else(|| RpcError::invalid_params("the cursor is not one of this list"))
            }
            Some(_) => Err(RpcError::invalid_params("cursor must be a string")),
        }
    }

    /// Counts the walks of each list, for those who want to know.
    fn count_walk(&self) {
        if self.cursor.is_none() {
            *self.server.state().walks.entry(self.name.to_owned()).or_default() += 1;
        }
    }
}

/// A page that was made.
#[derive(Clone, Copy)]
pub(crate) struct Made<'a> {
    pub(crate) page: &'a Page<'a>,
    pub(crate) start: usize,
    pub(crate) end: usize,
}

impl Made<'_> {
    /// Whether it is the last page of its list.
    pub(crate) fn is_last(&self) -> bool {
        self.end >= self.page.items.len()
    }
}

/// One page of a list, as a result under the list's own name.
pub(crate) fn page(server: &Server, call: &Call, name: &str, items: Vec<Value>) -> Result<Value, RpcError> {
    let size = if server.quirk("one-page") { items.len().max(1) } else { PAGE_SIZE };
    let cursor = call.params.get("cursor").filter(|cursor| !cursor.is_null());
    if let Some(empty) = empty_page(server, name, cursor, items.len()) {
        return Ok(empty);
    }
    let page = Page { server, name, cursor, items: &items, size };
    page.count_walk();
    let intercepted = server.interceptors().find_map(|interceptor| interceptor.page_start(&page));
    let start = intercepted.unwrap_or_else(|| page.start())?.min(items.len());
    let end = (start + size).min(items.len());
    let mut result = json!({name: items[start..end]});
    if end < items.len() {
        result["nextCursor"] = json!(next(server, name, start, end));
    }
    for interceptor in server.interceptors() {
        interceptor.page_made(&Made { page: &page, start, end }, &mut result);
    }
    Ok(result)
}

fn next(server: &Server, name: &str, start: usize, end: usize) -> String {
    if server.quirk("empty-cursor") && start == 0 {
        return String::new();
    }
    if server.quirk("empty-pages") { cursor(&format!("{name}{EMPTY}"), end) } else { cursor(name, end) }
}

/// With a quirk every page but the first has an empty one before it.
fn empty_page(server: &Server, name: &str, given: Option<&Value>, len: usize) -> Option<Value> {
    let start = offset(&format!("{name}{EMPTY}"), given?.as_str()?, len)?;
    server.quirk("empty-pages").then(|| json!({name: [], "nextCursor": cursor(name, start)}))
}

/// The cursor of a place in a list.
pub(crate) fn cursor(name: &str, offset: usize) -> String {
    let seal = format!("{name}:{offset}")
        .bytes()
        .fold(0x811c_9dc5_u32, |hash, byte| (hash ^ u32::from(byte)).wrapping_mul(0x0100_0193));
    URL_SAFE_NO_PAD.encode(format!("{name}:{offset}:{seal:08x}"))
}

/// Where a cursor points, if it is one we would give out for this list.
pub(crate) fn offset(name: &str, text: &str, len: usize) -> Option<usize> {
    let decoded = String::from_utf8(URL_SAFE_NO_PAD.decode(text).ok()?).ok()?;
    let offset: usize = decoded.split(':').nth(1)?.parse().ok()?;
    (offset <= len && cursor(name, offset) == text).then_some(offset)
}

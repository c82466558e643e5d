//! What faults make of pages and cursors.

use serde_json::{Value, json};

use crate::core::{Action, Server};
use crate::error::RpcError;
use crate::methods::{cursor, offset};

/// A page being made.
pub(crate) struct Page<'a> {
    pub(crate) server: &'a Server,
    pub(crate) name: &'a str,
    pub(crate) cursor: Option<&'a Value>,
    pub(crate) items: &'a [Value],
    pub(crate) size: usize,
}

impl Page<'_> {
    /// Where the page starts, if a fault has a say in it.
    pub(crate) fn start(&self) -> Option<Result<usize, RpcError>> {
        self.begin();
        self.server.settings.faults().iter().find_map(|fault| match self.cursor {
            None => self.first(fault.id),
            Some(Value::String(text)) => self.continued(fault.id, fault.variant, text),
            Some(other) => mistyped(fault.id, fault.variant, other),
        })
    }

    /// Counts the walks of each list.
    fn begin(&self) {
        if self.cursor.is_none() {
            *self.server.state().walks.entry(self.name.to_owned()).or_default() += 1;
        }
    }

    fn is_second_use(&self, cursor: String) -> bool {
        let cursors = &mut self.server.state().cursors;
        let second = cursors.remove(&cursor);
        if !second {
            cursors.insert(cursor);
        }
        second
    }

    fn is_odd_walk(&self) -> bool {
        self.server.state().walks.get(self.name).is_some_and(|walks| walks % 2 == 1)
    }

    fn first(&self, id: &str) -> Option<Result<usize, RpcError>> {
        if id != "pagination.without-cursor-first-page" {
            return None;
        }
        self.server.state().positions.remove(self.name).map(Ok)
    }

    fn continued(&self, id: &str, variant: &str, text: &str) -> Option<Result<usize, RpcError>> {
        let len = self.items.len();
        let found = offset(self.name, text, len);
        match (id, variant) {
            ("pagination.terminates", "empty") if text.is_empty() => {
                Some(Ok((len.saturating_sub(1)) / self.size * self.size))
            }
            ("pagination.issued-cursor-accepted", _) => Some(Err(RpcError::invalid_params("the cursor has expired"))),
            ("pagination.cursor-continues", _) => found.map(|start| Ok(start.saturating_sub(self.size))),
            ("pagination.stable-cursors", "") if found.is_some() => {
                let fresh = self.server.state().cursors.insert(text.to_owned());
                if fresh { None } else { Some(Err(RpcError::invalid_params("the cursor has been used"))) }
            }
            ("pagination.cursor-on-new-connection", _) => {
                let own = text.strip_suffix(self.server.nonce());
                Some(own.and_then(|text| offset(self.name, text, len)).ok_or_else(not_ours))
            }
            ("pagination.invalid-cursor-code", "internal") if found.is_none() => {
                Some(Err(RpcError::new(-32603, "The cursor could not be read")))
            }
            ("pagination.invalid-cursor-code", _) if found.is_none() => Some(Ok(0)),
            ("pagination.invalid-cursor-graceful", how) if found.is_none() => {
                self.server.state().doom = Some(how != "silent").filter(|exits| *exits).map(|_| Action::Exit(1));
                self.server.state().silent = how == "silent";
                Some(Err(not_ours()))
            }
            ("pagination.foreign-cursor", _) => {
                let lists = ["tools", "prompts", "resources", "resourceTemplates"];
                lists.iter().find_map(|list| offset(list, text, usize::MAX)).map(|start| Ok(start.min(len)))
            }
            _ => None,
        }
    }

    /// Changes to the page that was made.
    pub(crate) fn amend(&self, start: usize, end: usize, result: &mut Value) {
        let last = end >= self.items.len();
        for fault in self.server.settings.faults() {
            match (fault.id, fault.variant) {
                ("pagination.next-cursor-string", "") if last => result["nextCursor"] = Value::Null,
                ("pagination.next-cursor-string", "number") if !last => result["nextCursor"] = json!(end),
                ("pagination.array-on-every-page", "null") if last => result[self.name] = Value::Null,
                ("pagination.array-on-every-page", _) if last => drop(remove(result, self.name)),
                ("pagination.terminates", "restart") if last => result["nextCursor"] = json!(cursor(self.name, 0)),
                ("pagination.terminates", "empty") if last => result["nextCursor"] = json!(""),
                ("pagination.terminates", _) if last => result["nextCursor"] = json!(cursor(self.name, start)),
                ("pagination.no-duplicates", _) if last && start >= 2 * self.size => {
                    push(&mut result[self.name], &self.items[0]);
                }
                ("pagination.no-gaps", _) if last && self.is_odd_walk() => pop(&mut result[self.name]),
                ("pagination.stable-cursors", "shorter") => {
                    let used = self.cursor.and_then(Value::as_str).map(str::to_owned);
                    // Every other use, so that a later session sees it as well.
                    if used.is_some_and(|used| self.is_second_use(used)) {
                        pop(&mut result[self.name]);
                    }
                }
                ("pagination.cursor-on-new-connection", _) if !last => {
                    result["nextCursor"] = json!(format!("{}{}", cursor(self.name, end), self.server.nonce()));
                }
                ("pagination.without-cursor-first-page", _) if self.cursor.is_some() && !last => {
                    self.server.state().positions.insert(self.name.to_owned(), end);
                }
                ("pagination.without-cursor-first-page", _) if last => {
                    self.server.state().positions.remove(self.name);
                }
                _ => {}
            }
        }
    }
}

fn not_ours() -> RpcError {
    RpcError::invalid_params("the cursor is not one of this list")
}

fn mistyped(id: &str, variant: &str, cursor: &Value) -> Option<Result<usize, RpcError>> {
    match (id, variant) {
        ("pagination.next-cursor-string", "number") => cursor.as_u64().map(|start| Ok(start as usize)),
        ("pagination.cursor-wrong-type", "internal") => {
            Some(Err(RpcError::new(-32603, "The cursor could not be read")))
        }
        ("pagination.cursor-wrong-type", _) => Some(Ok(0)),
        _ => None,
    }
}

fn remove(result: &mut Value, name: &str) -> Option<Value> {
    result.as_object_mut()?.shift_remove(name)
}

fn push(list: &mut Value, item: &Value) {
    if let Some(items) = list.as_array_mut() {
        items.push(item.clone());
    }
}

fn pop(list: &mut Value) {
    if let Some(items) = list.as_array_mut() {
        items.pop();
    }
}

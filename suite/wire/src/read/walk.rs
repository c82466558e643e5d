//! State of the walk through a text: remaining limits, repeated names, and the current position.

use serde::de;
use serde_json::Value;

use super::Failure;
use crate::parsed::{Limits, MAX_DEPTH, MAX_DUPLICATES};

/// State of the walk.
pub(super) struct Walk<'t> {
    text: &'t str,
    depth: usize,
    values: usize,
    values_left: usize,
    pub(super) duplicates: Vec<String>,
    pointer_bytes: usize,
    pub(super) more: usize,
    pub(super) failure: Option<Failure>,
    /// Members of objects that are being read, those of the innermost last.
    pub(super) members: Vec<(String, Value)>,
}

impl<'t> Walk<'t> {
    pub(super) fn new(text: &'t str, limits: &Limits) -> Self {
        Self {
            text,
            depth: limits.depth.min(MAX_DEPTH),
            values: limits.values,
            values_left: limits.values,
            duplicates: Vec::new(),
            pointer_bytes: 0,
            more: 0,
            failure: None,
            members: Vec::new(),
        }
    }

    pub(super) fn stop<E: de::Error>(&mut self, failure: Failure) -> E {
        self.failure.get_or_insert(failure);
        E::custom("over a limit")
    }

    pub(super) fn count<E: de::Error>(&mut self) -> Result<(), E> {
        match self.values_left.checked_sub(1) {
            Some(left) => self.values_left = left,
            None => return Err(self.stop(Failure::TooMany(self.values))),
        }
        Ok(())
    }

    pub(super) fn enter<E: de::Error>(&mut self, path: &Path<'_>) -> Result<(), E> {
        if path.depth >= self.depth { Err(self.stop(Failure::TooDeep(self.depth))) } else { Ok(()) }
    }

    #[cold]
    pub(super) fn duplicate(&mut self, path: &Path<'_>, name: &str) {
        let length = path.length() + name.len() + 1;
        if self.duplicates.len() >= MAX_DUPLICATES.0 || self.pointer_bytes + length > MAX_DUPLICATES.1 {
            self.more += 1;
            return;
        }
        self.pointer_bytes += length;
        let mut pointer = String::new();
        path.write(&mut pointer);
        escape(name, &mut pointer);
        self.duplicates.push(pointer);
    }

    /// Where `part`, a slice of the text, stands in it.
    pub(super) fn base(&self, part: &str) -> usize {
        (part.as_ptr() as usize).saturating_sub(self.text.as_ptr() as usize).min(self.text.len())
    }
}

/// The way to a value; on the stack, so that it costs nothing until a pointer is asked for.
pub(super) struct Path<'p> {
    parent: Option<&'p Path<'p>>,
    step: Step<'p>,
    /// Arrays and objects around the value.
    depth: usize,
}

pub(super) enum Step<'p> {
    Root,
    Name(&'p str),
    Index(usize),
}

impl<'p> Path<'p> {
    pub(super) const ROOT: Self = Self { parent: None, step: Step::Root, depth: 0 };

    pub(super) fn child(&'p self, step: Step<'p>) -> Self {
        Self { parent: Some(self), step, depth: self.depth + 1 }
    }

    /// The bytes of the pointer, escapes counted once: enough for a bound.
    fn length(&self) -> usize {
        let own = match &self.step {
            Step::Root => 0,
            Step::Name(name) => name.len() + 1,
            Step::Index(_) => 8,
        };
        own + self.parent.map_or(0, Path::length)
    }

    fn write(&self, pointer: &mut String) {
        if let Some(parent) = self.parent {
            parent.write(pointer);
        }
        match &self.step {
            Step::Root => {}
            Step::Name(name) => escape(name, pointer),
            Step::Index(index) => escape(&index.to_string(), pointer),
        }
    }
}

fn escape(name: &str, pointer: &mut String) {
    pointer.push('/');
    for c in name.chars() {
        match c {
            '~' => pointer.push_str("~0"),
            '/' => pointer.push_str("~1"),
            c => pointer.push(c),
        }
    }
}

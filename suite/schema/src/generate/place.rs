//! A schema together with what its meaning hangs on: the resource it stands in, the way evaluation came to it, and the
//! schemas it is evaluated beside.

use std::rc::Rc;

use serde_json::Value;

use super::library::{Library, key};
use crate::Dialect;

/// A schema where evaluation has reached it.
#[derive(Clone)]
pub(super) struct Place<'s> {
    pub(super) schema: &'s Value,
    pub(super) resource: usize,
    scope: Rc<Scope>,
    /// Which evaluation this is: what `unevaluatedProperties` sees is what was evaluated below it.
    pub(super) owner: Rc<Owner>,
}

/// The resources that evaluation came through, for `$dynamicRef`.
struct Scope {
    resource: usize,
    outer: Option<Rc<Scope>>,
}

/// An evaluation and the one it is part of, at the same place of the instance.
pub(super) struct Owner(Option<Rc<Owner>>);

impl Owner {
    /// Whether `self` is `other` or part of it.
    pub(super) fn is_within(self: &Rc<Self>, other: &Rc<Self>) -> bool {
        let mut at = Some(self);
        while let Some(owner) = at {
            if Rc::ptr_eq(owner, other) {
                return true;
            }
            at = owner.0.as_ref();
        }
        false
    }
}

impl<'s> Place<'s> {
    /// The root of a library.
    pub(super) fn root(library: &'s Library) -> Self {
        let (schema, resource) = library.root();
        let scope = Rc::new(Scope { resource, outer: None });
        Self { schema, resource, scope, owner: Rc::new(Owner(None)) }
    }

    /// A place evaluated like this one, for a schema that is part of no document.
    pub(super) fn beside(&self, schema: &'s Value) -> Self {
        Self { schema, owner: Rc::new(Owner(Some(Rc::clone(&self.owner)))), ..self.clone() }
    }

    /// A subschema for the same place of the instance.
    pub(super) fn here(&self, schema: &'s Value, library: &'s Library) -> Self {
        self.enter(schema, library.resource_of(schema, self.resource), Some(Rc::clone(&self.owner)))
    }

    /// A subschema for a member or an item.
    pub(super) fn below(&self, schema: &'s Value, library: &'s Library) -> Self {
        self.enter(schema, library.resource_of(schema, self.resource), None)
    }

    fn enter(&self, schema: &'s Value, resource: usize, owner: Option<Rc<Owner>>) -> Self {
        let scope = if resource == self.scope.resource {
            Rc::clone(&self.scope)
        } else {
            Rc::new(Scope { resource, outer: Some(Rc::clone(&self.scope)) })
        };
        Self { schema, resource, scope, owner: Rc::new(Owner(owner)) }
    }

    /// The dialect it is written in.
    pub(super) fn dialect(&self, library: &Library) -> Dialect {
        library.resource(self.resource).dialect
    }

    /// The place that a referring keyword leads to.
    pub(super) fn referred(&self, keyword: &str, library: &'s Library) -> Option<Self> {
        let text = self.schema.get(keyword)?.as_str()?;
        let (schema, resource) = match keyword {
            "$dynamicRef" => self.dynamic(text, library)?,
            "$recursiveRef" => self.recursive(text, library)?,
            _ => library.find(self.resource, text)?,
        };
        Some(self.enter(schema, resource, Some(Rc::clone(&self.owner))))
    }

    fn dynamic(&self, text: &str, library: &'s Library) -> Option<(&'s Value, usize)> {
        let first = library.find(self.resource, text)?;
        let name = text.split_once('#').map_or("", |(_, name)| name);
        if first.0.get("$dynamicAnchor").and_then(Value::as_str) != Some(name) {
            return Some(first);
        }
        let scopes = self.scopes();
        Some(scopes.into_iter().find_map(|resource| library.anchored(resource, name, true)).unwrap_or(first))
    }

    fn recursive(&self, text: &str, library: &'s Library) -> Option<(&'s Value, usize)> {
        let first = library.find(self.resource, text)?;
        let is_open = |schema: &Value| schema.get("$recursiveAnchor") == Some(&Value::Bool(true));
        if !is_open(first.0) {
            return Some(first);
        }
        let heads = self.scopes().into_iter().filter_map(|resource| Some((library.head(resource)?, resource)));
        Some(heads.into_iter().find(|(head, _)| is_open(head)).unwrap_or(first))
    }

    /// The resources evaluation came through, outermost first.
    fn scopes(&self) -> Vec<usize> {
        let mut found = Vec::new();
        let mut at = Some(&self.scope);
        while let Some(scope) = at {
            found.push(scope.resource);
            at = scope.outer.as_ref();
        }
        found.reverse();
        found
    }

    /// A key that tells schemas apart.
    pub(super) fn key(&self) -> usize {
        key(self.schema)
    }
}

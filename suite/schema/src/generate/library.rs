//! The documents that a schema is made of: its resources, anchors and what a reference leads to. Nothing is fetched; what
//! is not here does not exist.

use std::collections::HashMap;
use std::sync::Arc;

use jsonschema::Registry;
use serde_json::Value;
use url::Url;

use crate::refs::{HERE, decode};
use crate::{Declared, Dialect, declared, pointer, walk};

/// Documents beyond the first that one schema may draw in.
const MOST_DOCUMENTS: usize = 64;

/// Every document, resource and anchor.
pub(super) struct Library {
    documents: Vec<(Url, Arc<Value>)>,
    resources: Vec<Resource>,
    by_address: HashMap<Url, usize>,
    /// The resource that begins at a value, by the value's address: values never move while the library lives.
    begins: HashMap<usize, usize>,
    anchors: HashMap<(usize, String), Anchor>,
}

/// A schema with an address of its own.
pub(super) struct Resource {
    address: Url,
    document: usize,
    pointer: String,
    pub(super) dialect: Dialect,
}

struct Anchor {
    pointer: String,
    is_dynamic: bool,
}

impl Library {
    /// The library of a schema and of what it may refer to.
    pub(super) fn new(schema: &Arc<Value>, dialect: Dialect, others: &[(Url, Arc<Value>)]) -> Self {
        let here = Url::parse(HERE).unwrap_or_else(|_| unreachable!("a constant address"));
        let mut library = Self {
            documents: Vec::new(),
            resources: Vec::new(),
            by_address: HashMap::new(),
            begins: HashMap::new(),
            anchors: HashMap::new(),
        };
        library.add(here, Arc::clone(schema), dialect);
        let mut done = 0;
        while done < library.documents.len() && library.documents.len() < MOST_DOCUMENTS {
            library.draw_in(done, others);
            done += 1;
        }
        library
    }

    /// Adds the documents that one of them refers to.
    fn draw_in(&mut self, document: usize, others: &[(Url, Arc<Value>)]) {
        let value = Arc::clone(&self.documents[document].1);
        let dialect = self.resources.iter().find(|one| one.document == document).map(|one| one.dialect);
        for node in walk(&value) {
            let base = self.base_of(document, &pointer(&node.path));
            for keyword in ["$ref", "$dynamicRef"] {
                let text = node.schema.get(keyword).and_then(Value::as_str);
                let Some(mut wanted) = text.and_then(|text| base.join(text).ok()) else { continue };
                wanted.set_fragment(None);
                if self.by_address.contains_key(&wanted) {
                    continue;
                }
                let given = others.iter().find(|(address, _)| *address == wanted).map(|(_, value)| Arc::clone(value));
                if let Some(found) = given.or_else(|| meta_schema(&wanted)) {
                    self.add(wanted, found, dialect.unwrap_or(Dialect::Draft202012));
                }
            }
        }
    }

    fn add(&mut self, address: Url, value: Arc<Value>, dialect: Dialect) {
        let document = self.documents.len();
        self.documents.push((address.clone(), Arc::clone(&value)));
        let root = self.enter(document, &value, "", address, dialect);
        let mut inside = HashMap::from([(String::new(), root)]);
        for node in walk(&value) {
            let at = pointer(&node.path);
            let parent = node.path.split_last().and_then(|(_, above)| inside.get(&pointer(above))).copied();
            let resource = self.name(document, node.schema, &at, parent.unwrap_or(root));
            inside.insert(at, resource);
        }
    }

    /// Registers the names that a schema gives itself; the resource it belongs to.
    fn name(&mut self, document: usize, schema: &Value, at: &str, parent: usize) -> usize {
        let (base, dialect) = (self.resources[parent].address.clone(), self.resources[parent].dialect);
        let mut resource = parent;
        if dialect.ref_hides_siblings() && schema.get("$ref").is_some() {
            return resource;
        }
        let keyword = if dialect == Dialect::Draft4 { "id" } else { "$id" };
        if let Some(id) = schema.get(keyword).and_then(Value::as_str) {
            let bare = id.split('#').next().unwrap_or_default();
            if let Some(own) = base.join(bare).ok().filter(|_| !bare.is_empty()) {
                resource = self.enter(document, schema, at, own, dialect);
            }
            if let Some((_, anchor)) = id.split_once('#').filter(|(_, anchor)| !anchor.is_empty()) {
                self.anchor(resource, anchor, at, false);
            }
        }
        for (keyword, is_dynamic) in [("$anchor", false), ("$dynamicAnchor", true)] {
            if let Some(anchor) = schema.get(keyword).and_then(Value::as_str) {
                self.anchor(resource, anchor, at, is_dynamic);
            }
        }
        resource
    }

    fn anchor(&mut self, resource: usize, name: &str, at: &str, is_dynamic: bool) {
        self.anchors.insert((resource, name.to_owned()), Anchor { pointer: at.to_owned(), is_dynamic });
    }

    fn enter(&mut self, document: usize, schema: &Value, at: &str, address: Url, dialect: Dialect) -> usize {
        let dialect = match declared(schema) {
            Declared::Known(own) => own,
            _ => dialect,
        };
        let resource = self.resources.len();
        self.by_address.entry(address.clone()).or_insert(resource);
        self.begins.insert(key(schema), resource);
        self.resources.push(Resource { address, document, pointer: at.to_owned(), dialect });
        resource
    }

    fn base_of(&self, document: usize, at: &str) -> Url {
        let within = |one: &&Resource| one.document == document && (at == one.pointer || is_below(at, &one.pointer));
        let nearest = self.resources.iter().filter(within).max_by_key(|one| one.pointer.len());
        nearest.map_or_else(|| self.documents[document].0.clone(), |one| one.address.clone())
    }

    /// The documents that the first one draws in, and no others.
    pub(super) fn drawn(&self) -> impl Iterator<Item = &(Url, Arc<Value>)> {
        self.documents.iter().skip(1).filter(|(address, _)| !is_official(address))
    }

    /// The first document.
    pub(super) fn root(&self) -> (&Value, usize) {
        (&self.documents[0].1, self.begins.get(&key(&self.documents[0].1)).copied().unwrap_or(0))
    }

    /// The resource of a schema that stands directly in one of `parent`.
    pub(super) fn resource_of(&self, schema: &Value, parent: usize) -> usize {
        self.begins.get(&key(schema)).copied().unwrap_or(parent)
    }

    /// A resource.
    pub(super) fn resource(&self, resource: usize) -> &Resource {
        &self.resources[resource]
    }

    /// The schema at the head of a resource.
    pub(super) fn head(&self, resource: usize) -> Option<&Value> {
        let Resource { document, pointer, .. } = &self.resources[resource];
        self.documents[*document].1.pointer(pointer)
    }

    /// Finds the schema that a reference in `from` leads to, and its resource.
    pub(super) fn find(&self, from: usize, reference: &str) -> Option<(&Value, usize)> {
        let mut address = self.resources[from].address.join(reference).ok()?;
        let fragment = decode(address.fragment().unwrap_or_default());
        address.set_fragment(None);
        let resource = *self.by_address.get(&address)?;
        if fragment.is_empty() || fragment.starts_with('/') {
            return self.descend(resource, &fragment);
        }
        self.anchored(resource, &fragment, false)
    }

    /// The schema with an anchor in a resource.
    pub(super) fn anchored(&self, resource: usize, name: &str, dynamic_only: bool) -> Option<(&Value, usize)> {
        let anchor = self.anchors.get(&(resource, name.to_owned()))?;
        if dynamic_only && !anchor.is_dynamic {
            return None;
        }
        Some((self.documents[self.resources[resource].document].1.pointer(&anchor.pointer)?, resource))
    }

    fn descend(&self, resource: usize, fragment: &str) -> Option<(&Value, usize)> {
        let mut found = self.head(resource)?;
        let mut inside = resource;
        for step in fragment.split('/').skip(1) {
            let step = step.replace("~1", "/").replace("~0", "~");
            found = match found {
                Value::Object(members) => members.get(&step)?,
                Value::Array(items) => items.get(step.parse::<usize>().ok()?)?,
                _ => return None,
            };
            inside = self.resource_of(found, inside);
        }
        Some((found, inside))
    }

    /// Where a schema stands: a JSON pointer, after the address if it is not in the first document.
    pub(super) fn location(&self, schema: &Value) -> Option<String> {
        self.documents.iter().enumerate().find_map(|(at, (address, document))| {
            let pointer = path_to(document, schema)?;
            Some(if at == 0 { pointer } else { format!("{address}#{pointer}") })
        })
    }
}

fn is_below(at: &str, above: &str) -> bool {
    at.strip_prefix(above).is_some_and(|rest| rest.starts_with('/'))
}

/// A key that tells values apart: their address.
pub(super) fn key(value: &Value) -> usize {
    std::ptr::from_ref(value).addr()
}

fn path_to(within: &Value, wanted: &Value) -> Option<String> {
    if std::ptr::eq(within, wanted) {
        return Some(String::new());
    }
    let escape = |name: &str| name.replace('~', "~0").replace('/', "~1");
    match within {
        Value::Object(members) => {
            members.iter().find_map(|(name, below)| Some(format!("/{}{}", escape(name), path_to(below, wanted)?)))
        }
        Value::Array(items) => {
            items.iter().enumerate().find_map(|(at, below)| Some(format!("/{at}{}", path_to(below, wanted)?)))
        }
        _ => None,
    }
}

fn is_official(address: &Url) -> bool {
    address.host_str() == Some("json-schema.org")
}

/// The meta-schemas are carried along by the validator.
fn meta_schema(address: &Url) -> Option<Arc<Value>> {
    if !is_official(address) {
        return None;
    }
    let registry = Registry::new().prepare().ok()?;
    let base = jsonschema::uri::from_str(HERE).ok()?;
    let found = registry.resolver(base).lookup(address.as_str()).ok()?.contents().clone();
    Some(Arc::new(found))
}

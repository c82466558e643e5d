//! References of a schema and whether they lead anywhere inside it. Nothing is fetched.

use std::collections::{HashMap, HashSet};

use serde_json::Value;
use url::Url;

use crate::{Dialect, pointer, walk};

/// The address of a schema that names none: relative references can be joined to it, nothing can be fetched from it.
pub(crate) const HERE: &str = "conform-here:///schema";

/// A `$ref`, `$dynamicRef` or `$recursiveRef`.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Reference {
    /// The JSON pointer of the schema it stands in.
    pub at: String,
    /// Its text.
    pub text: String,
    /// Where it leads.
    pub target: Target,
}

/// Where a reference leads.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Target {
    /// Inside the document.
    Local,
    /// Into the document, but there is nothing there.
    Dangling,
    /// To a meta-schema of JSON Schema, which validators carry with them.
    MetaSchema,
    /// Outside the document.
    Remote(String),
}

/// Every reference of a schema.
#[must_use]
pub fn references(schema: &Value, dialect: Dialect) -> Vec<Reference> {
    let document = Document::new(schema, dialect);
    let mut found = Vec::new();
    for (node, base) in &document.nodes {
        for keyword in ["$ref", "$dynamicRef", "$recursiveRef"] {
            if let Some(text) = node.schema.get(keyword).and_then(Value::as_str) {
                let target = document.target(base, text);
                found.push(Reference { at: pointer(&node.path), text: text.to_owned(), target });
            }
        }
    }
    found
}

struct Document<'s> {
    nodes: Vec<(crate::Node<'s>, Url)>,
    resources: HashMap<Url, &'s Value>,
    anchors: HashSet<(Url, String)>,
}

impl<'s> Document<'s> {
    fn new(schema: &'s Value, dialect: Dialect) -> Self {
        let here = Url::parse(HERE).unwrap_or_else(|_| unreachable!("a constant address"));
        let mut document = Self { nodes: Vec::new(), resources: HashMap::new(), anchors: HashSet::new() };
        document.resources.insert(here.clone(), schema);
        let mut bases: HashMap<Vec<crate::Step>, Url> = HashMap::new();
        for node in walk(schema) {
            let parent = node.path.split_last().and_then(|(_, above)| bases.get(above)).unwrap_or(&here);
            let base = document.enter(&node, parent.clone(), dialect);
            bases.insert(node.path.clone(), base.clone());
            document.nodes.push((node, base));
        }
        document
    }

    /// Registers what the schema names itself, and gives the base of its references.
    fn enter(&mut self, node: &crate::Node<'s>, parent: Url, dialect: Dialect) -> Url {
        let mut base = parent;
        let hidden = dialect.ref_hides_siblings() && node.schema.get("$ref").is_some();
        let name = if dialect == Dialect::Draft4 { "id" } else { "$id" };
        if let Some(id) = node.schema.get(name).and_then(Value::as_str).filter(|_| !hidden) {
            if let Some(anchor) = id.strip_prefix('#') {
                self.anchors.insert((base.clone(), anchor.to_owned()));
            } else if let Ok(mut own) = base.join(id) {
                own.set_fragment(None);
                self.resources.insert(own.clone(), node.schema);
                base = own;
            }
        }
        for keyword in ["$anchor", "$dynamicAnchor"] {
            if let Some(anchor) = node.schema.get(keyword).and_then(Value::as_str) {
                self.anchors.insert((base.clone(), anchor.to_owned()));
            }
        }
        base
    }

    fn target(&self, base: &Url, text: &str) -> Target {
        let Ok(mut address) = base.join(text) else { return Target::Dangling };
        let fragment = address.fragment().map(str::to_owned).unwrap_or_default();
        address.set_fragment(None);
        if let Some(resource) = self.resources.get(&address) {
            return self.inside(&address, resource, &decode(&fragment));
        }
        // Relative to a schema without an address of its own: a neighbouring file that no client has.
        match address.scheme() {
            "conform-here" => Target::Dangling,
            "http" | "https" if address.host_str() == Some("json-schema.org") => Target::MetaSchema,
            _ => Target::Remote(address.into()),
        }
    }

    fn inside(&self, address: &Url, resource: &Value, fragment: &str) -> Target {
        let found = if fragment.is_empty() {
            true
        } else if fragment.starts_with('/') {
            resource.pointer(fragment).is_some()
        } else {
            self.anchors.contains(&(address.clone(), fragment.to_owned()))
        };
        if found { Target::Local } else { Target::Dangling }
    }
}

/// Percent-decoding of a fragment; what is no UTF-8 stays as it is.
pub(crate) fn decode(fragment: &str) -> String {
    let bytes = fragment.as_bytes();
    let hex = |at: usize| {
        bytes.get(at).and_then(|byte| char::from(*byte).to_digit(16)).and_then(|digit| u8::try_from(digit).ok())
    };
    let mut decoded = Vec::with_capacity(bytes.len());
    let mut at = 0;
    while at < bytes.len() {
        match (bytes[at], hex(at + 1), hex(at + 2)) {
            (b'%', Some(high), Some(low)) => {
                decoded.push(high * 16 + low);
                at += 3;
            }
            (byte, ..) => {
                decoded.push(byte);
                at += 1;
            }
        }
    }
    String::from_utf8(decoded).unwrap_or_else(|_| fragment.to_owned())
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    fn targets(schema: &Value) -> Vec<(String, Target)> {
        let found = references(schema, Dialect::Draft202012);
        found.into_iter().map(|reference| (reference.text, reference.target)).collect()
    }

    fn target(schema: &Value) -> Target {
        targets(schema).into_iter().next().expect("one reference").1
    }

    #[test]
    fn pointers_anchors_and_embedded_ids_are_followed() {
        let schema = json!({
            "properties": {
                "a": {"$ref": "#/$defs/x%20y"}, "b": {"$ref": "#here"}, "c": {"$ref": "item#/properties/n"},
                "d": {"$ref": "#"}, "e": {"$ref": "https://example.com/item"}
            },
            "$id": "https://example.com/root",
            "$defs": {"x y": {"$anchor": "here"}, "z": {"$id": "item", "properties": {"n": {"$ref": "#/properties/n"}}}}
        });
        assert!(targets(&schema).iter().all(|(_, target)| *target == Target::Local), "{:?}", targets(&schema));
    }

    #[test]
    fn what_leads_nowhere_dangles() {
        for text in ["#/$defs/gone", "#gone", "other.json"] {
            assert_eq!(target(&json!({"$ref": text})), Target::Dangling, "{text}");
        }
        assert_eq!(target(&json!({"$ref": "http://x.example/s"})), Target::Remote("http://x.example/s".into()));
        assert_eq!(target(&json!({"$ref": "http://json-schema.org/draft-07/schema#"})), Target::MetaSchema);
    }

    #[test]
    fn data_is_no_reference() {
        assert_eq!(
            targets(&json!({"const": {"$ref": "#/no"}, "properties": {"$ref": {"default": {"$ref": "#no"}}}})),
            []
        );
    }
}

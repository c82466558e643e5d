//! The tables `[handles]`, `[states]` and `[schemas]`: what nobody can find out about a server by looking at it.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};

use run::{Handles, States};
use serde_json::Value;
use toml::Spanned;
use toml::de::DeValue;

use super::diagnostic::Diagnostic;
use super::value::{string, table};
use super::{seconds, trigger};
use crate::failure::Failure;

/// Longer files hold no schema.
const LONGEST: u64 = 4 << 20;

/// The name of an environment variable.
pub(super) fn variable(value: &Spanned<DeValue<'_>>) -> Result<String, Diagnostic> {
    let name = string(value)?;
    if name.is_empty() || name.contains(['=', '\0']) {
        return Err(Diagnostic::new(value.span(), "wrong value", "the name of an environment variable, as API_KEY"));
    }
    Ok(name.to_owned())
}

/// Tools that give and take handles.
pub(super) fn handles(value: &Spanned<DeValue<'_>>) -> Result<Handles, Diagnostic> {
    let (mut create, mut using, mut field, mut argument) = (None, None, None, None);
    for (key, value) in table(value)? {
        match key.get_ref().as_ref() {
            "create" => create = Some(trigger(value)?),
            "use" => using = Some(trigger(value)?),
            "field" => field = Some(string(value)?.to_owned()),
            "argument" => argument = Some(string(value)?.to_owned()),
            other => return Err(Diagnostic::unknown(key.span(), other, &["create", "use", "field", "argument"])),
        }
    }
    match (create, using, field) {
        (Some(create), Some(using), Some(field)) => {
            let last = field.rsplit('/').next().unwrap_or_default().to_owned();
            Ok(Handles { create, using, argument: argument.unwrap_or(last), field })
        }
        _ => Err(Diagnostic::new(
            value.span(),
            "something is missing",
            "`create` and `use`, as { call = \"TOOL\" }, and `field`, the member of the result that is the handle",
        )),
    }
}

/// What the states of demands for input are good for.
pub(super) fn states(value: &Spanned<DeValue<'_>>) -> Result<States, Diagnostic> {
    let mut states = States::default();
    for (key, value) in table(value)? {
        match key.get_ref().as_ref() {
            "once" => states.once = Some(trigger(value)?),
            "expiring" => states.expiring = Some(trigger(value)?),
            "lifetime" => states.lifetime = Some(seconds(value)?),
            other => return Err(Diagnostic::unknown(key.span(), other, &["once", "expiring", "lifetime"])),
        }
    }
    Ok(states)
}

/// The files in which schemas stand as their author wrote them, by tool.
pub(super) fn schemas(value: &Spanned<DeValue<'_>>) -> Result<BTreeMap<String, PathBuf>, Diagnostic> {
    let files = table(value)?.iter();
    files.map(|(tool, path)| Ok((tool.get_ref().to_string(), PathBuf::from(string(path)?)))).collect()
}

/// What stands in such a file.
pub(super) fn schema(path: &Path) -> Result<Value, Failure> {
    let wrong = |error: std::io::Error| Failure::file("read", path, error);
    if path.metadata().map_err(wrong)?.len() > LONGEST {
        return Err(Failure::file("read", path, "it is too long to be a schema"));
    }
    let text = std::fs::read_to_string(path).map_err(wrong)?;
    let schema: Option<Value> = serde_json::from_str(&text).ok();
    schema.filter(Value::is_object).ok_or_else(|| Failure::file("read", path, "it holds no JSON object"))
}

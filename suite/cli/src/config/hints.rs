//! The tables `[handles]`, `[states]` and `[schemas]`: facts that cannot be discovered from a server.

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

/// Size limit of a schema file, in bytes.
const LONGEST: u64 = 4 << 20;

/// Parses the name of an environment variable.
pub(super) fn variable(value: &Spanned<DeValue<'_>>) -> Result<String, Diagnostic> {
    let name = string(value)?;
    if name.is_empty() || name.contains(['=', '\0']) {
        return Err(Diagnostic::new(
            value.span(),
            "wrong value",
            "the name of an environment variable, such as API_KEY",
        ));
    }
    Ok(name.to_owned())
}

/// Parses `[handles]`: tools that create and use handles.
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
            "missing key",
            "`create` and `use`, such as { call = \"TOOL\" }, and `field`, the member of the result that contains the handle",
        )),
    }
}

/// Parses `[states]`: calls whose requestState must be used once or expires.
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

/// Parses `[schemas]`: files with the original schemas, by tool.
pub(super) fn schemas(value: &Spanned<DeValue<'_>>) -> Result<BTreeMap<String, PathBuf>, Diagnostic> {
    let files = table(value)?.iter();
    files.map(|(tool, path)| Ok((tool.get_ref().to_string(), PathBuf::from(string(path)?)))).collect()
}

/// Reads a schema file.
pub(super) fn schema(path: &Path) -> Result<Value, Failure> {
    let wrong = |error: std::io::Error| Failure::file("read", path, error);
    if path.metadata().map_err(wrong)?.len() > LONGEST {
        return Err(Failure::file("read", path, "the file is too long to be a schema"));
    }
    let text = std::fs::read_to_string(path).map_err(wrong)?;
    let schema: Option<Value> = serde_json::from_str(&text).ok();
    schema
        .filter(Value::is_object)
        .ok_or_else(|| Failure::file("read", path, "the file does not contain a JSON object"))
}

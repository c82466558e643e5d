//! Whose the findings of a report are: the SDK that was found, or told, and its profile.

use analysis::sdks::{attribute, by_wire, nearest, parse_name};
use verdict::record::{Record, Report, Sdk};

/// Parses `NAME@VERSION` or `REGISTRY:NAME@VERSION`.
pub(crate) fn parse_sdk(text: &str) -> Result<Sdk, String> {
    let (registry, name, version) = parse_name(text).ok_or_else(|| {
        "no profile of an SDK has this name, or several have: `mcp-conform sdk list` shows them; \
         write REGISTRY:NAME@VERSION to name another"
            .to_owned()
    })?;
    Ok(Sdk { registry, name, version, profile: None, how: "told".to_owned(), style: None, on: None, accepted: false })
}

/// Says of each violation and of each cause whose it is; `accepted` if those of the SDK fail no run. What the user says of the server
/// takes precedence over what was found.
pub(crate) fn attribute_all(report: &mut Report, told: Option<&Sdk>, accepted: bool) {
    for record in report.records_mut() {
        if let Some(told) = told {
            let found =
                record.sdk.take().filter(|found| (&found.registry, &found.name) == (&told.registry, &told.name));
            let (style, on) = found.map(|found| (found.style, found.on)).unwrap_or_default();
            record.sdk = Some(Sdk { style, on, ..told.clone() });
        }
        if record.sdk.is_none() && !record.target.embedded {
            record.sdk = by_wire(record);
        }
        if let Some(sdk) = &mut record.sdk {
            sdk.accepted = accepted;
        }
        attribute_one(record);
    }
}

fn attribute_one(record: &mut Record) {
    let Some(sdk) = &mut record.sdk else { return };
    if let Some(profile) = nearest(&sdk.registry, &sdk.name, &sdk.version) {
        sdk.profile = Some(profile.version.clone());
        attribute(record, &profile, true);
        return;
    }
    let beneath = sdk.on.as_ref().and_then(|on| nearest(&sdk.registry, &on.name, &on.version));
    if let Some(profile) = beneath {
        attribute(record, &profile, false);
    }
}

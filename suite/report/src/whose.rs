//! The violations of a report by whose they are.

use verdict::Level;
use verdict::record::{ByLevel, Cause, Entry, Origin, Record, Sdk};

use crate::causes::{Broken, Group, broken, grouped, newest_first};

/// What somebody is to blame for.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(crate) struct Share {
    /// Causes.
    pub(crate) causes: usize,
    /// The musts and shoulds that they break.
    pub(crate) broken: ByLevel,
}

/// Violations that no baseline accepts, by whose they are.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Shares {
    pub(crate) own: Share,
    of_sdk: Share,
    pub(crate) unknown: Share,
    /// The SDK and its version.
    pub(crate) sdk: String,
}

impl Shares {
    /// What somebody is to blame for.
    pub(crate) fn of(&self, origin: Origin) -> &Share {
        match origin {
            Origin::Own => &self.own,
            Origin::Sdk => &self.of_sdk,
            Origin::Unknown => &self.unknown,
        }
    }

    /// Returns the shares; none if nothing is known of the SDK, or nothing is broken.
    pub(crate) fn in_records<'r>(records: impl IntoIterator<Item = &'r Record>) -> Option<Self> {
        let records = newest_first(records);
        let sdk = name(known_sdk(records.iter().copied())?);
        let mut shares = Self { own: Share::default(), of_sdk: Share::default(), unknown: Share::default(), sdk };
        let open = |broken: &Broken<'_>| broken.entry.known.is_none() && broken.entry.level != Level::Advice;
        let groups = grouped(broken(&records).into_iter().filter(open).collect());
        for group in &groups {
            let share = match group.origin() {
                Origin::Own => &mut shares.own,
                Origin::Sdk => &mut shares.of_sdk,
                Origin::Unknown => &mut shares.unknown,
            };
            share.causes += 1;
            for broken in &group.broken {
                match broken.entry.level {
                    Level::Must => share.broken.must += 1,
                    Level::Should => share.broken.should += 1,
                    Level::Advice => {}
                }
            }
        }
        (!groups.is_empty()).then_some(shares)
    }
}

impl Group<'_> {
    /// Whose it is.
    pub(crate) fn origin(&self) -> Origin {
        self.cause.map(|cause| cause.origin).unwrap_or_default()
    }
}

/// The SDK by which violations were attributed.
pub(crate) fn known_sdk<'r>(records: impl IntoIterator<Item = &'r Record>) -> Option<&'r Sdk> {
    let attributed = |record: &&Record| record.requirements.iter().any(|entry| entry.origin.is_some());
    records.into_iter().filter(attributed).find_map(|record| record.sdk.as_ref())
}

/// The package and its version: `fastmcp 4.1.2 (on mcp 2.3.0)`.
pub(crate) fn name(sdk: &Sdk) -> String {
    let named =
        |name: &str, version: &str| if version.is_empty() { name.to_owned() } else { format!("{name} {version}") };
    let on = sdk.on.as_ref().map(|on| format!(" (on {})", named(&on.name, &on.version))).unwrap_or_default();
    format!("{}{on}", named(&sdk.name, &sdk.version))
}

/// The package URL (purl-spec): `pkg:npm/%40modelcontextprotocol/sdk@1.32.2`.
pub(crate) fn purl(sdk: &Sdk) -> String {
    let version = if sdk.version.is_empty() { String::new() } else { format!("@{}", sdk.version) };
    format!("pkg:{}/{}{version}", sdk.registry, sdk.name.replace('@', "%40"))
}

/// The smallest server that the findings were held against: `the smallest server on mcp 2.3.0`.
pub(crate) fn smallest(sdk: &Sdk) -> String {
    let on = match (&sdk.profile, &sdk.on) {
        (Some(profile), _) if *profile == sdk.version => format!("{} {profile}", sdk.name),
        (Some(profile), _) if sdk.version.is_empty() => format!("{} {profile} (the newest that is known)", sdk.name),
        (Some(profile), _) => format!("{} {profile} (the nearest version that is known)", sdk.name),
        (None, Some(on)) => format!("{} {}", on.name, on.version),
        (None, None) => sdk.name.clone(),
    };
    format!("the smallest server on {on}")
}

/// As a sentence of its own, up to its end: `The smallest server on mcp 2.3.0 breaks this too`.
pub(crate) fn breaks_too(sdk: &Sdk) -> String {
    let smallest = smallest(sdk);
    format!("T{} breaks this too", &smallest[1..])
}

/// The SDK that is to blame for a violation.
pub(crate) fn blamed<'r>(record: &'r Record, entry: &Entry) -> Option<&'r Sdk> {
    record.sdk.as_ref().filter(|_| entry.origin == Some(Origin::Sdk))
}

/// What begins the text of a violation that the SDK is to blame for, in a report without sections: whose it is, and what helps.
pub(crate) fn blame(record: &Record, entry: &Entry) -> Option<String> {
    let sdk = blamed(record, entry)?;
    let cause = record.causes.iter().find(|cause| cause.requirements.contains(&entry.id));
    let helps = cause.map(help).unwrap_or_default();
    Some(format!("Not yours: {} breaks this too{}. ", smallest(sdk), in_brackets(&helps)))
}

/// What helps, as an aside: ` (upgrade to 1.3.0; https://...)`; nothing if nothing does.
pub(crate) fn in_brackets(helps: &[String]) -> String {
    if helps.is_empty() { String::new() } else { format!(" ({})", helps.join("; ")) }
}

/// What helps against a cause that the SDK is to blame for, as far as that is known: a version, a workaround, where others speak of it.
pub(crate) fn help(cause: &Cause) -> Vec<String> {
    let upgrade = cause.mended_in.as_ref().map(|version| format!("upgrade to {version}"));
    [upgrade, cause.workaround.clone(), cause.upstream.clone()].into_iter().flatten().collect()
}

//! For which hosts a report says what they do not take.

use std::collections::BTreeSet;

use analysis::hosts::{common, notice, refused, table};
use judge::Look;
use verdict::record::{HostFact, Report};

use crate::similar::did_you_mean;

/// The hosts that a report speaks of.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Hosts(Vec<String>);

impl Default for Hosts {
    fn default() -> Self {
        Self(common().map(str::to_owned).collect())
    }
}

impl Hosts {
    /// No hosts.
    pub(crate) fn none() -> Self {
        Self(Vec::new())
    }

    /// Who has to look at what crosses the wire.
    pub(crate) fn look(&self) -> Option<Look> {
        (!self.0.is_empty()).then_some(notice)
    }

    /// Adds to each record what these hosts do not take.
    pub(crate) fn add_to(&self, report: &mut Report) {
        if self.0.is_empty() {
            return;
        }
        for record in report.records_mut() {
            let found = refused(record, &self.0);
            (record.hosts, record.hosts_unseen) = (found.facts, found.unseen);
        }
    }

    /// With the hosts of another list.
    pub(crate) fn and(mut self, others: &[String]) -> Self {
        self.0.extend(others.iter().filter(|other| !self.0.contains(other)).cloned().collect::<Vec<_>>());
        self
    }
}

/// Parses `all`, `none`, or names of hosts with commas between them.
pub(crate) fn parse_hosts(text: &str) -> Result<Hosts, String> {
    match text.trim() {
        "all" => Ok(Hosts(table().host.keys().cloned().collect())),
        "none" => Ok(Hosts::none()),
        names => {
            let names: BTreeSet<&str> = names.split(',').map(str::trim).filter(|name| !name.is_empty()).collect();
            names.into_iter().map(parse_host).collect::<Result<_, _>>().map(Hosts)
        }
    }
}

/// Parses the name of a host.
pub(crate) fn parse_host(name: &str) -> Result<String, String> {
    if table().host.contains_key(name) {
        return Ok(name.to_owned());
    }
    let hint = did_you_mean(name, table().host.keys().map(String::as_str), 3);
    let hint = hint.unwrap_or_else(|| "`mcp-conform hosts` shows them".to_owned());
    Err(format!("no host is named `{name}`: {hint}"))
}

/// What costs these hosts something for good (a request, a list, the connection or a tool), a line each.
pub(crate) fn losses(report: &Report, hosts: &[String]) -> BTreeSet<String> {
    let facts = report.records().iter().flat_map(|record| &record.hosts);
    let of = |fact: &HostFact| -> Vec<String> {
        let lost = hosts.iter().filter(|host| fact.is_grave_in(&|own| own == host.as_str()));
        lost.map(|host| format!("--fail-on-host {host}: {} ({})", fact.effect_in(host), fact.id)).collect()
    };
    facts.flat_map(of).collect()
}

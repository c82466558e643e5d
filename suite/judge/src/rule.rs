//! The type of a rule.

use crate::{Collector, View};

/// Judges one or a few closely related requirements.
#[derive(Debug)]
pub struct Rule {
    /// `area/topic`, for `list` and for messages about the rule itself.
    pub name: &'static str,
    /// The requirements it may speak of.
    pub judges: &'static [&'static str],
    /// Looks at the view and tells the collector.
    pub judge: fn(&View<'_>, &mut Collector),
}

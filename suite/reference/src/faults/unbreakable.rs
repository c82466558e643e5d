//! Requirements that no fault can break on the wire, with the reason.

/// Requirements of the areas with faults that have none, and why.
pub fn unbreakable() -> &'static [(&'static str, &'static str)] {
    TABLE
}

static TABLE: &[(&str, &str)] = &[];

//! What the judge says is held to what others say: to the schemas of the specification, and to people who read the findings.

mod causes;
mod official;

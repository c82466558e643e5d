//! Faults that only the right arguments show, among all that a tool takes or must refuse: those of the tools with rich
//! input schemas.

use super::{Fault, switch};
use crate::Transport::Stdio;

const ACCEPTED: &str = "tools.call.valid-arguments-accepted";
const REJECTED: &str = "tools.call.invalid-arguments-rejected";
const ANSWERED: &str = "jsonrpc.response.every-request-answered";

pub(super) static TABLE: &[Fault] = &[
    switch(REJECTED, "minimum", "one less than a minimum passes"),
    switch(REJECTED, "maximum", "one more than a maximum passes"),
    switch(REJECTED, "exclusive-minimum", "an exclusive minimum is taken for an inclusive one"),
    switch(REJECTED, "exclusive-maximum", "an exclusive maximum is taken for an inclusive one"),
    switch(REJECTED, "multiple-of", "multipleOf is not checked"),
    switch(REJECTED, "min-length", "a text that is too short by one passes"),
    switch(REJECTED, "min-bytes", "for the least length bytes are counted"),
    switch(REJECTED, "max-length", "a text that is too long by one passes"),
    switch(REJECTED, "min-items", "an array that is too short by one passes"),
    switch(REJECTED, "max-items", "an array that is too long by one passes"),
    switch(REJECTED, "min-properties", "an object with a property too few passes"),
    switch(REJECTED, "max-properties", "an object with a property too many passes"),
    switch(REJECTED, "enum-case", "the values of an enum are compared without regard to case"),
    switch(REJECTED, "const-case", "a const is compared without regard to case"),
    switch(REJECTED, "pattern-anywhere", "an anchored pattern is searched for anywhere"),
    switch(REJECTED, "pattern-start", "an anchored pattern need not reach the end"),
    switch(REJECTED, "unknown-below", "unknown properties of nested objects pass"),
    switch(REJECTED, "required-below", "properties missing from nested objects are not noticed"),
    switch(REJECTED, "unique-text", "items that are written differently pass for unlike: 1 and 1.0"),
    switch(REJECTED, "unique-order", "objects with their members in another order pass for unlike"),
    switch(REJECTED, "first-item", "only the first item of an array is checked"),
    switch(REJECTED, "one-of", "oneOf is taken for anyOf"),
    switch(REJECTED, "not", "not is not checked"),
    switch(REJECTED, "names", "propertyNames is not checked"),
    switch(REJECTED, "null", "null passes for anything"),
    switch(REJECTED, "coerced", "a text of digits passes for a number"),
    switch(REJECTED, "fraction", "a fraction passes for an integer"),
    switch(REJECTED, "format", "formats are not checked"),
    switch(ACCEPTED, "whole-float", "an integer written with a fraction of zero is refused"),
    switch(ACCEPTED, "bytes", "the length of a text is counted in bytes"),
    switch(ACCEPTED, "utf16", "the length of a text is counted in UTF-16 units"),
    switch(ACCEPTED, "longest", "a text of the greatest length is refused"),
    switch(ACCEPTED, "fullest", "an array of the greatest length is refused"),
    switch(ACCEPTED, "exclusive", "bounds themselves are refused"),
    switch(ACCEPTED, "anchored", "a pattern must match the whole text"),
    switch(ACCEPTED, "empty-list", "an empty array is refused"),
    switch(ACCEPTED, "null", "null is refused where it may be"),
    switch(ACCEPTED, "branch", "the second branch of a choice is refused"),
    switch(ACCEPTED, "leap-day", "29 February is taken for no date"),
    switch(ACCEPTED, "falsy", "zero is taken for missing"),
    switch(ACCEPTED, "nested", "what refers to itself is refused below its second level"),
    switch("tools.error.execution-in-result", "quotes", "a text with a quotation mark or a backslash gives -32603"),
    switch("tools.structured.conforms", "empty", "structuredContent has null where there is nothing to tell"),
    switch("tools.structured.conforms", "branch", "structuredContent has a string for a number in one case of three"),
    falls("empty-text", "an empty text is not survived"),
    falls("unicode", "a text beyond ASCII is not survived"),
    falls("big-integer", "an integer beyond 53 bits is not survived"),
    falls("deep", "sums nested four deep are not survived"),
    switch(ANSWERED, "hang", "a step of zero keeps a call busy for ever"),
];

/// Over HTTP the server cannot be started again.
const fn falls(variant: &'static str, what: &'static str) -> Fault {
    switch(ANSWERED, variant, what).over(&[Stdio])
}

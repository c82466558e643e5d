//! Faults of the area pagination. All need the handlers: what is wrong is the walk, not a message.

use super::{Fault, switch};
use crate::Transport::Stdio;

pub(super) static TABLE: &[Fault] = &[
    switch("pagination.next-cursor-string", "", "nextCursor is null on the last page"),
    switch("pagination.next-cursor-string", "number", "nextCursor is a number"),
    switch("pagination.array-on-every-page", "", "the last page has no array"),
    switch("pagination.array-on-every-page", "null", "the last page has null for its array"),
    switch("pagination.terminates", "", "the last page leads to itself"),
    switch("pagination.terminates", "restart", "the last page leads to the first"),
    switch("pagination.terminates", "empty", "the last page leads to itself by an empty cursor"),
    switch("pagination.issued-cursor-accepted", "", "no cursor is accepted"),
    switch("pagination.cursor-continues", "", "a cursor leads to the page that gave it"),
    switch("pagination.no-duplicates", "", "the last page repeats the first entry of the list"),
    switch("pagination.no-gaps", "", "every other walk lacks an entry"),
    switch("pagination.stable-cursors", "", "a cursor is good for once"),
    switch("pagination.stable-cursors", "shorter", "a cursor gives less the second time"),
    switch("pagination.cursor-on-new-connection", "", "a cursor is good for one process").over(&[Stdio]),
    switch("pagination.invalid-cursor-code", "", "an invalid cursor is ignored"),
    switch("pagination.invalid-cursor-code", "internal", "an invalid cursor gives -32603"),
    switch("pagination.invalid-cursor-graceful", "", "an invalid cursor ends the process"),
    switch("pagination.invalid-cursor-graceful", "silent", "after an invalid cursor nothing is answered any more"),
    switch("pagination.cursor-wrong-type", "", "a cursor that is no string is ignored"),
    switch("pagination.cursor-wrong-type", "internal", "a cursor that is no string gives -32603"),
    switch("pagination.foreign-cursor", "", "a cursor is good for every list"),
    switch("pagination.without-cursor-first-page", "", "without a cursor a walk that was begun goes on"),
];

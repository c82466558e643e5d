//! Formats of strings: texts that are of each and texts that are not, and how to tell.

mod check;
mod known;

pub(super) use check::{asserting, is_known as knows_format, is_of as is_of_format};
pub(super) use known::{
    examples as examples_of_format, plainest as plainest_format, right as text_of_format, wrong as text_not_of_format,
};

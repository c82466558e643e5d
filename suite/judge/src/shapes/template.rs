//! URI templates by RFC 6570, all levels.

use super::forms::are_escaped;
use super::row::{Check, Outcome};

/// A URI template.
pub(super) static URI_TEMPLATE: Check =
    Check { expected: "a URI template (RFC 6570)", judge: |value, _| value.as_str().map_or(Outcome::Beside, template) };

fn template(text: &str) -> Outcome {
    let mut rest = text;
    let mut expressions = 0;
    while let Some(at) = rest.find(['{', '}']) {
        let (literal, after) = rest.split_at(at);
        if !is_literal(literal) {
            return Outcome::Bad("a string with a character that is not allowed outside braces in a template");
        }
        let Some((expression, after)) = after.strip_prefix('{').and_then(|inner| inner.split_once('}')) else {
            return Outcome::Bad("a string with unbalanced braces");
        };
        if !is_expression(expression) {
            return Outcome::Bad("a string with an illegal expression in braces");
        }
        expressions += 1;
        rest = after;
    }
    match (is_literal(rest), expressions) {
        (false, _) => Outcome::Bad("a string with a character that is not allowed outside braces in a template"),
        (true, 0) => Outcome::Odd("a string without any expression in braces"),
        (true, _) => Outcome::Good,
    }
}

/// The apostrophe is left out of the grammar by mistake (erratum 6937).
fn is_literal(text: &str) -> bool {
    let illegal =
        |c: char| c.is_control() || c.is_whitespace() || matches!(c, '"' | '<' | '>' | '\\' | '^' | '`' | '|');
    !text.contains(illegal) && are_escaped(text)
}

fn is_expression(expression: &str) -> bool {
    let list = expression.strip_prefix(['+', '#', '.', '/', ';', '?', '&']).unwrap_or(expression);
    list.split(',').all(is_variable)
}

fn is_variable(variable: &str) -> bool {
    if let Some(name) = variable.strip_suffix('*') {
        return is_name(name);
    }
    match variable.split_once(':') {
        Some((name, length)) => {
            is_name(name)
                && (1..=4).contains(&length.len())
                && !length.starts_with('0')
                && length.bytes().all(|byte| byte.is_ascii_digit())
        }
        None => is_name(variable),
    }
}

fn is_name(name: &str) -> bool {
    let legal = |byte: u8| byte.is_ascii_alphanumeric() || matches!(byte, b'_' | b'%');
    name.split('.').all(|part| !part.is_empty() && part.bytes().all(legal) && are_escaped(part))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_level_is_known() {
        for good in
            ["file:///{path}", "x://{+path}/{#a}", "x:{/a,b*}{?q:30,r}", "{a.b}", "x://ü/{a}'s", "{;x}{&y}", "{%41}"]
        {
            assert_eq!(template(good), Outcome::Good, "{good}");
        }
        assert!(matches!(template("file:///a"), Outcome::Odd(_)));
    }

    #[test]
    fn broken_templates_are_seen() {
        for bad in
            ["{user-id}", "{a", "a}", "{{a}}", "{}", "{a b}", "{a:0}", "{a:12345}", "a b{c}", "%zz{a}", "{a,}", "{=a}"]
        {
            assert!(matches!(template(bad), Outcome::Bad(_)), "{bad}");
        }
    }
}

//! Expands variables in client configuration files: `${NAME}`, `${NAME:-default}`, `${env:NAME}`, `${workspaceFolder}`.

/// Returns the text with every variable replaced; the error names a variable that is not set.
pub(super) fn expand(text: &str, variable: &dyn Fn(&str) -> Option<String>) -> Result<String, String> {
    let mut out = String::new();
    let mut rest = text;
    while let Some(at) = rest.find("${") {
        let Some(end) = rest[at..].find('}').map(|end| at + end) else { break };
        out.push_str(&rest[..at]);
        out.push_str(&value(&rest[at + 2..end], variable)?);
        rest = &rest[end + 1..];
    }
    out.push_str(rest);
    Ok(out)
}

fn value(word: &str, variable: &dyn Fn(&str) -> Option<String>) -> Result<String, String> {
    if let Some(name) = word.strip_prefix("input:") {
        return variable(name)
            .ok_or_else(|| format!("it prompts for `{name}`: set the environment variable {name} instead"));
    }
    if matches!(word, "workspaceFolder" | "cwd") {
        return Ok(".".to_owned());
    }
    if word == "userHome" {
        return variable("HOME").ok_or_else(|| "environment variable HOME is not set".to_owned());
    }
    let name = word.strip_prefix("env:").unwrap_or(word);
    let (name, otherwise) = name.split_once(":-").map_or((name, None), |(name, otherwise)| (name, Some(otherwise)));
    let value = variable(name).or(otherwise.map(str::to_owned));
    value.ok_or_else(|| format!("environment variable {name} is not set"))
}

#[cfg(test)]
mod tests {
    use super::expand;

    #[test]
    fn variables_are_replaced_and_missing_ones_named() {
        let variable = |name: &str| (name == "KEY").then(|| "k".to_owned());
        assert_eq!(
            expand("a ${KEY} ${env:KEY} ${NO:-x} ${workspaceFolder}/s $KEY", &variable).as_deref(),
            Ok("a k k x ./s $KEY")
        );
        assert!(expand("${NO}", &variable).is_err_and(|error| error.contains("NO is not set")));
        assert!(expand("${input:token}", &variable).is_err_and(|error| error.contains("token")));
        assert_eq!(expand("${open", &variable).as_deref(), Ok("${open"));
    }
}

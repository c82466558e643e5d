//! `server.json` of the MCP registry: packages that are started by the runner of their registry, and remote servers.

use serde_json::Value;

use super::Entry;

/// The servers of a `server.json`: each package by its registry, each remote by `remote` and its position.
pub(super) fn entries(document: &Value) -> Vec<(String, Result<Entry, String>)> {
    let list = |name: &str| document.get(name).and_then(Value::as_array).cloned().unwrap_or_default();
    let mut found: Vec<(String, Result<Entry, String>)> = Vec::new();
    for one in list("packages") {
        let registry = text(&one, "registryType").or(text(&one, "registry_name")).unwrap_or("package");
        let name = unused(registry, &found);
        found.push((name, package(&one, registry)));
    }
    for one in list("remotes") {
        let name = unused("remote", &found);
        found.push((name, remote(&one)));
    }
    found
}

fn unused(name: &str, found: &[(String, Result<Entry, String>)]) -> String {
    let taken = found.iter().filter(|(own, _)| own == name || own.starts_with(&format!("{name}-"))).count();
    if taken == 0 { name.to_owned() } else { format!("{name}-{}", taken + 1) }
}

fn package(one: &Value, registry: &str) -> Result<Entry, String> {
    let identifier = text(one, "identifier").or(text(one, "name")).ok_or("the package has no identifier")?;
    let version = text(one, "version").filter(|version| !version.is_empty());
    let at = |join: &str| version.map_or(identifier.to_owned(), |version| format!("{identifier}{join}{version}"));
    let variables = one.get("environmentVariables").and_then(Value::as_array).cloned().unwrap_or_default();
    let names: Vec<&str> = variables.iter().filter_map(|variable| text(variable, "name")).collect();
    let mut words: Vec<String> = match registry {
        "npm" => vec!["npx".into(), "-y".into()],
        "pypi" => vec!["uvx".into()],
        "nuget" => vec!["dnx".into()],
        "oci" => {
            let pass = names.iter().flat_map(|name| ["-e".to_owned(), (*name).to_owned()]);
            ["docker", "run", "-i", "--rm"].map(str::to_owned).into_iter().chain(pass).collect()
        }
        other => return Err(format!("packages of the kind `{other}` cannot be started here")),
    };
    if let Some(hint) = text(one, "runtimeHint") {
        hint.clone_into(&mut words[0]);
    }
    words.extend(arguments(one, "runtimeArguments")?);
    words.push(match registry {
        "oci" if identifier.contains(':') => identifier.to_owned(),
        "oci" => at(":"),
        _ => at("@"),
    });
    if registry == "nuget" {
        words.push("--yes".to_owned());
    }
    words.extend(arguments(one, "packageArguments")?);
    let mut env = Vec::new();
    for variable in &variables {
        env.extend(setting(variable)?);
    }
    Ok(Entry { words, env, ..Entry::default() })
}

/// What is to be passed: values, defaults; what only the user knows must be in the environment.
fn setting(variable: &Value) -> Result<Option<(String, String)>, String> {
    let Some(name) = text(variable, "name") else { return Ok(None) };
    let value = text(variable, "value").or(text(variable, "default"));
    let required = variable.get("isRequired") == Some(&Value::Bool(true));
    match value {
        _ if std::env::var_os(name).is_some() => Ok(None),
        Some(value) if !value.contains('{') => Ok(Some((name.to_owned(), value.to_owned()))),
        _ if required => Err(format!("it needs the environment variable {name}")),
        _ => Ok(None),
    }
}

fn arguments(one: &Value, member: &str) -> Result<Vec<String>, String> {
    let mut words = Vec::new();
    for argument in one.get(member).and_then(Value::as_array).into_iter().flatten() {
        let value = text(argument, "value").or(text(argument, "default")).filter(|value| !value.contains('{'));
        let name = text(argument, "name").unwrap_or_default();
        let required = argument.get("isRequired") == Some(&Value::Bool(true));
        match (text(argument, "type"), value) {
            (Some("named"), Some(value)) => words.extend([name.to_owned(), value.to_owned()]),
            (_, Some(value)) => words.push(value.to_owned()),
            (_, None) if required => {
                let what = text(argument, "valueHint").unwrap_or(if name.is_empty() { "a value" } else { name });
                return Err(format!("it needs an argument that is not in the file: {what}"));
            }
            (_, None) => {}
        }
    }
    Ok(words)
}

fn remote(one: &Value) -> Result<Entry, String> {
    let url = text(one, "url").ok_or("the remote has no url")?;
    let streams = text(one, "type").or(text(one, "transport_type")) == Some("sse");
    let mut headers = Vec::new();
    for header in one.get("headers").and_then(Value::as_array).into_iter().flatten() {
        let Some(name) = text(header, "name") else { continue };
        match text(header, "value").or(text(header, "default")).filter(|value| !value.contains('{')) {
            Some(value) => headers.push((name.to_owned(), value.to_owned())),
            None if header.get("isRequired") == Some(&Value::Bool(true)) => {
                return Err(format!(
                    "it needs the header {name}: give the URL itself and --header-env '{name}: VARIABLE'"
                ));
            }
            None => {}
        }
    }
    Ok(Entry { url: Some(url.to_owned()), streams, headers, ..Entry::default() })
}

fn text<'v>(value: &'v Value, name: &str) -> Option<&'v str> {
    value.get(name).and_then(Value::as_str)
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    #[test]
    fn packages_are_started_by_the_runner_of_their_registry() {
        let document = json!({
            "name": "io.example/files",
            "packages": [
                {"registryType": "npm", "identifier": "@x/files", "version": "1.2.0", "packageArguments": [{"type": "positional", "value": "."}, {"type": "named", "name": "--log", "default": "off"}]},
                {"registryType": "pypi", "identifier": "files-mcp", "version": "2", "environmentVariables": [{"name": "MODE", "default": "fast"}]},
                {"registryType": "oci", "identifier": "ghcr.io/x/files", "version": "3"},
                {"registryType": "mcpb", "identifier": "x"},
            ],
            "remotes": [{"type": "sse", "url": "https://x.example/sse"}, {"type": "streamable-http", "url": "https://x.example/mcp", "headers": [{"name": "X-Key", "isRequired": true}]}],
        });
        let found = entries(&document);
        let words: Vec<String> = found
            .iter()
            .map(|(name, entry)| match entry {
                Ok(entry) => format!("{name}: {} {:?}", entry.words.join(" "), entry.url),
                Err(reason) => format!("{name}: error: {reason}"),
            })
            .collect();
        insta::assert_snapshot!(words.join("\n"), @r#"
        npm: npx -y @x/files@1.2.0 . --log off None
        pypi: uvx files-mcp@2 None
        oci: docker run -i --rm ghcr.io/x/files:3 None
        mcpb: error: packages of the kind `mcpb` cannot be started here
        remote:  Some("https://x.example/sse")
        remote-2: error: it needs the header X-Key: give the URL itself and --header-env 'X-Key: VARIABLE'
        "#);
        assert_eq!(found[1].1.as_ref().expect("pypi").env, [("MODE".to_owned(), "fast".to_owned())]);
    }
}

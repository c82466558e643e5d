//! `server.json` of the MCP registry: packages, started with the runner of their registry, and remote servers.

use serde_json::Value;

use super::ServerEntry;

/// Returns the servers of a `server.json`: packages named by registry, remotes named `remote` with a number.
pub(super) fn servers(document: &Value) -> Vec<(String, Result<ServerEntry, String>)> {
    let list = |name: &str| document.get(name).and_then(Value::as_array).cloned().unwrap_or_default();
    let mut found: Vec<(String, Result<ServerEntry, String>)> = Vec::new();
    for item in list("packages") {
        let registry = text(&item, "registryType").or(text(&item, "registry_name")).unwrap_or("package");
        let name = unique_name(registry, &found);
        found.push((name, package(&item, registry)));
    }
    for item in list("remotes") {
        let name = unique_name("remote", &found);
        found.push((name, remote(&item)));
    }
    found
}

fn unique_name(name: &str, found: &[(String, Result<ServerEntry, String>)]) -> String {
    let taken = found.iter().filter(|(other, _)| other == name || other.starts_with(&format!("{name}-"))).count();
    if taken == 0 { name.to_owned() } else { format!("{name}-{}", taken + 1) }
}

fn package(item: &Value, registry: &str) -> Result<ServerEntry, String> {
    let identifier = text(item, "identifier").or(text(item, "name")).ok_or("the package has no identifier")?;
    let version = text(item, "version").filter(|version| !version.is_empty());
    let at = |join: &str| version.map_or(identifier.to_owned(), |version| format!("{identifier}{join}{version}"));
    let variables = item.get("environmentVariables").and_then(Value::as_array).cloned().unwrap_or_default();
    let names: Vec<&str> = variables.iter().filter_map(|variable| text(variable, "name")).collect();
    let mut words: Vec<String> = match registry {
        "npm" => vec!["npx".into(), "-y".into()],
        "pypi" => vec!["uvx".into()],
        "nuget" => vec!["dnx".into()],
        "oci" => {
            let pass = names.iter().flat_map(|name| ["-e".to_owned(), (*name).to_owned()]);
            ["docker", "run", "-i", "--rm"].map(str::to_owned).into_iter().chain(pass).collect()
        }
        other => return Err(format!("packages with registryType `{other}` are not supported")),
    };
    if let Some(hint) = text(item, "runtimeHint") {
        hint.clone_into(&mut words[0]);
    }
    words.extend(arguments(item, "runtimeArguments")?);
    words.push(match registry {
        "oci" if identifier.contains(':') => identifier.to_owned(),
        "oci" => at(":"),
        _ => at("@"),
    });
    if registry == "nuget" {
        words.push("--yes".to_owned());
    }
    words.extend(arguments(item, "packageArguments")?);
    let mut env = Vec::new();
    for variable in &variables {
        env.extend(environment_variable(variable)?);
    }
    Ok(ServerEntry { words, env, ..ServerEntry::default() })
}

/// Returns an environment variable to set. A value that only the user knows must be in the environment already.
fn environment_variable(variable: &Value) -> Result<Option<(String, String)>, String> {
    let Some(name) = text(variable, "name") else { return Ok(None) };
    let value = text(variable, "value").or(text(variable, "default"));
    let required = variable.get("isRequired") == Some(&Value::Bool(true));
    match value {
        _ if std::env::var_os(name).is_some() => Ok(None),
        Some(value) if !value.contains('{') => Ok(Some((name.to_owned(), value.to_owned()))),
        _ if required => Err(format!("environment variable {name} is required")),
        _ => Ok(None),
    }
}

fn arguments(item: &Value, member: &str) -> Result<Vec<String>, String> {
    let mut words = Vec::new();
    for argument in item.get(member).and_then(Value::as_array).into_iter().flatten() {
        let value = text(argument, "value").or(text(argument, "default")).filter(|value| !value.contains('{'));
        let name = text(argument, "name").unwrap_or_default();
        let required = argument.get("isRequired") == Some(&Value::Bool(true));
        match (text(argument, "type"), value) {
            (Some("named"), Some(value)) => words.extend([name.to_owned(), value.to_owned()]),
            (_, Some(value)) => words.push(value.to_owned()),
            (_, None) if required => {
                let what = text(argument, "valueHint").unwrap_or(if name.is_empty() { "a value" } else { name });
                return Err(format!("a required argument has no value in the file: {what}"));
            }
            (_, None) => {}
        }
    }
    Ok(words)
}

fn remote(item: &Value) -> Result<ServerEntry, String> {
    let url = text(item, "url").ok_or("the remote has no url")?;
    let is_sse = text(item, "type").or(text(item, "transport_type")) == Some("sse");
    let mut headers = Vec::new();
    for header in item.get("headers").and_then(Value::as_array).into_iter().flatten() {
        let Some(name) = text(header, "name") else { continue };
        match text(header, "value").or(text(header, "default")).filter(|value| !value.contains('{')) {
            Some(value) => headers.push((name.to_owned(), value.to_owned())),
            None if header.get("isRequired") == Some(&Value::Bool(true)) => {
                return Err(format!(
                    "header {name} is required: pass the URL itself, with --header-env '{name}: VARIABLE'"
                ));
            }
            None => {}
        }
    }
    Ok(ServerEntry { url: Some(url.to_owned()), is_sse, headers, ..ServerEntry::default() })
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
        let found = servers(&document);
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
        mcpb: error: packages with registryType `mcpb` are not supported
        remote:  Some("https://x.example/sse")
        remote-2: error: header X-Key is required: pass the URL itself, with --header-env 'X-Key: VARIABLE'
        "#);
        assert_eq!(found[1].1.as_ref().expect("pypi").env, [("MODE".to_owned(), "fast".to_owned())]);
    }
}

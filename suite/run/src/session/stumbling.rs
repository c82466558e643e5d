//! What usually keeps a program from starting, told from its last words.

/// Returns advice on a program that ended before it spoke, indented, on lines of its own; empty if its words tell nothing. `how` says how
/// it ended, `stderr` are lines of its standard error.
pub(super) fn advice(how: &str, stderr: &[String]) -> String {
    let told = stderr.iter().find_map(|line| line_advice(line));
    let silent = || (stderr.is_empty() && how.ends_with("status 0")).then(|| ENDED.to_owned());
    told.or_else(silent).map_or(String::new(), |advice| format!("\n  {advice}"))
}

const ENDED: &str = "it ended by itself and said nothing: does it need an argument to speak over stdio?
  a server that listens on a port is named by its URL: mcp-conform run http://127.0.0.1:3000/mcp";

fn line_advice(line: &str) -> Option<String> {
    let lower = line.to_ascii_lowercase();
    let says = |words: &[&str]| words.iter().any(|word| lower.contains(word));
    if says(&["cannot find module '", "cannot find package '"]) {
        let path = line.split('\'').nth(1).is_some_and(|name| name.starts_with(['/', '.']) || name.contains(":\\"));
        let advice = if path {
            "is it built (npm run build), and is the path right from this folder?"
        } else {
            "are its packages installed (npm install)?"
        };
        return Some(advice.to_owned());
    }
    if says(&["modulenotfounderror", "no module named"]) {
        return Some("is that the Python of the server's environment? try `uv run`, or .venv/bin/python".to_owned());
    }
    if says(&["can't open file", "cannot open file", "no such file or directory"]) {
        return Some("is the path right from this folder?".to_owned());
    }
    if says(&["eaddrinuse", "address already in use"]) {
        return Some(
            "a server that listens on a port is named by its URL: mcp-conform run http://127.0.0.1:3000/mcp".to_owned(),
        );
    }
    if let Some(name) = variable(line).filter(|_| says(&UNSET)) {
        return Some(format!("it gets the environment that mcp-conform has: {name}=... mcp-conform run ..."));
    }
    lower.trim_start().starts_with("usage:").then(|| "it wants other arguments: they follow the program".to_owned())
}

/// What is said of a variable that a program misses.
const UNSET: [&str; 9] = [
    "required",
    "missing",
    "not set",
    "must be set",
    "undefined",
    "not found",
    "please set",
    "environment variable",
    "keyerror",
];

/// Returns the first name of an environment variable: capitals and digits, with an underscore. Node.js writes its error codes so, too.
fn variable(line: &str) -> Option<&str> {
    let words = line.split(|letter: char| !letter.is_ascii_alphanumeric() && letter != '_');
    let named = |word: &&str| {
        let capitals =
            word.chars().all(|letter| letter.is_ascii_uppercase() || letter.is_ascii_digit() || letter == '_');
        capitals && word.contains('_') && word.starts_with(|letter: char| letter.is_ascii_uppercase())
    };
    words.filter(named).find(|word| !word.starts_with("ERR_") && !word.ends_with("_NOT_FOUND"))
}

#[cfg(test)]
mod tests {
    use super::advice;

    fn of(line: &str) -> String {
        advice("exited with status 1", &["Traceback:".to_owned(), line.to_owned()])
    }

    #[test]
    fn the_usual_reasons_are_told_by_what_the_program_says() {
        for (line, wanted) in [
            ("Error: Cannot find module '/srv/dist/index.js'", "npm run build"),
            ("Error [ERR_MODULE_NOT_FOUND]: Cannot find package 'zod' imported from /srv/index.js", "npm install"),
            ("ModuleNotFoundError: No module named 'mcp'", "uv run"),
            ("python3: can't open file '/srv/server.py': [Errno 2] No such file or directory", "path right"),
            ("Error: listen EADDRINUSE: address already in use :::3000", "its URL"),
            ("Error: WEATHER_API_KEY environment variable is required", "WEATHER_API_KEY=..."),
            ("KeyError: 'GITHUB_TOKEN'", "GITHUB_TOKEN=..."),
            ("Usage: server [options] DIRECTORY", "arguments"),
        ] {
            assert!(of(line).contains(wanted), "{line}: {}", of(line));
        }
    }

    #[test]
    fn what_tells_nothing_gets_no_advice() {
        for line in ["code: 'MODULE_NOT_FOUND'", "Starting SERVER_ONE", "Error: boom", "the id is required"] {
            assert_eq!(of(line), "", "{line}");
        }
        assert_eq!(advice("exited with status 1", &[]), "");
        assert!(advice("exited with status 0", &[]).contains("argument"));
    }
}

//! What usually keeps a program from starting, told from its last words.

use super::listening;

/// Returns advice on a program that ended before it answered, indented, on lines of its own; empty if its words tell nothing. `how` says how
/// it ended; `stdout` are the lines of its standard output that are no messages, `stderr` those of its standard error.
pub(super) fn ended(how: &str, stdout: &[String], stderr: &[String]) -> String {
    let said_nothing = stdout.is_empty() && stderr.is_empty() && how.ends_with("status 0");
    indented(advice(stdout, stderr).or_else(|| said_nothing.then(|| format!("{ENDED}\n  {}", by_url(ANY)))))
}

/// The same for a program that runs and does not answer.
pub(super) fn silent(stdout: &[String], stderr: &[String]) -> String {
    indented(advice(stdout, stderr))
}

fn indented(advice: Option<String>) -> String {
    advice.map_or(String::new(), |advice| format!("\n  {advice}"))
}

fn advice(stdout: &[String], stderr: &[String]) -> Option<String> {
    let lines = || stderr.iter().chain(stdout);
    let told = lines().find_map(|line| line_advice(line));
    told.or_else(|| lines().find_map(|line| listening::url(line)).map(|url| by_url(&url))).or_else(|| noise(stdout))
}

/// What to do about text on standard output, where a client expects messages alone.
fn noise(stdout: &[String]) -> Option<String> {
    // `npm run` and its like say what they are about to start.
    let announced = stdout.iter().any(|line| line.starts_with("> ") || line.starts_with("$ "));
    let advice = if announced { SCRIPT } else { NOISE };
    (!stdout.is_empty()).then(|| advice.to_owned())
}

const ENDED: &str = "it ended by itself and said nothing: does it need an argument to speak over stdio?";

/// A URL as an example, where the program names none.
const ANY: &str = "http://127.0.0.1:3000/mcp";

fn by_url(url: &str) -> String {
    format!("a server that listens on a port is named by its URL: mcp-conform run {url}")
}

const SCRIPT: &str = "that is of the script runner, and every client takes it for messages: name the program itself (node dist/index.js),
  or run the script with --silent";

const NOISE: &str =
    "standard output is for messages alone, and every client takes these lines for some: write them to standard error";

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
        return Some(by_url(ANY));
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
    use super::{ended, silent};

    fn of(line: &str) -> String {
        ended("exited with status 1", &[], &["Traceback:".to_owned(), line.to_owned()])
    }

    #[test]
    fn the_usual_reasons_are_told_by_what_the_program_says() {
        for (line, wanted) in [
            ("Error: Cannot find module '/srv/dist/index.js'", "npm run build"),
            ("Error [ERR_MODULE_NOT_FOUND]: Cannot find package 'zod' imported from /srv/index.js", "npm install"),
            ("ModuleNotFoundError: No module named 'mcp'", "uv run"),
            ("python3: can't open file '/srv/server.py': [Errno 2] No such file or directory", "path right"),
            ("Error: listen EADDRINUSE: address already in use :::3000", "its URL"),
            ("INFO: Uvicorn running on http://0.0.0.0:8000 (Press CTRL+C to quit)", "run http://127.0.0.1:8000/mcp"),
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
        assert_eq!(ended("exited with status 1", &[], &[]), "");
        assert!(ended("exited with status 0", &[], &[]).contains("argument"));
    }

    #[test]
    fn text_on_standard_output_is_told_by_who_writes_it() {
        for (line, wanted) in [
            ("Weather server ready", "write them to standard error"),
            ("> weather@1.0.0 start", "--silent"),
            ("$ node dist/index.js", "--silent"),
            ("Listening on port 8080", "http://127.0.0.1:8080/mcp"),
            ("Error: API_KEY is required", "API_KEY=..."),
        ] {
            let lines = [line.to_owned()];
            assert!(silent(&lines, &[]).contains(wanted), "{line}: {}", silent(&lines, &[]));
            assert!(ended("exited with status 0", &lines, &[]).contains(wanted), "{line}");
        }
        assert_eq!(silent(&[], &["Weather server running on stdio".to_owned()]), "");
    }
}

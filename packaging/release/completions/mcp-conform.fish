# Print an optspec for argparse to handle cmd's options that are independent of any subcommand.
function __fish_mcp_conform_global_optspecs
    string join \n h/help
end

function __fish_mcp_conform_needs_command
    # Figure out if the current invocation already has a command.
    set -l cmd (commandline -opc)
    set -e cmd[1]
    argparse -s (__fish_mcp_conform_global_optspecs) -- $cmd 2>/dev/null
    or return
    if set -q argv[1]
        # Also print the command, so this can be used to figure out what it is.
        echo $argv[1]
        return 1
    end
    return 0
end

function __fish_mcp_conform_using_subcommand
    set -l cmd (__fish_mcp_conform_needs_command)
    test -z "$cmd"
    and return 1
    contains -- $cmd[1] $argv
end

complete -c mcp-conform -n "__fish_mcp_conform_needs_command" -s h -l help -d 'Print help (see more with \'--help\')'
complete -c mcp-conform -n "__fish_mcp_conform_needs_command" -f -a "run" -d 'Test a server and report the requirements it breaks'
complete -c mcp-conform -n "__fish_mcp_conform_needs_command" -f -a "init" -d 'Write mcp-conform.toml, a GitHub workflow and reports/.gitignore for a server'
complete -c mcp-conform -n "__fish_mcp_conform_needs_command" -f -a "list" -d 'List the requirements of the specification, and which of them are judged'
complete -c mcp-conform -n "__fish_mcp_conform_needs_command" -f -a "explain" -d 'Explain a requirement: what it states and where, how to meet it, how it is tested'
complete -c mcp-conform -n "__fish_mcp_conform_needs_command" -f -a "serve" -d 'Run the embedded reference server, with or without injected faults'
complete -c mcp-conform -n "__fish_mcp_conform_needs_command" -f -a "generate" -d 'Generate instances of a JSON Schema'
complete -c mcp-conform -n "__fish_mcp_conform_needs_command" -f -a "fuzz" -d 'Fuzz a server for crashes, hangs, growing memory and answers that break a requirement'
complete -c mcp-conform -n "__fish_mcp_conform_needs_command" -f -a "replay" -d 'Send a stored conversation again, one message per line, and print the traffic'
complete -c mcp-conform -n "__fish_mcp_conform_needs_command" -f -a "report" -d 'Render a stored report.json in another format'
complete -c mcp-conform -n "__fish_mcp_conform_needs_command" -f -a "diff" -d 'Compare two reports of a server: findings, revisions and incompatible tool changes'
complete -c mcp-conform -n "__fish_mcp_conform_needs_command" -f -a "record" -d 'Record a session of a real client, to be judged later'
complete -c mcp-conform -n "__fish_mcp_conform_needs_command" -f -a "judge" -d 'Judge recorded sessions offline, with the rules of `run`'
complete -c mcp-conform -n "__fish_mcp_conform_needs_command" -f -a "sdk" -d 'Show what SDKs break by themselves, or make the profile of one'
complete -c mcp-conform -n "__fish_mcp_conform_needs_command" -f -a "hosts" -d 'List hosts, model APIs and client libraries, and explain what they do not take of a server as it is'
complete -c mcp-conform -n "__fish_mcp_conform_needs_command" -f -a "selftest" -d 'Test mcp-conform itself against a reference server with injected faults'
complete -c mcp-conform -n "__fish_mcp_conform_needs_command" -f -a "completions" -d 'Print a shell completion script'
complete -c mcp-conform -n "__fish_mcp_conform_using_subcommand run" -l from -d 'Take the server from a client\'s configuration file; TARGET is then its name in that file' -r -F
complete -c mcp-conform -n "__fish_mcp_conform_using_subcommand run" -l transport -d 'Transport for a URL' -r -f -a "auto\t'Streamable HTTP, falling back to HTTP+SSE'
http\t'Streamable HTTP'
sse\t'HTTP+SSE (2024-11-05); the URL is that of the event stream'"
complete -c mcp-conform -n "__fish_mcp_conform_using_subcommand run" -l timeout -d 'Time limit for each request, in seconds or as 500ms, 90s or 2m [default: 5s]' -r
complete -c mcp-conform -n "__fish_mcp_conform_using_subcommand run" -l start-timeout -d 'Time limit for the first answer of a server that is slow to start [default: 30s]' -r
complete -c mcp-conform -n "__fish_mcp_conform_using_subcommand run" -l header -d 'Header for every HTTP request, as \'Name: value\'; reports never contain the value. Repeatable' -r
complete -c mcp-conform -n "__fish_mcp_conform_using_subcommand run" -l header-env -d 'Header with its value from an environment variable, as \'Authorization: VARIABLE\'. Repeatable' -r
complete -c mcp-conform -n "__fish_mcp_conform_using_subcommand run" -l token-env -d 'Environment variable with the token for the server, sent as `Authorization: Bearer TOKEN`' -r
complete -c mcp-conform -n "__fish_mcp_conform_using_subcommand run" -l token-file -d 'File with the token for the server. The configuration file can name further tokens' -r -F
complete -c mcp-conform -n "__fish_mcp_conform_using_subcommand run" -l config -d 'Configuration file [default: mcp-conform.toml in the working directory or the nearest folder above]' -r -F
complete -c mcp-conform -n "__fish_mcp_conform_using_subcommand run" -l protocol -d 'Protocol revision to judge by: a date, `latest` (the newest that the server speaks) or `all`' -r
complete -c mcp-conform -n "__fish_mcp_conform_using_subcommand run" -l calls -d 'Which tools may be called, with valid or invalid arguments [default: read-only]' -r -f -a "none\t'No tools'
read-only\t'Tools with `readOnlyHint: true`, and those named with --tool'
additive\t'Also tools with `destructiveHint: false`: they may add files, messages or issues'
all\t'All tools: only for servers that cannot do harm'"
complete -c mcp-conform -n "__fish_mcp_conform_using_subcommand run" -l tool -d 'Allow calls of this tool, whatever its annotations say. Repeatable' -r
complete -c mcp-conform -n "__fish_mcp_conform_using_subcommand run" -l seed -d 'Random seed; pass the seed of an earlier run to repeat its choices' -r
complete -c mcp-conform -n "__fish_mcp_conform_using_subcommand run" -l only -d 'Judge only requirements or scenarios that match this glob (`*` matches any text). Repeatable, or separated by commas' -r
complete -c mcp-conform -n "__fish_mcp_conform_using_subcommand run" -l skip -d 'Skip requirements or scenarios that match this glob. Repeatable, or separated by commas' -r
complete -c mcp-conform -n "__fish_mcp_conform_using_subcommand run" -l cases -d 'Number of generated argument sets per tool; 0 disables generated calls [default: 100, but 5 for a tool that does not say `openWorldHint: false`]' -r
complete -c mcp-conform -n "__fish_mcp_conform_using_subcommand run" -l time -d 'Time budget for the generated calls of one tool; a slow tool gets fewer cases' -r
complete -c mcp-conform -n "__fish_mcp_conform_using_subcommand run" -l fail-on -d 'Lowest level that causes exit code 1: must, should, advice or never' -r
complete -c mcp-conform -n "__fish_mcp_conform_using_subcommand run" -l format -d 'Format of the report on standard output' -r -f -a "human\t'For people'
json\t'The whole record'
junit\t'JUnit XML, for continuous integration'
sarif\t'SARIF 2.1.0, for code-scanning alerts'
markdown\t'Markdown, for job summaries and comments'
html\t'A self-contained HTML page'
tap\t'TAP 13, for test harnesses'
gitlab\t'GitLab code quality report'
github\t'Annotations for GitHub Actions; printed automatically where GITHUB_ACTIONS is set'
badge\t'A badge: endpoint JSON for shields.io'"
complete -c mcp-conform -n "__fish_mcp_conform_using_subcommand run" -l reports -d 'Folder for the report files: report.txt, report.json, report.xml, report.sarif, report.md, report.html, report.tap, gl-code-quality-report.json, badge.json and transcript.jsonl.gz' -r -F
complete -c mcp-conform -n "__fish_mcp_conform_using_subcommand run" -l jobs -d 'Number of server processes to run in parallel' -r
complete -c mcp-conform -n "__fish_mcp_conform_using_subcommand run" -l second-token-env -d 'Environment variable with a second user\'s token, to check that it gives no access to the first user\'s data' -r
complete -c mcp-conform -n "__fish_mcp_conform_using_subcommand run" -l snapshot -d 'Compare the outcome with the snapshot in the reports folder, or update the snapshot' -r -f -a "check\t'Compare with the snapshot; a difference is printed and causes exit code 1'
update\t'Write the snapshot'"
complete -c mcp-conform -n "__fish_mcp_conform_using_subcommand run" -l snapshot-name -d 'Name of the snapshot [default: the name of the server]' -r
complete -c mcp-conform -n "__fish_mcp_conform_using_subcommand run" -l baseline -d 'File of known findings; only new findings, and stale or expired entries, cause exit code 1' -r -F
complete -c mcp-conform -n "__fish_mcp_conform_using_subcommand run" -l sdk -d 'What the server is built with, where it is not found out: NAME@VERSION. `mcp-conform sdk list` shows the names' -r
complete -c mcp-conform -n "__fish_mcp_conform_using_subcommand run" -l hosts -d 'Hosts to speak of what they do not take: `all`, `none`, or names from `mcp-conform hosts` [default: the most used]' -r
complete -c mcp-conform -n "__fish_mcp_conform_using_subcommand run" -l fail-on-host -d 'Exit with 1 if this host loses a request, a list, the connection or a tool; repeatable' -r
complete -c mcp-conform -n "__fish_mcp_conform_using_subcommand run" -l embedded -d 'Test the embedded reference server, also where CI is set'
complete -c mcp-conform -n "__fish_mcp_conform_using_subcommand run" -l scratch -d 'Start the program in an empty working directory, with empty HOME and TMPDIR'
complete -c mcp-conform -n "__fish_mcp_conform_using_subcommand run" -l yes-disrupt -d 'Send malformed and disruptive input even to a URL on another machine'
complete -c mcp-conform -n "__fish_mcp_conform_using_subcommand run" -l transcript -d 'Write the transcript of the embedded server, too; those of other servers are always written'
complete -c mcp-conform -n "__fish_mcp_conform_using_subcommand run" -l timing -d 'Show on standard error where the time went: the critical path by scenario, the longest step first'
complete -c mcp-conform -n "__fish_mcp_conform_using_subcommand run" -l advice -d 'Show advice in full instead of one line each'
complete -c mcp-conform -n "__fish_mcp_conform_using_subcommand run" -l sdk-findings -d 'Show in full, instead of one line each, what the SDK of the server is to blame for'
complete -c mcp-conform -n "__fish_mcp_conform_using_subcommand run" -s q -l quiet -d 'Hide progress, and print only the verdict and counts of the human report'
complete -c mcp-conform -n "__fish_mcp_conform_using_subcommand run" -l accept-sdk -d 'Findings that the SDK of the server is to blame for cause no exit code 1'
complete -c mcp-conform -n "__fish_mcp_conform_using_subcommand run" -l update-baseline -d 'Add new findings to the baseline and remove stale entries; comments and reasons are kept'
complete -c mcp-conform -n "__fish_mcp_conform_using_subcommand run" -s h -l help -d 'Print help (see more with \'--help\')'
complete -c mcp-conform -n "__fish_mcp_conform_using_subcommand init" -l timeout -d 'Time limit for each request' -r
complete -c mcp-conform -n "__fish_mcp_conform_using_subcommand init" -l force -d 'Overwrite existing files'
complete -c mcp-conform -n "__fish_mcp_conform_using_subcommand init" -l no-workflow -d 'Do not write a workflow'
complete -c mcp-conform -n "__fish_mcp_conform_using_subcommand init" -s h -l help -d 'Print help (see more with \'--help\')'
complete -c mcp-conform -n "__fish_mcp_conform_using_subcommand list" -l format -d 'Output format' -r -f -a "human\t'For people'
json\t'For programs'"
complete -c mcp-conform -n "__fish_mcp_conform_using_subcommand list" -l area -d 'List only this area, such as `tools` or `lifecycle`' -r
complete -c mcp-conform -n "__fish_mcp_conform_using_subcommand list" -l level -d 'List only this level: must, should or advice' -r
complete -c mcp-conform -n "__fish_mcp_conform_using_subcommand list" -l protocol -d 'List only this revision, with the levels of that revision' -r
complete -c mcp-conform -n "__fish_mcp_conform_using_subcommand list" -l only -d 'List only ids that match this glob (`*` matches any text). Repeatable, or separated by commas' -r
complete -c mcp-conform -n "__fish_mcp_conform_using_subcommand list" -l unjudged -d 'List only requirements that no rule judges yet'
complete -c mcp-conform -n "__fish_mcp_conform_using_subcommand list" -l summary -d 'Print a Markdown table of counts by area and revision (judged/all) instead'
complete -c mcp-conform -n "__fish_mcp_conform_using_subcommand list" -s h -l help -d 'Print help (see more with \'--help\')'
complete -c mcp-conform -n "__fish_mcp_conform_using_subcommand explain" -l report -d 'Report that a cause is looked for in' -r -F
complete -c mcp-conform -n "__fish_mcp_conform_using_subcommand explain" -l format -d 'Output format' -r -f -a "human\t'For people'
json\t'For programs'"
complete -c mcp-conform -n "__fish_mcp_conform_using_subcommand explain" -l exchange -d 'Show a wrong and a right exchange, from two runs of the embedded reference server with and without a fault'
complete -c mcp-conform -n "__fish_mcp_conform_using_subcommand explain" -s h -l help -d 'Print help (see more with \'--help\')'
complete -c mcp-conform -n "__fish_mcp_conform_using_subcommand serve" -l transport -d 'Transport to serve' -r -f -a "stdio\t'Standard input and output'
http\t'Streamable HTTP'
sse\t'HTTP+SSE of 2024-11-05'"
complete -c mcp-conform -n "__fish_mcp_conform_using_subcommand serve" -l port -d 'Port on 127.0.0.1; 0 picks a free one. The URL is printed on standard error' -r
complete -c mcp-conform -n "__fish_mcp_conform_using_subcommand serve" -l protocol -d 'Revisions to support, comma-separated [default: all]' -r
complete -c mcp-conform -n "__fish_mcp_conform_using_subcommand serve" -l fault -d 'Break this requirement; `ID/VARIANT` if there are several ways. Repeatable' -r
complete -c mcp-conform -n "__fish_mcp_conform_using_subcommand serve" -l quirk -d 'Enable this quirk: behavior that the specification allows but is off by default. Repeatable' -r
complete -c mcp-conform -n "__fish_mcp_conform_using_subcommand serve" -l bug -d 'Enable this bug: one that no requirement covers, for `fuzz` to find. Repeatable' -r
complete -c mcp-conform -n "__fish_mcp_conform_using_subcommand serve" -l auth -d 'Require authorization over HTTP' -r -f -a "static\t'A random string'
jwt\t'A JSON Web Token with audience, scopes and expiry'"
complete -c mcp-conform -n "__fish_mcp_conform_using_subcommand serve" -l tokens -d 'Folder to write valid tokens to, with an mcp-conform.toml that names them' -r -F
complete -c mcp-conform -n "__fish_mcp_conform_using_subcommand serve" -l fixtures -d 'Also offer the tools, resources and prompts that the official conformance suite expects by name'
complete -c mcp-conform -n "__fish_mcp_conform_using_subcommand serve" -l list -d 'List all faults, quirks and bugs, and exit'
complete -c mcp-conform -n "__fish_mcp_conform_using_subcommand serve" -s h -l help -d 'Print help (see more with \'--help\')'
complete -c mcp-conform -n "__fish_mcp_conform_using_subcommand generate" -l valid -d 'Number of valid instances [default: 10 if --invalid is not given, else 0]' -r
complete -c mcp-conform -n "__fish_mcp_conform_using_subcommand generate" -l invalid -d 'Number of instances that break exactly one keyword [default: 10 if --valid is not given, else 0]' -r
complete -c mcp-conform -n "__fish_mcp_conform_using_subcommand generate" -l seed -d 'Random seed; the same seed generates the same instances' -r
complete -c mcp-conform -n "__fish_mcp_conform_using_subcommand generate" -l dialect -d 'Dialect of a schema without `$schema`' -r -f -a "draft-04\t''
draft-06\t''
draft-07\t''
2019-09\t''
2020-12\t''"
complete -c mcp-conform -n "__fish_mcp_conform_using_subcommand generate" -l formats -d 'Break `format` too; off by default because many validators treat it as an annotation'
complete -c mcp-conform -n "__fish_mcp_conform_using_subcommand generate" -s h -l help -d 'Print help (see more with \'--help\')'
complete -c mcp-conform -n "__fish_mcp_conform_using_subcommand fuzz" -l from -d 'Take the server from a client\'s configuration file; TARGET is then its name in that file' -r -F
complete -c mcp-conform -n "__fish_mcp_conform_using_subcommand fuzz" -l transport -d 'Transport for a URL' -r -f -a "auto\t'Streamable HTTP, falling back to HTTP+SSE'
http\t'Streamable HTTP'
sse\t'HTTP+SSE (2024-11-05); the URL is that of the event stream'"
complete -c mcp-conform -n "__fish_mcp_conform_using_subcommand fuzz" -l timeout -d 'Time limit for each request, in seconds or as 500ms, 90s or 2m [default: 5s]' -r
complete -c mcp-conform -n "__fish_mcp_conform_using_subcommand fuzz" -l start-timeout -d 'Time limit for the first answer of a server that is slow to start [default: 30s]' -r
complete -c mcp-conform -n "__fish_mcp_conform_using_subcommand fuzz" -l header -d 'Header for every HTTP request, as \'Name: value\'; reports never contain the value. Repeatable' -r
complete -c mcp-conform -n "__fish_mcp_conform_using_subcommand fuzz" -l header-env -d 'Header with its value from an environment variable, as \'Authorization: VARIABLE\'. Repeatable' -r
complete -c mcp-conform -n "__fish_mcp_conform_using_subcommand fuzz" -l token-env -d 'Environment variable with the token for the server, sent as `Authorization: Bearer TOKEN`' -r
complete -c mcp-conform -n "__fish_mcp_conform_using_subcommand fuzz" -l token-file -d 'File with the token for the server. The configuration file can name further tokens' -r -F
complete -c mcp-conform -n "__fish_mcp_conform_using_subcommand fuzz" -l config -d 'Configuration file [default: mcp-conform.toml in the working directory or the nearest folder above]' -r -F
complete -c mcp-conform -n "__fish_mcp_conform_using_subcommand fuzz" -l protocol -d 'Protocol revision to speak: a date, or `latest` (the newest that the server speaks)' -r
complete -c mcp-conform -n "__fish_mcp_conform_using_subcommand fuzz" -l calls -d 'Which tools may be called, with valid or invalid arguments [default: read-only]' -r -f -a "none\t'No tools'
read-only\t'Tools with `readOnlyHint: true`, and those named with --tool'
additive\t'Also tools with `destructiveHint: false`: they may add files, messages or issues'
all\t'All tools: only for servers that cannot do harm'"
complete -c mcp-conform -n "__fish_mcp_conform_using_subcommand fuzz" -l tool -d 'Allow calls of this tool, whatever its annotations say. Repeatable' -r
complete -c mcp-conform -n "__fish_mcp_conform_using_subcommand fuzz" -l seed -d 'Random seed; pass the seed of an earlier run to repeat its choices' -r
complete -c mcp-conform -n "__fish_mcp_conform_using_subcommand fuzz" -l time -d 'How long to fuzz, such as 90s, 10m or 2h' -r
complete -c mcp-conform -n "__fish_mcp_conform_using_subcommand fuzz" -l jobs -d 'Number of server processes to run in parallel [default: 4, or 1 for a URL]' -r
complete -c mcp-conform -n "__fish_mcp_conform_using_subcommand fuzz" -l reports -d 'Folder for reproducers and fuzz.json' -r -F
complete -c mcp-conform -n "__fish_mcp_conform_using_subcommand fuzz" -l embedded -d 'Test the embedded reference server, also where CI is set'
complete -c mcp-conform -n "__fish_mcp_conform_using_subcommand fuzz" -l scratch -d 'Start the program in an empty working directory, with empty HOME and TMPDIR'
complete -c mcp-conform -n "__fish_mcp_conform_using_subcommand fuzz" -l yes-disrupt -d 'Send malformed and disruptive input even to a URL on another machine'
complete -c mcp-conform -n "__fish_mcp_conform_using_subcommand fuzz" -s q -l quiet -d 'Hide progress'
complete -c mcp-conform -n "__fish_mcp_conform_using_subcommand fuzz" -s h -l help -d 'Print help (see more with \'--help\')'
complete -c mcp-conform -n "__fish_mcp_conform_using_subcommand replay" -l from -d 'Take the server from a client\'s configuration file; TARGET is then its name in that file' -r -F
complete -c mcp-conform -n "__fish_mcp_conform_using_subcommand replay" -l transport -d 'Transport for a URL' -r -f -a "auto\t'Streamable HTTP, falling back to HTTP+SSE'
http\t'Streamable HTTP'
sse\t'HTTP+SSE (2024-11-05); the URL is that of the event stream'"
complete -c mcp-conform -n "__fish_mcp_conform_using_subcommand replay" -l timeout -d 'Time limit for each request, in seconds or as 500ms, 90s or 2m [default: 5s]' -r
complete -c mcp-conform -n "__fish_mcp_conform_using_subcommand replay" -l start-timeout -d 'Time limit for the first answer of a server that is slow to start [default: 30s]' -r
complete -c mcp-conform -n "__fish_mcp_conform_using_subcommand replay" -l header -d 'Header for every HTTP request, as \'Name: value\'; reports never contain the value. Repeatable' -r
complete -c mcp-conform -n "__fish_mcp_conform_using_subcommand replay" -l header-env -d 'Header with its value from an environment variable, as \'Authorization: VARIABLE\'. Repeatable' -r
complete -c mcp-conform -n "__fish_mcp_conform_using_subcommand replay" -l token-env -d 'Environment variable with the token for the server, sent as `Authorization: Bearer TOKEN`' -r
complete -c mcp-conform -n "__fish_mcp_conform_using_subcommand replay" -l token-file -d 'File with the token for the server. The configuration file can name further tokens' -r -F
complete -c mcp-conform -n "__fish_mcp_conform_using_subcommand replay" -l config -d 'Configuration file [default: mcp-conform.toml in the working directory or the nearest folder above]' -r -F
complete -c mcp-conform -n "__fish_mcp_conform_using_subcommand replay" -l embedded -d 'Test the embedded reference server, also where CI is set'
complete -c mcp-conform -n "__fish_mcp_conform_using_subcommand replay" -l scratch -d 'Start the program in an empty working directory, with empty HOME and TMPDIR'
complete -c mcp-conform -n "__fish_mcp_conform_using_subcommand replay" -l yes-disrupt -d 'Send malformed and disruptive input even to a URL on another machine'
complete -c mcp-conform -n "__fish_mcp_conform_using_subcommand replay" -s h -l help -d 'Print help (see more with \'--help\')'
complete -c mcp-conform -n "__fish_mcp_conform_using_subcommand report" -l format -d 'Format of the report' -r -f -a "human\t'For people'
json\t'The whole record'
junit\t'JUnit XML, for continuous integration'
sarif\t'SARIF 2.1.0, for code-scanning alerts'
markdown\t'Markdown, for job summaries and comments'
html\t'A self-contained HTML page'
tap\t'TAP 13, for test harnesses'
gitlab\t'GitLab code quality report'
github\t'Annotations for GitHub Actions; printed automatically where GITHUB_ACTIONS is set'
badge\t'A badge: endpoint JSON for shields.io'"
complete -c mcp-conform -n "__fish_mcp_conform_using_subcommand report" -l not-observed -d 'List the requirements that were not observed, by what would let them be seen'
complete -c mcp-conform -n "__fish_mcp_conform_using_subcommand report" -l advice -d 'Show advice in full instead of one line each'
complete -c mcp-conform -n "__fish_mcp_conform_using_subcommand report" -l sdk-findings -d 'Show in full, instead of one line each, what the SDK of the server is to blame for'
complete -c mcp-conform -n "__fish_mcp_conform_using_subcommand report" -s h -l help -d 'Print help (see more with \'--help\')'
complete -c mcp-conform -n "__fish_mcp_conform_using_subcommand diff" -l format -d 'Output format' -r -f -a "human\t'For people'
markdown\t'For pull requests'
json\t'For programs'"
complete -c mcp-conform -n "__fish_mcp_conform_using_subcommand diff" -l fail-on-breaking -d 'Exit with code 1 if a change breaks clients: a tool or revision was removed, or a tool changed incompatibly'
complete -c mcp-conform -n "__fish_mcp_conform_using_subcommand diff" -s h -l help -d 'Print help (see more with \'--help\')'
complete -c mcp-conform -n "__fish_mcp_conform_using_subcommand record" -l out -d 'Path of the recording; if the file exists, a number is added to its name [default: a name with the current time]' -r -F
complete -c mcp-conform -n "__fish_mcp_conform_using_subcommand record" -l secret-env -d 'Environment variable whose value is omitted from the recording. Repeatable' -r
complete -c mcp-conform -n "__fish_mcp_conform_using_subcommand record" -l listen -d 'Loopback address and port to listen on for clients of --to; port 0 picks a free one' -r
complete -c mcp-conform -n "__fish_mcp_conform_using_subcommand record" -l to -d 'URL of the server' -r
complete -c mcp-conform -n "__fish_mcp_conform_using_subcommand record" -l transport -d 'Transport of the URL' -r -f -a "auto\t'Streamable HTTP, falling back to HTTP+SSE'
http\t'Streamable HTTP'
sse\t'HTTP+SSE (2024-11-05); the URL is that of the event stream'"
complete -c mcp-conform -n "__fish_mcp_conform_using_subcommand record" -s h -l help -d 'Print help (see more with \'--help\')'
complete -c mcp-conform -n "__fish_mcp_conform_using_subcommand judge" -l protocol -d 'Judge only sessions in this revision; by default each session is judged by the revision it negotiated' -r
complete -c mcp-conform -n "__fish_mcp_conform_using_subcommand judge" -l only -d 'Judge only requirements that match this glob (`*` matches any text). Repeatable, or separated by commas' -r
complete -c mcp-conform -n "__fish_mcp_conform_using_subcommand judge" -l skip -d 'Skip requirements that match this glob. Repeatable, or separated by commas' -r
complete -c mcp-conform -n "__fish_mcp_conform_using_subcommand judge" -l fail-on -d 'Lowest level that causes exit code 1: must, should, advice or never' -r
complete -c mcp-conform -n "__fish_mcp_conform_using_subcommand judge" -l hosts -d 'Hosts to speak of what they do not take: `all`, `none`, or names from `mcp-conform hosts` [default: the most used]' -r
complete -c mcp-conform -n "__fish_mcp_conform_using_subcommand judge" -l format -d 'Format of the report on standard output' -r -f -a "human\t'For people'
json\t'The whole record'
junit\t'JUnit XML, for continuous integration'
sarif\t'SARIF 2.1.0, for code-scanning alerts'
markdown\t'Markdown, for job summaries and comments'
html\t'A self-contained HTML page'
tap\t'TAP 13, for test harnesses'
gitlab\t'GitLab code quality report'
github\t'Annotations for GitHub Actions; printed automatically where GITHUB_ACTIONS is set'
badge\t'A badge: endpoint JSON for shields.io'"
complete -c mcp-conform -n "__fish_mcp_conform_using_subcommand judge" -l reports -d 'Folder for the report files, as with `run`' -r -F
complete -c mcp-conform -n "__fish_mcp_conform_using_subcommand judge" -l advice -d 'Show advice in full instead of one line each'
complete -c mcp-conform -n "__fish_mcp_conform_using_subcommand judge" -l sdk-findings -d 'Show in full, instead of one line each, what the SDK of the server is to blame for'
complete -c mcp-conform -n "__fish_mcp_conform_using_subcommand judge" -s h -l help -d 'Print help (see more with \'--help\')'
complete -c mcp-conform -n "__fish_mcp_conform_using_subcommand sdk; and not __fish_seen_subcommand_from list profile" -s h -l help -d 'Print help'
complete -c mcp-conform -n "__fish_mcp_conform_using_subcommand sdk; and not __fish_seen_subcommand_from list profile" -f -a "list" -d 'List the SDKs whose findings are told from yours, with what the smallest correct server breaks that is built with them'
complete -c mcp-conform -n "__fish_mcp_conform_using_subcommand sdk; and not __fish_seen_subcommand_from list profile" -f -a "profile" -d 'Make the profile of an SDK from reports about the smallest correct server that is built with it'
complete -c mcp-conform -n "__fish_mcp_conform_using_subcommand sdk; and __fish_seen_subcommand_from list" -l format -d 'Output format' -r -f -a "human\t'For people'
json\t'For programs'"
complete -c mcp-conform -n "__fish_mcp_conform_using_subcommand sdk; and __fish_seen_subcommand_from list" -s h -l help -d 'Print help (see more with \'--help\')'
complete -c mcp-conform -n "__fish_mcp_conform_using_subcommand sdk; and __fish_seen_subcommand_from profile" -l sdk -d 'The SDK and its version, as REGISTRY:NAME@VERSION' -r
complete -c mcp-conform -n "__fish_mcp_conform_using_subcommand sdk; and __fish_seen_subcommand_from profile" -l date -d 'The day of the reports, as YYYY-MM-DD' -r
complete -c mcp-conform -n "__fish_mcp_conform_using_subcommand sdk; and __fish_seen_subcommand_from profile" -l with -d 'A profile of the same version, to which this one is added: what fails once is broken' -r -F
complete -c mcp-conform -n "__fish_mcp_conform_using_subcommand sdk; and __fish_seen_subcommand_from profile" -l into -d 'Folder of profiles to write to, as REGISTRY/NAME/VERSION.toml [default: standard output]' -r -F
complete -c mcp-conform -n "__fish_mcp_conform_using_subcommand sdk; and __fish_seen_subcommand_from profile" -s h -l help -d 'Print help (see more with \'--help\')'
complete -c mcp-conform -n "__fish_mcp_conform_using_subcommand hosts" -l format -d 'Output format' -r -f -a "human\t'For people'
json\t'For programs'"
complete -c mcp-conform -n "__fish_mcp_conform_using_subcommand hosts" -s h -l help -d 'Print help (see more with \'--help\')'
complete -c mcp-conform -n "__fish_mcp_conform_using_subcommand selftest" -l format -d 'Output format' -r -f -a "human\t'For people'
json\t'For programs'"
complete -c mcp-conform -n "__fish_mcp_conform_using_subcommand selftest" -l only -d 'Test only faults of requirements that match this glob, and no quirks. Repeatable' -r
complete -c mcp-conform -n "__fish_mcp_conform_using_subcommand selftest" -l protocol -d 'Test only these revisions (comma-separated)' -r
complete -c mcp-conform -n "__fish_mcp_conform_using_subcommand selftest" -l transport -d 'Test only this transport: stdio, http or sse' -r
complete -c mcp-conform -n "__fish_mcp_conform_using_subcommand selftest" -l jobs -d 'Number of servers to test in parallel' -r
complete -c mcp-conform -n "__fish_mcp_conform_using_subcommand selftest" -l timeout -d 'Time limit for each request' -r
complete -c mcp-conform -n "__fish_mcp_conform_using_subcommand selftest" -l seed -d 'Random seed for generated arguments' -r
complete -c mcp-conform -n "__fish_mcp_conform_using_subcommand selftest" -l sample -d 'Test each fault and quirk in a single revision and transport, which vary from one to the next'
complete -c mcp-conform -n "__fish_mcp_conform_using_subcommand selftest" -l pace -d 'Fail too if a server with a fault takes more than three times as long to judge as one without, plus ten seconds, or more than a minute (timed alone)'
complete -c mcp-conform -n "__fish_mcp_conform_using_subcommand selftest" -l whole -d 'Judge a server with a fault against every requirement, as `mcp-conform run` does, and not only against the one that the fault breaks'
complete -c mcp-conform -n "__fish_mcp_conform_using_subcommand selftest" -s q -l quiet -d 'Hide progress'
complete -c mcp-conform -n "__fish_mcp_conform_using_subcommand selftest" -s h -l help -d 'Print help (see more with \'--help\')'
complete -c mcp-conform -n "__fish_mcp_conform_using_subcommand completions" -s h -l help -d 'Print help'

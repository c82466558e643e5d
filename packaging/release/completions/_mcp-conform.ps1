
using namespace System.Management.Automation
using namespace System.Management.Automation.Language

Register-ArgumentCompleter -Native -CommandName 'mcp-conform' -ScriptBlock {
    param($wordToComplete, $commandAst, $cursorPosition)

    $commandElements = $commandAst.CommandElements
    $command = @(
        'mcp-conform'
        for ($i = 1; $i -lt $commandElements.Count; $i++) {
            $element = $commandElements[$i]
            if ($element -isnot [StringConstantExpressionAst] -or
                $element.StringConstantType -ne [StringConstantType]::BareWord -or
                $element.Value.StartsWith('-') -or
                $element.Value -eq $wordToComplete) {
                break
        }
        $element.Value
    }) -join ';'

    $completions = @(switch ($command) {
        'mcp-conform' {
            [CompletionResult]::new('-h', '-h', [CompletionResultType]::ParameterName, 'Print help (see more with ''--help'')')
            [CompletionResult]::new('--help', '--help', [CompletionResultType]::ParameterName, 'Print help (see more with ''--help'')')
            [CompletionResult]::new('run', 'run', [CompletionResultType]::ParameterValue, 'Test a server and report the requirements it breaks')
            [CompletionResult]::new('init', 'init', [CompletionResultType]::ParameterValue, 'Write mcp-conform.toml, a GitHub workflow and reports/.gitignore for a server')
            [CompletionResult]::new('list', 'list', [CompletionResultType]::ParameterValue, 'List the requirements of the specification, and which of them are judged')
            [CompletionResult]::new('explain', 'explain', [CompletionResultType]::ParameterValue, 'Explain a requirement: what it states and where, how to meet it, how it is tested')
            [CompletionResult]::new('serve', 'serve', [CompletionResultType]::ParameterValue, 'Run the embedded reference server, with or without injected faults')
            [CompletionResult]::new('generate', 'generate', [CompletionResultType]::ParameterValue, 'Generate instances of a JSON Schema')
            [CompletionResult]::new('fuzz', 'fuzz', [CompletionResultType]::ParameterValue, 'Fuzz a server for crashes, hangs, growing memory and answers that break a requirement')
            [CompletionResult]::new('replay', 'replay', [CompletionResultType]::ParameterValue, 'Send a stored conversation again, one message per line, and print the traffic')
            [CompletionResult]::new('report', 'report', [CompletionResultType]::ParameterValue, 'Render a stored report.json in another format')
            [CompletionResult]::new('diff', 'diff', [CompletionResultType]::ParameterValue, 'Compare two reports of a server: findings, revisions and incompatible tool changes')
            [CompletionResult]::new('record', 'record', [CompletionResultType]::ParameterValue, 'Record a session of a real client, to be judged later')
            [CompletionResult]::new('judge', 'judge', [CompletionResultType]::ParameterValue, 'Judge recorded sessions offline, with the rules of `run`')
            [CompletionResult]::new('sdk', 'sdk', [CompletionResultType]::ParameterValue, 'Show what SDKs break by themselves, or make the profile of one')
            [CompletionResult]::new('hosts', 'hosts', [CompletionResultType]::ParameterValue, 'List hosts, model APIs and client libraries, and explain what they do not take of a server as it is')
            [CompletionResult]::new('selftest', 'selftest', [CompletionResultType]::ParameterValue, 'Test mcp-conform itself against a reference server with injected faults')
            [CompletionResult]::new('completions', 'completions', [CompletionResultType]::ParameterValue, 'Print a shell completion script')
            break
        }
        'mcp-conform;run' {
            [CompletionResult]::new('--from', '--from', [CompletionResultType]::ParameterName, 'Take the server from a client''s configuration file; TARGET is then its name in that file')
            [CompletionResult]::new('--transport', '--transport', [CompletionResultType]::ParameterName, 'Transport for a URL')
            [CompletionResult]::new('--timeout', '--timeout', [CompletionResultType]::ParameterName, 'Time limit for each request, in seconds or as 500ms, 90s or 2m [default: 5s]')
            [CompletionResult]::new('--start-timeout', '--start-timeout', [CompletionResultType]::ParameterName, 'Time limit for the first answer of a server that is slow to start [default: 30s]')
            [CompletionResult]::new('--header', '--header', [CompletionResultType]::ParameterName, 'Header for every HTTP request, as ''Name: value''; reports never contain the value. Repeatable')
            [CompletionResult]::new('--header-env', '--header-env', [CompletionResultType]::ParameterName, 'Header with its value from an environment variable, as ''Authorization: VARIABLE''. Repeatable')
            [CompletionResult]::new('--token-env', '--token-env', [CompletionResultType]::ParameterName, 'Environment variable with the token for the server, sent as `Authorization: Bearer TOKEN`')
            [CompletionResult]::new('--token-file', '--token-file', [CompletionResultType]::ParameterName, 'File with the token for the server. The configuration file can name further tokens')
            [CompletionResult]::new('--config', '--config', [CompletionResultType]::ParameterName, 'Configuration file [default: mcp-conform.toml in the working directory or the nearest folder above]')
            [CompletionResult]::new('--protocol', '--protocol', [CompletionResultType]::ParameterName, 'Protocol revision to judge by: a date, `latest` (the newest that the server speaks) or `all`')
            [CompletionResult]::new('--calls', '--calls', [CompletionResultType]::ParameterName, 'Which tools may be called, with valid or invalid arguments [default: read-only]')
            [CompletionResult]::new('--tool', '--tool', [CompletionResultType]::ParameterName, 'Allow calls of this tool, whatever its annotations say. Repeatable')
            [CompletionResult]::new('--seed', '--seed', [CompletionResultType]::ParameterName, 'Random seed; pass the seed of an earlier run to repeat its choices')
            [CompletionResult]::new('--only', '--only', [CompletionResultType]::ParameterName, 'Judge only requirements or scenarios that match this glob (`*` matches any text). Repeatable, or separated by commas')
            [CompletionResult]::new('--skip', '--skip', [CompletionResultType]::ParameterName, 'Skip requirements or scenarios that match this glob. Repeatable, or separated by commas')
            [CompletionResult]::new('--cases', '--cases', [CompletionResultType]::ParameterName, 'Number of generated argument sets per tool; 0 disables generated calls [default: 100, but 5 for a tool that does not say `openWorldHint: false`]')
            [CompletionResult]::new('--time', '--time', [CompletionResultType]::ParameterName, 'Time budget for the generated calls of one tool; a slow tool gets fewer cases')
            [CompletionResult]::new('--fail-on', '--fail-on', [CompletionResultType]::ParameterName, 'Lowest level that causes exit code 1: must, should, advice or never')
            [CompletionResult]::new('--format', '--format', [CompletionResultType]::ParameterName, 'Format of the report on standard output')
            [CompletionResult]::new('--reports', '--reports', [CompletionResultType]::ParameterName, 'Folder for the report files: report.txt, report.json, report.xml, report.sarif, report.md, report.html, report.tap, gl-code-quality-report.json, badge.json and transcript.jsonl.gz')
            [CompletionResult]::new('--jobs', '--jobs', [CompletionResultType]::ParameterName, 'Number of server processes to run in parallel')
            [CompletionResult]::new('--second-token-env', '--second-token-env', [CompletionResultType]::ParameterName, 'Environment variable with a second user''s token, to check that it gives no access to the first user''s data')
            [CompletionResult]::new('--snapshot', '--snapshot', [CompletionResultType]::ParameterName, 'Compare the outcome with the snapshot in the reports folder, or update the snapshot')
            [CompletionResult]::new('--snapshot-name', '--snapshot-name', [CompletionResultType]::ParameterName, 'Name of the snapshot [default: the name of the server]')
            [CompletionResult]::new('--baseline', '--baseline', [CompletionResultType]::ParameterName, 'File of known findings; only new findings, and stale or expired entries, cause exit code 1')
            [CompletionResult]::new('--sdk', '--sdk', [CompletionResultType]::ParameterName, 'What the server is built with, where it is not found out: NAME@VERSION. `mcp-conform sdk list` shows the names')
            [CompletionResult]::new('--hosts', '--hosts', [CompletionResultType]::ParameterName, 'Hosts to speak of what they do not take: `all`, `none`, or names from `mcp-conform hosts` [default: the most used]')
            [CompletionResult]::new('--fail-on-host', '--fail-on-host', [CompletionResultType]::ParameterName, 'Exit with 1 if this host loses a request, a list, the connection or a tool; repeatable')
            [CompletionResult]::new('--embedded', '--embedded', [CompletionResultType]::ParameterName, 'Test the embedded reference server, also where CI is set')
            [CompletionResult]::new('--scratch', '--scratch', [CompletionResultType]::ParameterName, 'Start the program in an empty working directory, with empty HOME and TMPDIR')
            [CompletionResult]::new('--yes-disrupt', '--yes-disrupt', [CompletionResultType]::ParameterName, 'Send malformed and disruptive input even to a URL on another machine')
            [CompletionResult]::new('--transcript', '--transcript', [CompletionResultType]::ParameterName, 'Write the transcript of the embedded server, too; those of other servers are always written')
            [CompletionResult]::new('--timing', '--timing', [CompletionResultType]::ParameterName, 'Show on standard error where the time went: the critical path by scenario, the longest step first')
            [CompletionResult]::new('--advice', '--advice', [CompletionResultType]::ParameterName, 'Show advice in full instead of one line each')
            [CompletionResult]::new('--sdk-findings', '--sdk-findings', [CompletionResultType]::ParameterName, 'Show in full, instead of one line each, what the SDK of the server is to blame for')
            [CompletionResult]::new('-q', '-q', [CompletionResultType]::ParameterName, 'Hide progress, and print only the verdict and counts of the human report')
            [CompletionResult]::new('--quiet', '--quiet', [CompletionResultType]::ParameterName, 'Hide progress, and print only the verdict and counts of the human report')
            [CompletionResult]::new('--accept-sdk', '--accept-sdk', [CompletionResultType]::ParameterName, 'Findings that the SDK of the server is to blame for cause no exit code 1')
            [CompletionResult]::new('--update-baseline', '--update-baseline', [CompletionResultType]::ParameterName, 'Add new findings to the baseline and remove stale entries; comments and reasons are kept')
            [CompletionResult]::new('-h', '-h', [CompletionResultType]::ParameterName, 'Print help (see more with ''--help'')')
            [CompletionResult]::new('--help', '--help', [CompletionResultType]::ParameterName, 'Print help (see more with ''--help'')')
            break
        }
        'mcp-conform;init' {
            [CompletionResult]::new('--timeout', '--timeout', [CompletionResultType]::ParameterName, 'Time limit for each request')
            [CompletionResult]::new('--force', '--force', [CompletionResultType]::ParameterName, 'Overwrite existing files')
            [CompletionResult]::new('--no-workflow', '--no-workflow', [CompletionResultType]::ParameterName, 'Do not write a workflow')
            [CompletionResult]::new('-h', '-h', [CompletionResultType]::ParameterName, 'Print help (see more with ''--help'')')
            [CompletionResult]::new('--help', '--help', [CompletionResultType]::ParameterName, 'Print help (see more with ''--help'')')
            break
        }
        'mcp-conform;list' {
            [CompletionResult]::new('--format', '--format', [CompletionResultType]::ParameterName, 'Output format')
            [CompletionResult]::new('--area', '--area', [CompletionResultType]::ParameterName, 'List only this area, such as `tools` or `lifecycle`')
            [CompletionResult]::new('--level', '--level', [CompletionResultType]::ParameterName, 'List only this level: must, should or advice')
            [CompletionResult]::new('--protocol', '--protocol', [CompletionResultType]::ParameterName, 'List only this revision, with the levels of that revision')
            [CompletionResult]::new('--only', '--only', [CompletionResultType]::ParameterName, 'List only ids that match this glob (`*` matches any text). Repeatable, or separated by commas')
            [CompletionResult]::new('--unjudged', '--unjudged', [CompletionResultType]::ParameterName, 'List only requirements that no rule judges yet')
            [CompletionResult]::new('--summary', '--summary', [CompletionResultType]::ParameterName, 'Print a Markdown table of counts by area and revision (judged/all) instead')
            [CompletionResult]::new('-h', '-h', [CompletionResultType]::ParameterName, 'Print help (see more with ''--help'')')
            [CompletionResult]::new('--help', '--help', [CompletionResultType]::ParameterName, 'Print help (see more with ''--help'')')
            break
        }
        'mcp-conform;explain' {
            [CompletionResult]::new('--report', '--report', [CompletionResultType]::ParameterName, 'Report that a cause is looked for in')
            [CompletionResult]::new('--format', '--format', [CompletionResultType]::ParameterName, 'Output format')
            [CompletionResult]::new('--exchange', '--exchange', [CompletionResultType]::ParameterName, 'Show a wrong and a right exchange, from two runs of the embedded reference server with and without a fault')
            [CompletionResult]::new('-h', '-h', [CompletionResultType]::ParameterName, 'Print help (see more with ''--help'')')
            [CompletionResult]::new('--help', '--help', [CompletionResultType]::ParameterName, 'Print help (see more with ''--help'')')
            break
        }
        'mcp-conform;serve' {
            [CompletionResult]::new('--transport', '--transport', [CompletionResultType]::ParameterName, 'Transport to serve')
            [CompletionResult]::new('--port', '--port', [CompletionResultType]::ParameterName, 'Port on 127.0.0.1; 0 picks a free one. The URL is printed on standard error')
            [CompletionResult]::new('--protocol', '--protocol', [CompletionResultType]::ParameterName, 'Revisions to support, comma-separated [default: all]')
            [CompletionResult]::new('--fault', '--fault', [CompletionResultType]::ParameterName, 'Break this requirement; `ID/VARIANT` if there are several ways. Repeatable')
            [CompletionResult]::new('--quirk', '--quirk', [CompletionResultType]::ParameterName, 'Enable this quirk: behavior that the specification allows but is off by default. Repeatable')
            [CompletionResult]::new('--bug', '--bug', [CompletionResultType]::ParameterName, 'Enable this bug: one that no requirement covers, for `fuzz` to find. Repeatable')
            [CompletionResult]::new('--auth', '--auth', [CompletionResultType]::ParameterName, 'Require authorization over HTTP')
            [CompletionResult]::new('--tokens', '--tokens', [CompletionResultType]::ParameterName, 'Folder to write valid tokens to, with an mcp-conform.toml that names them')
            [CompletionResult]::new('--fixtures', '--fixtures', [CompletionResultType]::ParameterName, 'Also offer the tools, resources and prompts that the official conformance suite expects by name')
            [CompletionResult]::new('--list', '--list', [CompletionResultType]::ParameterName, 'List all faults, quirks and bugs, and exit')
            [CompletionResult]::new('-h', '-h', [CompletionResultType]::ParameterName, 'Print help (see more with ''--help'')')
            [CompletionResult]::new('--help', '--help', [CompletionResultType]::ParameterName, 'Print help (see more with ''--help'')')
            break
        }
        'mcp-conform;generate' {
            [CompletionResult]::new('--valid', '--valid', [CompletionResultType]::ParameterName, 'Number of valid instances [default: 10 if --invalid is not given, else 0]')
            [CompletionResult]::new('--invalid', '--invalid', [CompletionResultType]::ParameterName, 'Number of instances that break exactly one keyword [default: 10 if --valid is not given, else 0]')
            [CompletionResult]::new('--seed', '--seed', [CompletionResultType]::ParameterName, 'Random seed; the same seed generates the same instances')
            [CompletionResult]::new('--dialect', '--dialect', [CompletionResultType]::ParameterName, 'Dialect of a schema without `$schema`')
            [CompletionResult]::new('--formats', '--formats', [CompletionResultType]::ParameterName, 'Break `format` too; off by default because many validators treat it as an annotation')
            [CompletionResult]::new('-h', '-h', [CompletionResultType]::ParameterName, 'Print help (see more with ''--help'')')
            [CompletionResult]::new('--help', '--help', [CompletionResultType]::ParameterName, 'Print help (see more with ''--help'')')
            break
        }
        'mcp-conform;fuzz' {
            [CompletionResult]::new('--from', '--from', [CompletionResultType]::ParameterName, 'Take the server from a client''s configuration file; TARGET is then its name in that file')
            [CompletionResult]::new('--transport', '--transport', [CompletionResultType]::ParameterName, 'Transport for a URL')
            [CompletionResult]::new('--timeout', '--timeout', [CompletionResultType]::ParameterName, 'Time limit for each request, in seconds or as 500ms, 90s or 2m [default: 5s]')
            [CompletionResult]::new('--start-timeout', '--start-timeout', [CompletionResultType]::ParameterName, 'Time limit for the first answer of a server that is slow to start [default: 30s]')
            [CompletionResult]::new('--header', '--header', [CompletionResultType]::ParameterName, 'Header for every HTTP request, as ''Name: value''; reports never contain the value. Repeatable')
            [CompletionResult]::new('--header-env', '--header-env', [CompletionResultType]::ParameterName, 'Header with its value from an environment variable, as ''Authorization: VARIABLE''. Repeatable')
            [CompletionResult]::new('--token-env', '--token-env', [CompletionResultType]::ParameterName, 'Environment variable with the token for the server, sent as `Authorization: Bearer TOKEN`')
            [CompletionResult]::new('--token-file', '--token-file', [CompletionResultType]::ParameterName, 'File with the token for the server. The configuration file can name further tokens')
            [CompletionResult]::new('--config', '--config', [CompletionResultType]::ParameterName, 'Configuration file [default: mcp-conform.toml in the working directory or the nearest folder above]')
            [CompletionResult]::new('--protocol', '--protocol', [CompletionResultType]::ParameterName, 'Protocol revision to speak: a date, or `latest` (the newest that the server speaks)')
            [CompletionResult]::new('--calls', '--calls', [CompletionResultType]::ParameterName, 'Which tools may be called, with valid or invalid arguments [default: read-only]')
            [CompletionResult]::new('--tool', '--tool', [CompletionResultType]::ParameterName, 'Allow calls of this tool, whatever its annotations say. Repeatable')
            [CompletionResult]::new('--seed', '--seed', [CompletionResultType]::ParameterName, 'Random seed; pass the seed of an earlier run to repeat its choices')
            [CompletionResult]::new('--time', '--time', [CompletionResultType]::ParameterName, 'How long to fuzz, such as 90s, 10m or 2h')
            [CompletionResult]::new('--jobs', '--jobs', [CompletionResultType]::ParameterName, 'Number of server processes to run in parallel [default: 4, or 1 for a URL]')
            [CompletionResult]::new('--reports', '--reports', [CompletionResultType]::ParameterName, 'Folder for reproducers and fuzz.json')
            [CompletionResult]::new('--embedded', '--embedded', [CompletionResultType]::ParameterName, 'Test the embedded reference server, also where CI is set')
            [CompletionResult]::new('--scratch', '--scratch', [CompletionResultType]::ParameterName, 'Start the program in an empty working directory, with empty HOME and TMPDIR')
            [CompletionResult]::new('--yes-disrupt', '--yes-disrupt', [CompletionResultType]::ParameterName, 'Send malformed and disruptive input even to a URL on another machine')
            [CompletionResult]::new('-q', '-q', [CompletionResultType]::ParameterName, 'Hide progress')
            [CompletionResult]::new('--quiet', '--quiet', [CompletionResultType]::ParameterName, 'Hide progress')
            [CompletionResult]::new('-h', '-h', [CompletionResultType]::ParameterName, 'Print help (see more with ''--help'')')
            [CompletionResult]::new('--help', '--help', [CompletionResultType]::ParameterName, 'Print help (see more with ''--help'')')
            break
        }
        'mcp-conform;replay' {
            [CompletionResult]::new('--from', '--from', [CompletionResultType]::ParameterName, 'Take the server from a client''s configuration file; TARGET is then its name in that file')
            [CompletionResult]::new('--transport', '--transport', [CompletionResultType]::ParameterName, 'Transport for a URL')
            [CompletionResult]::new('--timeout', '--timeout', [CompletionResultType]::ParameterName, 'Time limit for each request, in seconds or as 500ms, 90s or 2m [default: 5s]')
            [CompletionResult]::new('--start-timeout', '--start-timeout', [CompletionResultType]::ParameterName, 'Time limit for the first answer of a server that is slow to start [default: 30s]')
            [CompletionResult]::new('--header', '--header', [CompletionResultType]::ParameterName, 'Header for every HTTP request, as ''Name: value''; reports never contain the value. Repeatable')
            [CompletionResult]::new('--header-env', '--header-env', [CompletionResultType]::ParameterName, 'Header with its value from an environment variable, as ''Authorization: VARIABLE''. Repeatable')
            [CompletionResult]::new('--token-env', '--token-env', [CompletionResultType]::ParameterName, 'Environment variable with the token for the server, sent as `Authorization: Bearer TOKEN`')
            [CompletionResult]::new('--token-file', '--token-file', [CompletionResultType]::ParameterName, 'File with the token for the server. The configuration file can name further tokens')
            [CompletionResult]::new('--config', '--config', [CompletionResultType]::ParameterName, 'Configuration file [default: mcp-conform.toml in the working directory or the nearest folder above]')
            [CompletionResult]::new('--embedded', '--embedded', [CompletionResultType]::ParameterName, 'Test the embedded reference server, also where CI is set')
            [CompletionResult]::new('--scratch', '--scratch', [CompletionResultType]::ParameterName, 'Start the program in an empty working directory, with empty HOME and TMPDIR')
            [CompletionResult]::new('--yes-disrupt', '--yes-disrupt', [CompletionResultType]::ParameterName, 'Send malformed and disruptive input even to a URL on another machine')
            [CompletionResult]::new('-h', '-h', [CompletionResultType]::ParameterName, 'Print help (see more with ''--help'')')
            [CompletionResult]::new('--help', '--help', [CompletionResultType]::ParameterName, 'Print help (see more with ''--help'')')
            break
        }
        'mcp-conform;report' {
            [CompletionResult]::new('--format', '--format', [CompletionResultType]::ParameterName, 'Format of the report')
            [CompletionResult]::new('--not-observed', '--not-observed', [CompletionResultType]::ParameterName, 'List the requirements that were not observed, by what would let them be seen')
            [CompletionResult]::new('--advice', '--advice', [CompletionResultType]::ParameterName, 'Show advice in full instead of one line each')
            [CompletionResult]::new('--sdk-findings', '--sdk-findings', [CompletionResultType]::ParameterName, 'Show in full, instead of one line each, what the SDK of the server is to blame for')
            [CompletionResult]::new('-h', '-h', [CompletionResultType]::ParameterName, 'Print help (see more with ''--help'')')
            [CompletionResult]::new('--help', '--help', [CompletionResultType]::ParameterName, 'Print help (see more with ''--help'')')
            break
        }
        'mcp-conform;diff' {
            [CompletionResult]::new('--format', '--format', [CompletionResultType]::ParameterName, 'Output format')
            [CompletionResult]::new('--fail-on-breaking', '--fail-on-breaking', [CompletionResultType]::ParameterName, 'Exit with code 1 if a change breaks clients: a tool or revision was removed, or a tool changed incompatibly')
            [CompletionResult]::new('-h', '-h', [CompletionResultType]::ParameterName, 'Print help (see more with ''--help'')')
            [CompletionResult]::new('--help', '--help', [CompletionResultType]::ParameterName, 'Print help (see more with ''--help'')')
            break
        }
        'mcp-conform;record' {
            [CompletionResult]::new('--out', '--out', [CompletionResultType]::ParameterName, 'Path of the recording; if the file exists, a number is added to its name [default: a name with the current time]')
            [CompletionResult]::new('--secret-env', '--secret-env', [CompletionResultType]::ParameterName, 'Environment variable whose value is omitted from the recording. Repeatable')
            [CompletionResult]::new('--listen', '--listen', [CompletionResultType]::ParameterName, 'Loopback address and port to listen on for clients of --to; port 0 picks a free one')
            [CompletionResult]::new('--to', '--to', [CompletionResultType]::ParameterName, 'URL of the server')
            [CompletionResult]::new('--transport', '--transport', [CompletionResultType]::ParameterName, 'Transport of the URL')
            [CompletionResult]::new('-h', '-h', [CompletionResultType]::ParameterName, 'Print help (see more with ''--help'')')
            [CompletionResult]::new('--help', '--help', [CompletionResultType]::ParameterName, 'Print help (see more with ''--help'')')
            break
        }
        'mcp-conform;judge' {
            [CompletionResult]::new('--protocol', '--protocol', [CompletionResultType]::ParameterName, 'Judge only sessions in this revision; by default each session is judged by the revision it negotiated')
            [CompletionResult]::new('--only', '--only', [CompletionResultType]::ParameterName, 'Judge only requirements that match this glob (`*` matches any text). Repeatable, or separated by commas')
            [CompletionResult]::new('--skip', '--skip', [CompletionResultType]::ParameterName, 'Skip requirements that match this glob. Repeatable, or separated by commas')
            [CompletionResult]::new('--fail-on', '--fail-on', [CompletionResultType]::ParameterName, 'Lowest level that causes exit code 1: must, should, advice or never')
            [CompletionResult]::new('--hosts', '--hosts', [CompletionResultType]::ParameterName, 'Hosts to speak of what they do not take: `all`, `none`, or names from `mcp-conform hosts` [default: the most used]')
            [CompletionResult]::new('--format', '--format', [CompletionResultType]::ParameterName, 'Format of the report on standard output')
            [CompletionResult]::new('--reports', '--reports', [CompletionResultType]::ParameterName, 'Folder for the report files, as with `run`')
            [CompletionResult]::new('--advice', '--advice', [CompletionResultType]::ParameterName, 'Show advice in full instead of one line each')
            [CompletionResult]::new('--sdk-findings', '--sdk-findings', [CompletionResultType]::ParameterName, 'Show in full, instead of one line each, what the SDK of the server is to blame for')
            [CompletionResult]::new('-h', '-h', [CompletionResultType]::ParameterName, 'Print help (see more with ''--help'')')
            [CompletionResult]::new('--help', '--help', [CompletionResultType]::ParameterName, 'Print help (see more with ''--help'')')
            break
        }
        'mcp-conform;sdk' {
            [CompletionResult]::new('-h', '-h', [CompletionResultType]::ParameterName, 'Print help')
            [CompletionResult]::new('--help', '--help', [CompletionResultType]::ParameterName, 'Print help')
            [CompletionResult]::new('list', 'list', [CompletionResultType]::ParameterValue, 'List the SDKs whose findings are told from yours, with what the smallest correct server breaks that is built with them')
            [CompletionResult]::new('profile', 'profile', [CompletionResultType]::ParameterValue, 'Make the profile of an SDK from reports about the smallest correct server that is built with it')
            break
        }
        'mcp-conform;sdk;list' {
            [CompletionResult]::new('--format', '--format', [CompletionResultType]::ParameterName, 'Output format')
            [CompletionResult]::new('-h', '-h', [CompletionResultType]::ParameterName, 'Print help (see more with ''--help'')')
            [CompletionResult]::new('--help', '--help', [CompletionResultType]::ParameterName, 'Print help (see more with ''--help'')')
            break
        }
        'mcp-conform;sdk;profile' {
            [CompletionResult]::new('--sdk', '--sdk', [CompletionResultType]::ParameterName, 'The SDK and its version, as REGISTRY:NAME@VERSION')
            [CompletionResult]::new('--date', '--date', [CompletionResultType]::ParameterName, 'The day of the reports, as YYYY-MM-DD')
            [CompletionResult]::new('--with', '--with', [CompletionResultType]::ParameterName, 'A profile of the same version, to which this one is added: what fails once is broken')
            [CompletionResult]::new('--into', '--into', [CompletionResultType]::ParameterName, 'Folder of profiles to write to, as REGISTRY/NAME/VERSION.toml [default: standard output]')
            [CompletionResult]::new('-h', '-h', [CompletionResultType]::ParameterName, 'Print help (see more with ''--help'')')
            [CompletionResult]::new('--help', '--help', [CompletionResultType]::ParameterName, 'Print help (see more with ''--help'')')
            break
        }
        'mcp-conform;hosts' {
            [CompletionResult]::new('--format', '--format', [CompletionResultType]::ParameterName, 'Output format')
            [CompletionResult]::new('-h', '-h', [CompletionResultType]::ParameterName, 'Print help (see more with ''--help'')')
            [CompletionResult]::new('--help', '--help', [CompletionResultType]::ParameterName, 'Print help (see more with ''--help'')')
            break
        }
        'mcp-conform;selftest' {
            [CompletionResult]::new('--format', '--format', [CompletionResultType]::ParameterName, 'Output format')
            [CompletionResult]::new('--only', '--only', [CompletionResultType]::ParameterName, 'Test only faults of requirements that match this glob, and no quirks. Repeatable')
            [CompletionResult]::new('--protocol', '--protocol', [CompletionResultType]::ParameterName, 'Test only these revisions (comma-separated)')
            [CompletionResult]::new('--transport', '--transport', [CompletionResultType]::ParameterName, 'Test only this transport: stdio, http or sse')
            [CompletionResult]::new('--jobs', '--jobs', [CompletionResultType]::ParameterName, 'Number of servers to test in parallel')
            [CompletionResult]::new('--timeout', '--timeout', [CompletionResultType]::ParameterName, 'Time limit for each request')
            [CompletionResult]::new('--seed', '--seed', [CompletionResultType]::ParameterName, 'Random seed for generated arguments')
            [CompletionResult]::new('--sample', '--sample', [CompletionResultType]::ParameterName, 'Test each fault and quirk in a single revision and transport, which vary from one to the next')
            [CompletionResult]::new('--pace', '--pace', [CompletionResultType]::ParameterName, 'Fail too if a server with a fault takes more than three times as long to judge as one without, plus ten seconds, or more than a minute (timed alone)')
            [CompletionResult]::new('--whole', '--whole', [CompletionResultType]::ParameterName, 'Judge a server with a fault against every requirement, as `mcp-conform run` does, and not only against the one that the fault breaks')
            [CompletionResult]::new('-q', '-q', [CompletionResultType]::ParameterName, 'Hide progress')
            [CompletionResult]::new('--quiet', '--quiet', [CompletionResultType]::ParameterName, 'Hide progress')
            [CompletionResult]::new('-h', '-h', [CompletionResultType]::ParameterName, 'Print help (see more with ''--help'')')
            [CompletionResult]::new('--help', '--help', [CompletionResultType]::ParameterName, 'Print help (see more with ''--help'')')
            break
        }
        'mcp-conform;completions' {
            [CompletionResult]::new('-h', '-h', [CompletionResultType]::ParameterName, 'Print help')
            [CompletionResult]::new('--help', '--help', [CompletionResultType]::ParameterName, 'Print help')
            break
        }
    })

    $completions.Where{ $_.CompletionText -like "$wordToComplete*" } |
        Sort-Object -Property ListItemText
}

#!/usr/bin/env bash
# Reads every report format with third-party programs, and opens the HTML page in a browser. They are installed into target/checks from
# PyPI and npm; Debian's chromium is used if it is installed.
# suite/report/checks/run.sh MCP-CONFORM REPORTS    (REPORTS: a folder written by `mcp-conform run`)
# suite/report/checks/run.sh install                only installs
set -eu
[ "$1" = install ] || { conform=$(realpath "$1") reports=$(realpath "$2"); }
cd "$(dirname "$0")/../../.."
export CHECKS=$PWD/target/checks
mkdir -p "$CHECKS"
[ -d "$CHECKS/py" ] || { python3 -m venv "$CHECKS/py" && "$CHECKS/py/bin/pip" -q install junitparser sarif-tools check-jsonschema pre-commit; }
if [ ! -d "$CHECKS/node_modules/axe-core" ]; then
    [ -f "$CHECKS/package.json" ] || echo '{"private": true}' >"$CHECKS/package.json"
    npm --prefix "$CHECKS" install --no-audit --no-fund playwright-core axe-core tap-parser junit2json @microsoft/sarif-multitool
fi
touch "$CHECKS/.installed"
[ "$1" != install ] || exit 0
status=0
check() { # NAME COMMAND...
    local name=$1
    shift
    if "$@"; then echo "--- $name: good"; else echo "--- $name: FAILED"; status=1; fi
}

check "JUnit, SARIF, GitLab, badge (Python readers)" "$CHECKS/py/bin/python" suite/report/checks/formats.py "$reports"
check "JUnit, TAP (JavaScript readers)" node suite/report/checks/formats.mjs "$reports"

# Perl's harness counts failures as the report does; its exit status is their number.
tap() {
    command -v prove >/dev/null || { echo "prove is not here"; return 0; }
    prove --exec cat "$reports/report.tap" >"$CHECKS/prove" 2>&1 || true
    ! grep -qi 'parse error\|bad plan\|out of sequence' "$CHECKS/prove" && grep -q '^Files=1' "$CHECKS/prove"
}
check "TAP (prove)" tap

# The validator of the SARIF SDK checks the file against the official schema and its own rules.
sarif() {
    local tool=$CHECKS/node_modules/@microsoft/sarif-multitool-linux/Sarif.Multitool
    [ -f "$tool" ] || { echo "sarif-multitool is not here"; return 0; }
    chmod u+x "$tool"
    "$tool" validate "$reports/report.sarif" --level 'Error;Warning' >"$CHECKS/sarif" 2>&1 || true
    grep -E '(error|warning) (SARIF|JSON)' "$CHECKS/sarif" && return 1
    grep -q 'Analysis completed successfully' "$CHECKS/sarif"
}
check "SARIF (multitool)" sarif

check "action.yml" "$CHECKS/py/bin/check-jsonschema" --builtin-schema vendor.github-actions action.yml
check "the GitLab template" "$CHECKS/py/bin/check-jsonschema" --builtin-schema vendor.gitlab-ci templates/mcp-conform.gitlab-ci.yml
check "action.yml and the GitLab template, run" "$CHECKS/py/bin/python" suite/report/checks/action.py "$conform"
check "the pre-commit hook" "$CHECKS/py/bin/pre-commit" validate-manifest .pre-commit-hooks.yaml
check "the schema of mcp-conform.toml" "$CHECKS/py/bin/check-jsonschema" --check-metaschema schema/mcp-conform.schema.json

made() {
    local folder
    folder=$(mktemp -d) || return 1
    (cd "$folder" && "$conform" init -- "$conform" serve --transport stdio) &&
        "$CHECKS/py/bin/check-jsonschema" --builtin-schema vendor.github-workflows "$folder/.github/workflows/mcp-conform.yml" &&
        "$CHECKS/py/bin/check-jsonschema" --schemafile schema/mcp-conform.schema.json "$folder/mcp-conform.toml"
    local made=$?
    rm -rf "$folder"
    return $made
}
check "what init writes" made

if [ -x "${CHROMIUM:-/usr/bin/chromium}" ]; then
    check "the page (chromium, axe-core)" node suite/report/checks/page.mjs "$CHECKS/shots" "$reports/report.html"
else
    echo "--- the page: not looked at, chromium is not here"
fi
exit $status

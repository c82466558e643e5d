#!/usr/bin/env bash
# official.sh [check|update|install]: runs all server scenarios of the official conformance suite, its latest release and its next one as pinned in
# official/suite, against the embedded reference server over Streamable HTTP, in every revision that the suite supports, and compares the results
# with official/expected.txt, one line per scenario (`update` writes the results and keeps the reasons; `install` only installs). Then tests the
# fixtures for the suite with this tool. The exit status is 1 on a difference or a finding, 3 if it could not run, with the reason on the
# last line. MCP_CONFORM selects another binary, SERVERS_DIR the folder of npm packages.
set -u
cd "$(dirname "$0")" || exit 3
here=$PWD
conform=${MCP_CONFORM:-$here/../target/release/mcp-conform}
dest=${SERVERS_DIR:-$here/installed}/.official
expected=$here/official/expected.txt
# The revisions that each release supports; a date selects all scenarios up to it.
latest_revisions="2025-06-18 2025-11-25"
next_revisions="2025-03-26 2025-06-18 2025-11-25 2026-07-28"

mode=${1:-check}
case $mode in check | update | install) ;; *) echo "usage: official.sh [check|update|install]" >&2; exit 2 ;; esac
cannot() { echo "the official suite was not run: $1"; exit 3; }
[ "$mode" = install ] || [ -x "$conform" ] || cannot "no binary at $conform"
command -v npm >/dev/null && command -v node >/dev/null || cannot "node and npm are not installed"

server=
work=$(mktemp -d) || exit 3
cleanup() {
    [ -z "$server" ] || { kill "$server" 2>/dev/null; wait "$server" 2>/dev/null; }
    rm -rf "$work"
}
trap cleanup EXIT
trap 'exit 130' INT TERM

# The most telling line of npm's output.
reason() { grep -E '^npm error' "$work/npm" | grep -m1 -vE '^npm error (code|errno|syscall) ' || tail -1 "$work/npm"; }

install() { # FOLDER: what its lock file says, once
    local stamp
    stamp=$(cat "official/$1"/package*.json | cksum)
    [ "$(cat "$dest/$1/.stamp" 2>/dev/null)" != "$stamp" ] || return 0
    rm -rf "${dest:?}/$1" && mkdir -p "$dest/$1" && cp "official/$1"/package*.json "$dest/$1" || return 1
    (cd "$dest/$1" && npm ci --ignore-scripts --no-audit --no-fund --loglevel=error --fetch-retries=2 \
        --fetch-retry-mintimeout=1000 --fetch-retry-maxtimeout=5000) >"$work/npm" 2>&1 </dev/null || return 1
    echo "$stamp" >"$dest/$1/.stamp"
}

# The suite needs Node 22; if the installed one is older, npm provides the binary.
node=$(command -v node)
if [ "$("$node" -p 'process.versions.node.split(".")[0]')" -lt 22 ]; then
    install node || cannot "Node 22 could not be installed: $(reason)"
    node=$(echo "$dest"/node/node_modules/node-*/bin/node)
    [ -x "$node" ] || cannot "npm has no Node 22 for this machine"
fi
install suite || cannot "npm could not install it: $(reason)"
[ "$mode" != install ] || exit 0

# The suite never requests a second page of a list, hence the quirk.
mkfifo "$work/said" || exit 3
"$conform" serve --transport http --fixtures --quirk one-page 2>"$work/said" >/dev/null </dev/null &
server=$!
exec 3<"$work/said"
read -r -t 30 line <&3 || cannot "the reference server did not start"
url=${line##* }

for suite in latest next; do
    main=$dest/suite/node_modules/$suite/dist/index.js
    revisions=${suite}_revisions
    mkdir -p "$work/lists" && "$node" "$main" list --server >"$work/lists/$suite" 2>&1
    for revision in ${!revisions}; do
        # Its exit status adds nothing to its reports.
        timeout 120 "$node" "$main" server --url "$url" --suite all --spec-version "$revision" -o "$work/out/$suite/$revision" \
            >"$work/log.$suite.$revision" 2>&1 </dev/null
        mkdir -p "$work/out/$suite/$revision"
        echo "$suite $revision: $(tail -1 "$work/log.$suite.$revision")"
    done
done
"$node" official/results.mjs "$work/out" "$work/lists" >"$work/results" || exit 1

if [ "$mode" = update ]; then
    # A reason stays with its scenario.
    awk 'NR == FNR { if (/^#/) print; else if (match($0, / +# /)) why[$1 " " $2] = substr($0, RSTART); next }
         { print $0 why[$1 " " $2] }' "$expected" "$work/results" >"$work/expected" && cp "$work/expected" "$expected"
fi
cat "$work/results"
status=0
sed -e '/^#/d' -e 's/ *#.*//' "$expected" >"$work/expected"
diff -u --label expected --label found "$work/expected" "$work/results" || status=1

"$conform" run --protocol all --fail-on should --quiet --seed 1 --reports "$work/reports" -- "$conform" serve --fixtures ||
    { echo "the fixtures themselves have findings"; status=1; }
echo "official suite: $(wc -l <"$work/results") scenarios, $(grep -c ' -$' "$work/results") not run, $SECONDS s"
exit $status

#!/usr/bin/env bash
# recordings.sh install | check [MCP-CONFORM [ID...]]: `install` installs the real clients pinned in clients/: the MCP Inspector's command line, the
# official Python SDK and the official TypeScript SDK. `check` runs each against each installed server of servers.toml (or those named), directly and
# through `mcp-conform record`, over every transport of the server, judges the recordings and prints one line with the findings of each. The exit
# status is 1 if a client got a different outcome behind the recorder, gave up, or a recording could not be judged; findings are not failures: the servers have defects.
# 3 if it could not run. PYTHON, SERVERS_DIR and JOBS are those of install.sh and snapshots.sh; KEEP names a folder where the recordings stay.
set -u
from=$PWD
cd "$(dirname "$0")" || exit 3
here=$PWD
usage() { echo "usage: recordings.sh install | check [MCP-CONFORM [ID...]]" >&2; exit 2; }
cannot() { echo "recordings were not made: $1"; exit 3; }
mode=${1:-}
case $mode in
    install) [ $# -eq 1 ] || usage ;;
    check) ;;
    *) usage ;;
esac
shift
conform=${1:-$here/../target/release/mcp-conform}
[[ $conform == /* ]] || conform=$from/$conform
[ "$mode" = install ] || [ -x "$conform" ] || cannot "no binary at $conform"
[ $# -eq 0 ] || shift
dest=${SERVERS_DIR:-$here/installed}
mkdir -p "$dest/.clients" || exit 3
dest=$(cd "$dest" && pwd)
log=$dest/.clients/log
command -v npm >/dev/null && command -v node >/dev/null || cannot "node and npm are not installed"

# As install.sh does: a version manager's shims are there but may not run.
python=
for candidate in ${PYTHON:-} python3.13 python3.12 python3.11 python3 "$HOME"/.pyenv/versions/3.1[123]*/bin/python3; do
    "$candidate" -c 'import sys; sys.exit(sys.version_info < (3, 11))' 2>/dev/null && { python=$candidate; break; }
done
[ -n "$python" ] || cannot "no Python 3.11 or newer"

# The most telling line of the output of npm or pip.
reason() { grep -iE '^(npm )?error' "$log" | grep -m1 -vE '^npm error (code|errno|syscall) ' || tail -1 "$log"; }

# What stands in the lock files FILE..., in FOLDER, once; it is made by COMMAND there.
installed() { # FOLDER COMMAND FILE...
    local folder=$dest/.clients/$1 command=$2 stamp
    shift 2
    stamp=$(cat "$@" | cksum)
    [ "$(cat "$folder/.stamp" 2>/dev/null)" != "$stamp" ] || return 0
    rm -rf "$folder" && mkdir -p "$folder" && cp "$@" "$folder" || exit 3
    (cd "$folder" && "$command") >"$log" 2>&1 </dev/null || cannot "$(basename "$folder") could not be installed: $(reason)"
    echo "$stamp" >"$folder/.stamp"
}

with_npm() {
    npm ci --ignore-scripts --no-audit --no-fund --loglevel=error --fetch-retries=2 --fetch-retry-mintimeout=1000 --fetch-retry-maxtimeout=5000
}

# Wheels only: building from source would run code of the package.
with_pypi() {
    "$python" -m venv . && bin/pip install --quiet --disable-pip-version-check --retries 2 --no-deps --only-binary :all: -r python.txt
}

# The Inspector needs Node 22; if the installed one is older, npm provides the binary, as for official.sh.
node=$(command -v node)
if [ "$("$node" -p 'process.versions.node.split(".")[0]')" -lt 22 ]; then
    installed node with_npm official/node/package.json official/node/package-lock.json
    node=$(echo "$dest"/.clients/node/node_modules/node-*/bin/node)
    [ -x "$node" ] || cannot "npm has no Node 22 for this machine"
fi
for client in inspector typescript; do
    installed $client with_npm clients/$client/package.json clients/$client/package-lock.json
    # Node resolves packages relative to the script.
    cp clients/$client.mjs clients/choice.mjs "$dest/.clients/$client" || exit 3
done
installed python with_pypi clients/python.txt
[ "$mode" != install ] || exit 0
exec "$python" clients/check.py "$conform" "$dest" "$node" "$@"

#!/usr/bin/env bash
# snapshots.sh check|update [ID...]: tests the reference server in every revision, and each installed real server that is not `online` in one revision per era, with a
# fixed seed, and compares the outcome with the committed snapshots reports/ID.REVISION.snap (or rewrites them). `reference` is the ID of the
# embedded server. The exit status is 1 if a report differs or a run failed. MCP_CONFORM selects another binary, JOBS the number of parallel runs.
set -u
cd "$(dirname "$0")/.." || exit 1
root=$PWD
conform=${MCP_CONFORM:-$root/target/release/mcp-conform}
jobs=${JOBS:-2}
limit=180

mode=${1:-}
case $mode in
    check | update) shift ;;
    *) echo "usage: snapshots.sh check|update [ID...]" >&2; exit 2 ;;
esac
wanted=" $* "
[ -x "$conform" ] || { echo "no binary at $conform: cargo build --release -p mcp-conform" >&2; exit 2; }
conform=$(cd "$(dirname "$conform")" && pwd)/$(basename "$conform")
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT

# One run in its own scratch directory. Its reports go to another one, with a copy of the committed snapshot: of all the files that a run
# writes, only the snapshot belongs in the repository. The output of the run is shown only if it fails.
judge() { # ID REVISION ENVIRONMENT COMMAND
    local name=$1/$2 scratch=$work/scratch/$1.$2 reports=$work/reports/$1.$2 log=$work/log.$1.$2 started=$SECONDS status=0
    local committed=$root/reports/$1.$2.snap
    local -a environment=() command=()
    mkdir -p "$reports"
    if [ "$mode" = check ] && ! cp "$committed" "$reports" 2>/dev/null; then
        echo "check  $name: no snapshot is committed: servers/snapshots.sh update $1"
        touch "$work/failed"
        return
    fi
    mkdir -p "$scratch/data" && echo hello >"$scratch/data/a.txt"
    eval "environment=(${3//\{scratch\}/$scratch})"
    eval "command=(${4//\{scratch\}/$scratch})"
    if [ ${#command[@]} -eq 0 ]; then command=(--embedded); else command=(-- "${command[@]}"); fi
    (cd "$scratch" && exec env ${environment[@]+"${environment[@]}"} timeout "$limit" "$conform" run --protocol "$2" --seed 1 \
        --fail-on never --quiet --snapshot "$mode" --snapshot-name "$1" --reports "$reports" ${command[@]+"${command[@]}"}) >"$log" 2>&1 </dev/null || status=$?
    if [ $status -eq 0 ] && [ "$mode" = update ]; then
        mkdir -p reports && cp "$reports/$1.$2.snap" "$committed" || status=$?
    fi
    if [ $status -eq 0 ]; then
        echo "$mode  $name: ok ($((SECONDS - started)) s)"
    else
        echo "$mode  $name: exit status $status"
        sed 's/^/    /' "$log" | tail -40
        echo "    to look at it: servers/snapshots.sh check $1; to accept it: servers/snapshots.sh update $1"
        touch "$work/failed"
    fi
}

runs() {
    local revision python
    for revision in 2024-11-05 2025-03-26 2025-06-18 2025-11-25 2026-07-28; do printf 'reference\t%s\t\t\n' "$revision"; done
    [ "$wanted" != " reference " ] || return
    for python in ${PYTHON:-} python3.13 python3.12 python3.11 python3; do
        "$python" -c 'import tomllib' 2>/dev/null && { "$python" servers/starts.py; return; }
    done
    echo "real servers are left out: no Python 3.11 or newer" >&2
}

runs >"$work/runs"
# `read` treats a tab as white space and would swallow empty fields: hence another separator.
while IFS=$'\x1f' read -r id revision environment command; do
    [ "$wanted" = "  " ] || [[ $wanted == *" $id "* ]] || continue
    while [ "$(jobs -rp | wc -l)" -ge "$jobs" ]; do wait -n; done
    judge "$id" "$revision" "$environment" "$command" &
done < <(tr '\t' '\037' <"$work/runs")
wait
[ ! -e "$work/failed" ]

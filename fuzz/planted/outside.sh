#!/usr/bin/env bash
# Lets `mcp-conform run` and then `mcp-conform fuzz` look at the reference server with each of its bugs: no scenario finds
# them, fuzzing does. `bash fuzz/planted/outside.sh MCP-CONFORM [SECONDS] [BUG...]`; the exit status is the number of bugs
# that were not found, or that a scenario found too.
set -eu
conform=$(realpath "$1")
seconds=${2:-60}
shift $(($# < 2 ? $# : 2))
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
[ $# -gt 0 ] || mapfile -t bugs < <("$conform" serve --list | awk '/^bugs$/ { on = 1; next } on && NF { print $1 }')
[ $# -eq 0 ] || bugs=("$@")
missed=0
for bug in "${bugs[@]}"; do
    status=0 plain=0
    server=("$conform" serve --protocol 2025-11-25 --bug "$bug")
    "$conform" run --quiet --fail-on should --reports "$work/run" -- "${server[@]}" >"$work/plain" 2>&1 || plain=$?
    "$conform" fuzz --quiet --time "${seconds}s" --reports "$work/$bug" -- "${server[@]}" >"$work/log" 2>&1 || status=$?
    found=$(python3 -c '
import json, sys
for row in json.load(open(sys.argv[1]))["findings"]:
    print("%s after %.0f s, %d messages" % (row["kind"], row["after_seconds"], row["messages"]), row["requirement"] or "", end="; ")
' "$work/$bug/fuzz.json" 2>/dev/null || true)
    echo "$bug: run $plain, fuzz $status: ${found:-$(tail -1 "$work/log")}"
    if [ $status -ne 1 ] || [ $plain -ne 0 ]; then missed=$((missed + 1)); fi
done
exit $missed

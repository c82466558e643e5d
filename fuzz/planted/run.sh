#!/usr/bin/env bash
# Puts each bug of this folder into a copy of the project, one at a time, and runs the target that is to find it.
# TARGET.NAME.patch: `bash fuzz/planted/run.sh [SECONDS]` builds TARGET without a sanitizer and lets it run for so long (60).
# The exit status is the number of bugs that were not found.
set -eu
cd "$(dirname "$0")/../.."
seconds=${1:-60}
copy=$(mktemp -d)
trap 'rm -rf "$copy"' EXIT
export RUSTC_BOOTSTRAP=1 CARGO_TERM_COLOR=never
git ls-files -z --cached --others --exclude-standard | grep -zv '^reports/' | xargs -0 cp --parents -p -t "$copy"
# What does not depend on the patched crate need not be built again.
mkdir -p "$copy/fuzz/target"
[ ! -d fuzz/target ] || cp -a fuzz/target/. "$copy/fuzz/target/"
missed=0
for patch in fuzz/planted/*.patch; do
    file=$(basename "$patch" .patch)
    target=${file%%.*} name=${file#*.}
    patch -s -p1 -d "$copy" <"$patch"
    # Times of files tell cargo what has changed; two patches within a second must not look alike.
    grep '^+++ b/' "$patch" | cut -c7- | while read -r changed; do touch "$copy/$changed"; done
    status=0 began=$SECONDS
    if ! (cd "$copy" && cargo fuzz build --sanitizer none "$target") >"$copy/build" 2>&1; then
        tail -20 "$copy/build"
        echo "$target $name: does not build"
        missed=$((missed + 1))
    else
        built=$SECONDS
        mkdir -p "$copy/grown"
        (cd "$copy" && cargo fuzz run --sanitizer none "$target" "$copy/grown" "corpus/$target" -- -max_total_time="$seconds" \
            -rss_limit_mb=4096 -max_len=65536 -dict=fuzz/mcp.dict) >"$copy/log" 2>&1 || status=$?
        if [ $status -ne 0 ]; then
            echo "$target $name: found within $((SECONDS - built)) s ($(grep -m1 -oE 'panicked at [^:]+:[0-9]+|ERROR: libFuzzer: [a-z -]+' "$copy/log" || echo "status $status"))"
        else
            echo "$target $name: NOT FOUND in $seconds s"
            missed=$((missed + 1))
        fi
        rm -rf "$copy/grown"
    fi
    patch -s -R -p1 -d "$copy" <"$patch"
done
exit $missed

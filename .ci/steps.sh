# Sourced by .ci/run and .ci/full: steps that all run even after a failure, with a table of times and a summary at the end.

work=$(mktemp -d)
began=$SECONDS
passed=() failed=() left_out=() times=()

# What a reader of the log needs to know of the machine.
head_of_log() { # TITLE
    echo "$1, $(git log -1 --format='%h %s' 2>/dev/null || echo 'no commit')"
    echo "cores $(nproc), load $(cut -d' ' -f1-3 /proc/loadavg), free memory $(free -m | awk '/^Mem/ { print $7 }') MB, free disk $(df -Pm . | awk 'END { print $4 }') MB"
    echo "$(rustc --version), $(cargo --version), bash $BASH_VERSION"
}

# Runs a step and goes on, whatever comes of it.
step() { # NAME COMMAND...
    local name=$1 started=$SECONDS said=$work/said.${#times[@]} took status=0
    shift
    printf '\n=== %s (after %d s)\n' "$name" $((SECONDS - began))
    ("$@") > >(tee "$said") 2>&1 || status=$?
    took=$((SECONDS - started))
    if [ $status -eq 0 ]; then
        passed+=("$name")
        echo "--- $name: passed in $took s"
    else
        failed+=("$name"$'\x1f'"$said")
        echo "--- $name: FAILED with status $status after $took s"
    fi
    times+=("$(printf '%5d s  %s' "$took" "$name")")
}

leave_out() { # NAME REASON
    printf '\n=== %s\n--- %s: not run: %s\n' "$1" "$1" "$2"
    left_out+=("$1: $2")
}

# Prints the table and the summary; fails if a step failed.
finish() {
    local entry
    printf '\n=== times\n'
    printf '%s\n' ${times[@]+"${times[@]}"}
    printf '%5d s  in all\n' $((SECONDS - began))
    printf '\n=== summary\n'
    [ ${#passed[@]} -eq 0 ] || printf 'passed   %s\n' "${passed[@]}"
    [ ${#left_out[@]} -eq 0 ] || printf 'not run  %s\n' "${left_out[@]}"
    for entry in ${failed[@]+"${failed[@]}"}; do
        echo "FAILED   ${entry%%$'\x1f'*}, whose last lines are:"
        tail -n 14 "${entry##*$'\x1f'}" | cut -c1-200 | sed 's/^/    /'
    done
    [ ! -s "$work/totals" ] || cat "$work/totals"
    [ ${#failed[@]} -eq 0 ]
}

# Starts mcp-conform in an empty folder: a server under test may change the one that it is started in.
elsewhere() { # COMMAND...
    local folder
    folder=$(mktemp -d "$work/folder.XXXX") && (cd "$folder" && "$@")
}

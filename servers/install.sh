#!/usr/bin/env bash
# install.sh [--optional] [ID...]: installs the pinned real servers of servers.toml (or only those named) into servers/installed/ID.
# The lock files determine the versions: locks/npm/ID, locks/pypi/ID.txt, locks/cargo/ID.txt; files of examples/ID are copied next to them.
# A server that cannot be installed is reported with the reason, and the others are installed. The exit status is the number of such
# servers, or 0 with --optional. PYTHON and SERVERS_DIR override the interpreter and the destination.
set -u
cd "$(dirname "$0")" || exit 1
here=$PWD
dest=${SERVERS_DIR:-$here/installed}
mkdir -p "$dest/.log" || exit 1
dest=$(cd "$dest" && pwd)

optional=no
wanted=" "
for argument in "$@"; do
    case $argument in
        --optional) optional=yes ;;
        -*) echo "usage: install.sh [--optional] [ID...]" >&2; exit 2 ;;
        *) wanted+="$argument " ;;
    esac
done
left_out=0 installed=0 unchanged=0 known=" "

# The first interpreter that runs and is new enough: a version manager's shims exist but may not run.
find_python() {
    local candidate
    for candidate in ${PYTHON:-} python3.13 python3.12 python3.11 python3 "$HOME"/.pyenv/versions/3.1[123]*/bin/python3; do
        "$candidate" -c 'import sys; sys.exit(sys.version_info < (3, 11))' 2>/dev/null && { echo "$candidate"; return; }
    done
}
python=$(find_python)

# The content of a stamp: everything that determines the installation.
digest() { # ID LOCK KIND
    { echo "$3 ${python:-}"; find "$2" "examples/$1" -type f -print0 2>/dev/null | sort -z | xargs -0 cat; } | cksum
}

leave_out() { # ID REASON
    echo "left out   $1: $2"
    left_out=$((left_out + 1))
}

# The most telling line of a log: the first error, otherwise the last line.
reason() { # LOG
    local line
    line=$(grep -iE '^(npm )?error' "$1" | grep -m1 -vE '^npm error (code|errno|syscall) ' || grep -v '^ *$' "$1" | tail -1)
    echo "${line:0:160} (log: $1)"
}

# Few and short retries, so that an unreachable registry is reported soon.
with_npm() { # ID LOCK FOLDER
    cp "$2"/package.json "$2"/package-lock.json "$3" && cd "$3" &&
        npm ci --ignore-scripts --no-audit --no-fund --loglevel=error \
            --fetch-retries=2 --fetch-retry-mintimeout=1000 --fetch-retry-maxtimeout=5000
}

# Wheels only: building from source would run code of the package.
with_pypi() {
    "$python" -m venv "$3" &&
        "$3/bin/pip" install --quiet --disable-pip-version-check --retries 2 --no-deps --only-binary :all: -r "$2"
}

# Optimized for build time: the servers wait for the tester, not the other way round.
with_cargo() {
    local crate version
    read -r crate version <"$2"
    CARGO_TARGET_DIR="$dest/.cargo-target" CARGO_PROFILE_RELEASE_OPT_LEVEL=0 CARGO_PROFILE_RELEASE_LTO=off \
        CARGO_PROFILE_RELEASE_CODEGEN_UNITS=256 CARGO_PROFILE_RELEASE_DEBUG=false CARGO_PROFILE_RELEASE_STRIP=debuginfo \
        cargo install --quiet --locked --root "$3" "$crate" --version "$version"
}

# Nothing to fetch: the example is the server.
with_nothing() { :; }

missing_tool() { # KIND
    case $1 in
        npm) for tool in node npm; do command -v "$tool" >/dev/null || { echo "$tool"; return; }; done ;;
        pypi) [ -n "$python" ] || echo "python3 (3.11 or newer)" ;;
        nothing) command -v python3 >/dev/null || echo python3 ;;
        cargo) command -v cargo >/dev/null || echo cargo ;;
    esac
}

install() { # ID KIND LOCK
    local id=$1 kind=$2 lock=$3 folder=$dest/$1 log=$dest/.log/$1.log stamp tool started=$SECONDS
    known+="$id "
    [ "$wanted" = " " ] || [[ $wanted == *" $id "* ]] || return 0
    stamp=$(digest "$id" "$lock" "$kind")
    if [ "$(cat "$folder/.stamp" 2>/dev/null)" = "$stamp" ]; then
        unchanged=$((unchanged + 1))
        return 0
    fi
    tool=$(missing_tool "$kind")
    [ -z "$tool" ] || { leave_out "$id" "$tool is not installed"; return 0; }
    rm -rf "$folder" && mkdir -p "$folder"
    if ("with_$kind" "$id" "$here/$lock" "$folder") >"$log" 2>&1 </dev/null; then
        [ ! -d "examples/$id" ] || cp -R "examples/$id/." "$folder"
        echo "$stamp" >"$folder/.stamp"
        installed=$((installed + 1))
        echo "installed  $id ($((SECONDS - started)) s)"
    else
        rm -rf "$folder"
        leave_out "$id" "$(reason "$log")"
    fi
}

# In order of installation time; compiled ones come last.
for folder in examples/*; do
    id=${folder##*/}
    [ -e "locks/npm/$id" ] || [ -e "locks/pypi/$id.txt" ] || install "$id" nothing "$folder"
done
for lock in locks/npm/*; do install "${lock##*/}" npm "$lock"; done
for lock in locks/pypi/*.txt; do install "$(basename "$lock" .txt)" pypi "$lock"; done
for lock in locks/cargo/*.txt; do install "$(basename "$lock" .txt)" cargo "$lock"; done
rm -rf "$dest/.cargo-target"

for id in $wanted; do
    [[ $known == *" $id "* ]] || leave_out "$id" "no such server; known are:$known"
done
echo "servers: $installed installed, $unchanged unchanged, $left_out left out, $SECONDS s"
[ $optional = yes ] && exit 0
exit $left_out

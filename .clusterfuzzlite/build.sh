#!/bin/bash -eu
# Builds every fuzz target into $OUT with its seeds and the dictionary. The OSS-Fuzz container provides a nightly toolchain and
# sets the sanitizer; elsewhere: OUT=/tmp/out SANITIZER=none bash .clusterfuzzlite/build.sh
cd "$(dirname "$(realpath "${BASH_SOURCE[0]}")")"
[ -f ../fuzz/Cargo.toml ] || cd "${SRC:-..}/mcp-conform/.clusterfuzzlite"
cd ..
: "${OUT:?where the targets are to be put}"
sanitizer=${SANITIZER:-address}
triple=$(rustc -vV | sed -n 's/^host: //p')
mkdir -p "$OUT"
# Enables the flags of libFuzzer on a stable toolchain.
rustc --version | grep -q nightly || export RUSTC_BOOTSTRAP=1
cargo fuzz build -O --sanitizer "$sanitizer"
for target in $(cargo fuzz list | grep -vx floor); do
    cp "fuzz/target/$triple/release/$target" "$OUT/"
    cp fuzz/mcp.dict "$OUT/$target.dict"
    printf '[libfuzzer]\nmax_len = 65536\ntimeout = 60\nrss_limit_mb = 4096\n' >"$OUT/$target.options"
    seeds=()
    for folder in "corpus/$target" "corpus/found/$target"; do
        [ ! -d "$folder" ] || seeds+=("$folder")
    done
    [ ${#seeds[@]} -eq 0 ] || python3 - "$OUT/${target}_seed_corpus.zip" "${seeds[@]}" <<'PY'
import os, sys, zipfile
with zipfile.ZipFile(sys.argv[1], "w", zipfile.ZIP_DEFLATED) as out:
    for folder in sys.argv[2:]:
        for name in sorted(os.listdir(folder)):
            out.write(os.path.join(folder, name), name)
PY
done

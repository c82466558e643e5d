#!/bin/bash -eu
# Builds every fuzz target into $OUT with its seeds and the dictionary. In the container of OSS-Fuzz the toolchain is a
# nightly one and the sanitizer is named by it; elsewhere: OUT=/tmp/out SANITIZER=none bash .clusterfuzzlite/build.sh
cd "$(dirname "$(realpath "${BASH_SOURCE[0]}")")"
[ -f ../fuzz/Cargo.toml ] || cd "${SRC:-..}/mcp-conform/.clusterfuzzlite"
cd ..
: "${OUT:?where the targets are to be put}"
sanitizer=${SANITIZER:-address}
triple=$(rustc -vV | sed -n 's/^host: //p')
mkdir -p "$OUT"
# On a stable toolchain the flags of libFuzzer are asked for in this way.
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

"""The container image: what the Containerfile says, around a static program. Built by docker, podman or buildah, whichever there is."""

import shutil
import subprocess
import sys

from common import PACKAGING, ROOT, sh, version

TAG = "mcp-conform"


def build(program, platform, out):
    """Puts together what the image is built from, builds it, and returns an archive of it (as `docker load` reads it)."""
    described = subprocess.run(["file", "--brief", program], capture_output=True, text=True).stdout
    if "statically linked" not in described and "static-pie linked" not in described:
        sys.exit(f"error: {program} is not static: the image holds nothing to load it with\n  build it for x86_64-unknown-linux-musl")
    context = out / "context"
    shutil.rmtree(context, ignore_errors=True)
    context.mkdir()
    for file in ["LICENSE-APACHE", "LICENSE-MIT"]:
        shutil.copy(ROOT / file, context)
    for file in ["Containerfile", "passwd"]:
        shutil.copy(PACKAGING / "container" / file, context)
    shutil.copy(program, context / "mcp-conform")
    (context / "mcp-conform").chmod(0o755)
    processor = {"x86_64": "amd64", "aarch64": "arm64"}[platform["target"].split("-")[0]]
    archive = out / f"mcp-conform-{processor}.tar"
    archive.unlink(missing_ok=True)
    words = ["--platform", f"linux/{processor}", "--build-arg", f"VERSION={version()}", "--tag", TAG, "--file", "Containerfile", "."]
    engine = next((name for name in ("docker", "podman", "buildah") if usable(name)), None)
    if engine is None:
        sys.exit(f"error: none of docker, podman and buildah can be used here\n  what the image is built from is in {context}")
    if engine == "buildah":
        sh(["buildah", "build", "--isolation", "chroot", *words], cwd=context)
        sh(["buildah", "push", TAG, f"docker-archive:{archive}:{TAG}:latest"])
    else:
        sh([engine, "build", *words], cwd=context)
        sh([engine, "save", "--output", archive, TAG])
    return [archive]


def usable(engine):
    """docker and podman are also installed where no engine runs."""
    return shutil.which(engine) and subprocess.run([engine, "info"], capture_output=True, stdin=subprocess.DEVNULL).returncode == 0

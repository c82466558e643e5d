"""The image judges a server by its URL, as a user without a name, on a root that cannot be written to.

Where no container engine runs, the root of the image is unpacked and entered with chroot, in a mount namespace of its own (needs root).
"""

import json
import os
import pathlib
import subprocess
import tarfile
import urllib.error
import urllib.request

import common
from checks.user import User

SERVER = "@modelcontextprotocol/server-everything"


def check(program, folder):
    archive, = common.built("container", program, folder / "packages", target="x86_64-unknown-linux-musl")
    root = unpacked(archive, folder / "root")
    held = sorted(str(path.relative_to(root)) for path in root.rglob("*") if path.is_file())
    print(f"ok            {archive.name}: {archive.stat().st_size / 1e6:.1f} MB: {', '.join(held)}")
    user = User(folder / "server")
    user.run("npm", "install", "--no-audit", "--no-fund", "--silent", SERVER, quiet=True)
    port = common.free_port()
    words = ["node", "node_modules/@modelcontextprotocol/server-everything/dist/index.js", "streamableHttp"]
    server = subprocess.Popen(words, cwd=user.home, env=user.env | {"PORT": str(port)}, stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
    try:
        common.wait_for(lambda: answers(port), server)
        judges(root, folder, f"http://localhost:{port}/mcp")
    finally:
        server.kill()
        server.wait()


def answers(port):
    try:
        urllib.request.urlopen(f"http://localhost:{port}/mcp", timeout=5)
    except urllib.error.HTTPError:
        return


def unpacked(archive, root):
    """The layers of an archive that `docker load` reads."""
    root.mkdir()
    with tarfile.open(archive) as image:
        manifest, = json.load(image.extractfile("manifest.json"))
        config = json.load(image.extractfile(manifest["Config"]))["config"]
        assert config["User"] == "65532:65532" and config["Entrypoint"] == ["/usr/bin/mcp-conform"], config
        for name in manifest["Layers"]:
            with tarfile.open(fileobj=image.extractfile(name)) as layer:
                layer.extractall(root)
    return root


def judges(root, folder, url):
    reports = folder / "reports"
    reports.mkdir()
    os.chown(reports, 65532, 65532)
    # As a container engine does.
    (root / "etc" / "hosts").write_text("127.0.0.1 localhost\n")
    inside = root / "data" / "reports"
    inside.mkdir(parents=True)
    script = f"""
        set -e
        mount --bind {root} {root}
        mount --bind {reports} {inside}
        mount -o remount,bind,ro {root}
        exec chroot --userspec=65532:65532 {root} /usr/bin/mcp-conform run --reports /data/reports {url}
    """
    words = ["unshare", "--mount", "sh", "-c", script]
    env = {"PATH": "/usr/bin:/bin:/usr/sbin:/sbin"}
    done = subprocess.run(words, stdin=subprocess.DEVNULL, capture_output=True, text=True, env=env)
    verdict = [line for line in done.stdout.splitlines() if "CONFORM" in line]
    assert done.returncode in (0, 1) and verdict, f"exit {done.returncode}\n{done.stdout[-2000:]}{done.stderr[-2000:]}"
    report = json.loads((pathlib.Path(reports) / "report.json").read_text())
    print(f"ok            judged from the image: {report['server']['name']}: {verdict[0]}")

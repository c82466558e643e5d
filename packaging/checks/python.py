"""pip, uvx and pipx install the wheel; then another package's command of the same name comes over it."""

import common
from checks.user import User

SERVER = "mcp-server-time"


def check(program, folder):
    wheel, = common.built("python", program, folder / "packages")
    print(f"ok            {wheel.name}: {wheel.stat().st_size / 1e6:.1f} MB")
    tools = folder / "python"
    common.sh(["python3", "-m", "venv", tools])
    common.sh([tools / "bin" / "pip", "install", "--quiet", "uv", "pipx", "twine"])
    common.sh([tools / "bin" / "twine", "check", "--strict", wheel])
    user = User(folder / "pip-user", path=[folder / "pip-user" / "env" / "bin"])
    user.run("python3", "-m", "venv", "env", quiet=True)
    user.run("pip", "install", "--quiet", SERVER)
    _, took = user.run("pip", "install", "--quiet", "--no-index", wheel)
    took += user.judges("mcp-conform", server=[SERVER])
    print(f"ok   {took:5.1f} s  from install to verdict")
    user.run("mcp-conform", "rnu", expect=2)
    user.stops("mcp-conform", server=[SERVER])
    said, _ = user.run("mcp-conform-rs", "--version")
    assert said == f"mcp-conform {common.version()}\n", said
    user.stops("mcp-conform-rs", server=[SERVER])
    user.run("python", "-m", "mcp_conform_rs", "--version")
    without_installing(tools, folder, wheel)
    user.run("pip", "install", "--quiet", "mcp-conform")
    said, _ = user.run("mcp-conform-rs", "--version", expect=3)
    assert "another package has a command of that name" in said, said
    user.run("pip", "install", "--quiet", "--no-index", "--no-deps", "--force-reinstall", wheel)
    user.run("mcp-conform-rs", "--version")


def without_installing(tools, folder, wheel):
    """uvx and pipx run."""
    user = User(folder / "uvx-user", path=[tools / "bin"])
    user.run("uvx", "--no-index", "--find-links", wheel.parent, "mcp-conform-rs", "--version")
    user.run("pipx", "run", "--spec", wheel, "mcp-conform-rs", "--version")

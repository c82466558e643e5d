#!/usr/bin/env node
// Starts the program that the package of this platform carries, passes signals on, and ends as it ends.
"use strict";

const { spawn } = require("node:child_process");
const { existsSync } = require("node:fs");
const { constants } = require("node:os");
const { optionalDependencies } = require("../package.json");

// As if the server could not be judged: 1 and 2 say something of the server and of the command line.
const CANNOT_JUDGE = 3;

// Packages for this platform, best first. The program in the one for musl is static: it runs with glibc as well.
function candidates() {
  const { platform, arch } = process;
  const name = `@mcp-conform/cli-${platform}-${arch}`;
  if (platform !== "linux") return [name];
  const loader = `/lib/ld-musl-${{ x64: "x86_64", arm64: "aarch64" }[arch]}.so.1`;
  const both = [name, `${name}-musl`];
  return existsSync(loader) ? both.reverse() : both;
}

function program() {
  const file = process.platform === "win32" ? "mcp-conform.exe" : "mcp-conform";
  const names = candidates();
  for (const name of names) {
    try {
      return require.resolve(`${name}/bin/${file}`);
    } catch {
      // Not installed: the next one, if there is one.
    }
  }
  const known = names.find((name) => name in optionalDependencies);
  const where = `${process.platform} on ${process.arch}`;
  console.error(
    known
      ? `error: the package ${known}, which carries the program for ${where}, is not installed\n` +
          "  optional dependencies were left out (--omit=optional, --no-optional), or node_modules comes from another system:\n" +
          "  install again on this one, with optional dependencies"
      : `error: there is no package for ${where}\n  with Rust: cargo install --locked mcp-conform`,
  );
  process.exit(CANNOT_JUDGE);
}

const child = spawn(program(), process.argv.slice(2), { stdio: "inherit" });
for (const signal of ["SIGINT", "SIGTERM", "SIGHUP"]) {
  // On Windows a console tells every process in it; kill() would end the program at once, and leave the server running.
  process.on(signal, () => process.platform === "win32" || child.kill(signal));
}
child.on("error", (error) => {
  console.error(`error: cannot start ${child.spawnfile}: ${error.message}`);
  process.exit(CANNOT_JUDGE);
});
// Of a program that a signal ended, the number that a shell gives: 128 and the signal.
child.on("exit", (code, signal) => process.exit(code ?? 128 + constants.signals[signal]));

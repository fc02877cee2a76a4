// Paths and helpers of the tests. `cargo xtask wasm` sets the variables.
import { spawnSync } from "node:child_process";
import { mkdtempSync, readFileSync, readdirSync, rmSync, statSync } from "node:fs";
import { tmpdir } from "node:os";
import { join, relative } from "node:path";
import { fileURLToPath } from "node:url";

/** The root of the repository. */
export const ROOT = fileURLToPath(new URL("../../..", import.meta.url));
/** The folder with the built package. */
export const PACKAGE = variable("MAPWRIGHT_PACKAGE");
process.setMaxListeners(0);

/** The native command. */
export const COMMAND = variable("MAPWRIGHT_COMMAND");

export const { Archive, Document, detect, formats, version } = await import(join(PACKAGE, "node.js"));

function variable(name) {
    const value = process.env[name];
    if (value === undefined) throw new Error(`${name} is not set: run cargo xtask wasm`);
    return value;
}

export function read(path) {
    return new Uint8Array(readFileSync(join(ROOT, path)));
}

/** Creates a folder that is removed at the end. */
export function newFolder() {
    const folder = mkdtempSync(join(tmpdir(), "mapwright-"));
    process.on("exit", () => rmSync(folder, { recursive: true, force: true }));
    return folder;
}

/** Returns the paths of all files below a folder, sorted, relative to it. */
export function filesBelow(folder) {
    const found = readdirSync(folder, { recursive: true }).map(String);
    return found.filter((path) => statSync(join(folder, path)).isFile()).sort();
}

/** Returns the files below a folder of the repository, by their paths below it. */
export function filesOf(folder) {
    const path = join(ROOT, folder);
    return new Map(filesBelow(path).map((name) => [name, read(relative(ROOT, join(path, name)))]));
}

/** Runs the native command and returns its standard output. */
export function run(args, { statuses = [0] } = {}) {
    const done = spawnSync(COMMAND, args, { cwd: ROOT, maxBuffer: 1 << 30 });
    if (!statuses.includes(done.status)) {
        throw new Error(`${COMMAND} ${args.join(" ")} exited with ${done.status}: ${done.stderr}`);
    }
    return new Uint8Array(done.stdout);
}

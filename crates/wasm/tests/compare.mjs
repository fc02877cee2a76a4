// Converts every file of some folders with the native command and with the module, and compares the bytes.
// usage: node compare.mjs all|FORMAT FOLDER...
import { readFileSync, rmSync } from "node:fs";
import { basename, join, parse, resolve } from "node:path";
import { Document, ROOT, formats, newFolder, run } from "./support.mjs";

/** Without files beside the inputs, which the module does not get either, and with its limits. */
const OPTIONS = ["--external", "none", "--limit-inflated", "256M", "--limit-output", "1G", "--quiet"];
/** Everything is converted, or some files failed, as the report lists. */
const STATUSES = [0, 8];

/** Converts a file with the module. Returns the results by their names. */
function convert(file, to, stem) {
    const document = new Document(readFileSync(resolve(ROOT, file)), { name: file });
    try {
        const { data, sideFiles } = document.convert(to, { stem });
        return new Map([["", data], ...sideFiles.map((side) => [side.name, side.data])]);
    } finally {
        document.free();
    }
}

/** Returns the difference of the results of a line of the report, or `null`. */
function compare({ file, outputs }, to) {
    const [main, ...side] = outputs.map(({ path }) => path);
    let module;
    try {
        module = convert(file, to, parse(main).name);
    } catch (error) {
        return `only the module fails: ${error}`;
    }
    if (module.size !== outputs.length) return `${outputs.length} and ${module.size} files`;
    for (const [name, path] of [["", main], ...side.map((path) => [basename(path), path])]) {
        const [expected, found] = [readFileSync(path), module.get(name)];
        if (!found) return `the module does not write ${name}`;
        if (!expected.equals(found)) {
            const at = expected.findIndex((byte, index) => byte !== found[index]);
            return `${name} has ${expected.length} and ${found.length} bytes, the first difference at ${at}`;
        }
    }
    return null;
}

const [target, ...folders] = process.argv.slice(2);
const targets = formats().filter(({ name, export: isWritten }) => isWritten && (target === "all" || name === target));
let differences = 0;
for (const { name: to } of targets) {
    const made = newFolder();
    const report = join(made, "report.jsonl");
    run(["convert", ...folders, "--to", to, "-d", join(made, "native"), "--report", report, ...OPTIONS], { statuses: STATUSES });
    const equal = new Map();
    let total = 0;
    let different = 0;
    for (const line of readFileSync(report, "utf8").split("\n").filter(Boolean).map(JSON.parse)) {
        if (!line.outputs?.length) continue;
        const difference = compare(line, to);
        if (difference) console.log(`${line.file} to ${to}: ${difference}`);
        else equal.set(line.from, (equal.get(line.from) ?? 0) + 1);
        total += 1;
        different += difference ? 1 : 0;
    }
    rmSync(made, { recursive: true });
    const counts = [...equal].map(([format, count]) => `${count} ${format}`).join(", ");
    console.log(`${to}: the command and the module agree on ${total - different} of ${total} files (${counts})`);
    differences += different + (total === 0 ? 1 : 0);
}
process.exitCode = differences > 0 ? 1 : 0;

// The package, installed from its tarball into a new project.
import assert from "node:assert/strict";
import { spawnSync } from "node:child_process";
import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import test from "node:test";
import { PACKAGE, ROOT, newFolder, run } from "./support.mjs";

function start(program, args, cwd) {
    const done = spawnSync(program, args, { cwd, encoding: "utf8" });
    assert.equal(done.status, 0, `${program} ${args.join(" ")}: ${done.stderr}`);
    return done.stdout;
}

test("the tarball installs in a new project and converts", () => {
    const project = newFolder();
    const [{ filename, files }] = JSON.parse(start("npm", ["pack", "--json", "--pack-destination", project], PACKAGE));
    const names = files.map((file) => file.path);
    for (const name of ["README.md", "CHANGELOG.md", "LICENSE-MIT", "LICENSE-APACHE", "index.d.ts", "module/mapwright_bg.wasm"]) {
        assert.ok(names.includes(name), `${name} is missing in the package`);
    }
    writeFileSync(join(project, "package.json"), JSON.stringify({ name: "project", type: "module" }));
    start("npm", ["install", "--offline", "--no-audit", "--no-fund", "--silent", `./${filename}`], project);
    writeFileSync(join(project, "convert.js"), `
        import { readFileSync, writeFileSync } from "node:fs";
        import { Document } from "mapwright";
        const [input, output] = process.argv.slice(2);
        writeFileSync(output, new Document(readFileSync(input), { name: input }).convert("glb").data);
    `);
    const input = join(ROOT, "fixtures/wings/torus.wings");
    start("node", ["convert.js", input, "module.glb"], project);
    run(["convert", input, join(project, "native.glb"), "--external", "none", "--quiet"]);
    const [native, module] = ["native.glb", "module.glb"].map((name) => readFileSync(join(project, name)));
    assert.ok(native.equals(module));
});

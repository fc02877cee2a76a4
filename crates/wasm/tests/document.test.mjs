import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import test from "node:test";
import { pathToFileURL } from "node:url";
import { Archive, Document, PACKAGE, ROOT, detect, filesOf, formats, newFolder, read, run, version } from "./support.mjs";

/** One file of each format. */
const EXAMPLES = [
    ["wings", "fixtures/wings/torus.wings"],
    ["vmap", "fixtures/vmap/room.vmap"],
    ["vmap", "fixtures/vmap/room.vmap.txt"],
    ["dmx", "fixtures/dmx/graph.dmx"],
    ["wwd", "fixtures/wwd/claw.wwd"],
    ["wmp", "fixtures/wmp/room.wmp"],
    ["wrp", "fixtures/wrp/island.wrp"],
    ["rez", "fixtures/rez/game.rez"],
];

const OBJ = new TextEncoder().encode("o Quad\nv 0 0 0\nv 1 0 0\nv 1 1 0\nv 0 1 0\nf 1 2 3 4\n");

/** Calls a function and returns the error that it throws. */
function thrown(work) {
    try {
        work();
    } catch (error) {
        return error;
    }
    assert.fail("expected an error");
}

test("options that are no object, and unknown options, are errors", () => {
    for (const options of [5, "wings", { nmae: "a.obj" }]) {
        assert.match(thrown(() => new Document(OBJ, options)).message, /options/);
    }
    new Document(OBJ, null).free();
});

test("numbers that are not finite are errors", () => {
    const document = new Document(OBJ, { name: "a.obj" });
    for (const scale of [NaN, Infinity]) {
        assert.match(thrown(() => document.convert("glb", { scale })).message, /invalid options: .*(NaN|Infinity)/);
    }
    document.free();
});

for (const [format, path] of EXAMPLES) {
    test(`${path} is read and written back byte for byte`, () => {
        const bytes = read(path);
        const document = new Document(bytes, { name: path });
        assert.equal(document.format, format);
        assert.deepEqual(document.toBytes(), bytes);
        document.free();
    });
}

test("a conversion gives the bytes of the command", () => {
    const folder = newFolder();
    for (const [format, path] of EXAMPLES) {
        if (!formats().find((known) => known.name === format).convertsTo.some((to) => to.format === "glb")) continue;
        const output = join(folder, `${path.split("/").pop()}.glb`);
        run(["convert", path, output, "--external", "none", "--allow-empty", "--quiet"]);
        const converted = new Document(read(path), { name: path }).convert("glb", { allowEmpty: true });
        assert.deepEqual(converted.data, new Uint8Array(readFileSync(output)), path);
    }
});

test("files beside a document are found, and files beside a result are returned", () => {
    const files = {
        "models/floor.obj": new TextEncoder().encode("mtllib floor.mtl\nv 0 0 0\nv 1 0 0\nv 0 1 0\nusemtl red\nf 1 2 3\n"),
        "models/floor.mtl": new TextEncoder().encode("newmtl red\nKd 1 0 0\n"),
    };
    const document = new Document(files["models/floor.obj"], { name: "models/floor.obj", files });
    const converted = document.convert("obj", { scale: 2 });
    assert.deepEqual(converted.sideFiles.map((file) => file.name), ["floor.mtl"]);
    assert.match(new TextDecoder().decode(converted.sideFiles[0].data), /Kd 1.0 0.0 0.0/);
    const alone = new Document(files["models/floor.obj"], { name: "models/floor.obj" });
    assert.ok(!alone.convert("obj", { scale: 2 }).sideFiles.some((file) => /Kd 1.0 0.0 0.0/.test(new TextDecoder().decode(file.data))));
});

test("a level with the files of its game gives the bytes of the command", () => {
    const output = join(newFolder(), "house.glb");
    run(["convert", "fixtures/addon/maps/house.vmap", output, "--external", "none", "--content", "fixtures/addon", "--quiet"]);
    const files = filesOf("fixtures/addon");
    const document = new Document(read("fixtures/addon/maps/house.vmap"), { name: "house.vmap", files });
    const converted = document.convert("glb");
    assert.deepEqual(converted.data, new Uint8Array(readFileSync(output)));
    assert.ok(converted.filesRead.length > 0);
});

test("an archive is read as its files", () => {
    const game = read("fixtures/rez/game.rez");
    const archive = new Archive(game);
    const path = archive.paths().find((path) => path.endsWith("WORLD.WWD"));
    const level = archive.read(path.toLowerCase());
    const output = join(newFolder(), "world.glb");
    run(["convert", `fixtures/rez/game.rez/${path}`, output, "--content", "fixtures/rez/game.rez", "--quiet"]);
    const document = new Document(level, { name: path, files: new Map([["game.rez", game]]) });
    assert.deepEqual(document.convert("glb").data, new Uint8Array(readFileSync(output)));
    assert.match(thrown(() => archive.read("missing")).message, /missing: file not found/);
});

test("summaries are those of the command", () => {
    const path = "fixtures/vmap/room.vmap";
    const document = new Document(read(path), { name: path });
    const { schema, file, bytes, references, ...info } = JSON.parse(new TextDecoder().decode(run(["info", "--json", path])));
    assert.deepEqual(document.info(), info);
    const text = new TextDecoder().decode(run(["info", path]));
    assert.equal(document.infoText(), text.slice(text.indexOf("\n") + 1));
});

test("a query lists objects, and an edit changes them and nothing else", () => {
    const path = "fixtures/vmap/room.vmap";
    const document = new Document(read(path), { name: path });
    const all = JSON.parse(new TextDecoder().decode(run(["query", "kind=light", "--json", path])));
    const lights = document.query("kind=light");
    assert.ok(lights.length > 0);
    assert.deepEqual(lights, all.items);
    const [light] = document.query("kind=light", { fields: ["name", "x"] });
    assert.deepEqual(Object.keys(light), ["name", "x"]);
    const newer = new Document(read(path), { name: path });
    const [done] = newer.edit(`set kind=light: x=${light.x + 8}`);
    assert.equal(done.matched, lights.length);
    assert.equal(newer.query("kind=light", { fields: ["x"] })[0].x, light.x + 8);
    const diff = document.diff(newer);
    assert.ok(!diff.equal && !diff.same_bytes && diff.text.length > 0);
    assert.ok(document.diff(document).equal);
    const before = newer.toBytes();
    const error = thrown(() => newer.edit(["set kind=light: x=0", "set nosuchfield=1: x=0"]));
    assert.equal(error.name, "MapwrightError");
    assert.deepEqual(newer.toBytes(), before);
});

test("two versions of a map are merged", () => {
    const path = "fixtures/vmap/room.vmap";
    const [base, ours, theirs] = [1, 2, 3].map(() => new Document(read(path), { name: path }));
    const [light] = base.query("kind=light", { fields: ["x", "y"] });
    ours.edit(`set kind=light: x=${light.x + 8}`);
    theirs.edit(`set kind=light: y=${light.y + 8}`);
    const { document, conflicts } = Document.merge(base, ours, ours);
    assert.deepEqual([conflicts, document.toBytes()], [[], ours.toBytes()]);
    const both = Document.merge(base, ours, theirs, "theirs");
    assert.ok(both.document.format === "vmap" && Array.isArray(both.conflicts));
    assert.equal(thrown(() => Document.merge(base, ours, theirs, "mine")).category, "usage");
});

test("findings have a severity, a code and a path", () => {
    const findings = new Document(read("fixtures/wwd/odd.wwd")).validate();
    assert.ok(findings.length > 0);
    assert.ok(findings.every((finding) => ["error", "warning", "note"].includes(finding.severity) && finding.code));
});

test("a page contains the view of the document", () => {
    const html = new Document(read("fixtures/wings/torus.wings"), { name: "a/torus.wings" }).page({ imageSize: 64 });
    assert.ok(html.startsWith("<!doctype html>") && html.includes("torus.wings") && !html.includes("a/torus.wings"));
});

test("interchange formats are compared by their bytes, and not written back", () => {
    const quad = new Document(OBJ, { name: "quad.obj" });
    assert.equal(quad.format, "obj");
    const same = quad.diff(new Document(OBJ, { name: "quad.obj" }));
    assert.deepEqual([same.equal, same.same_bytes], [true, true]);
    assert.equal(thrown(() => quad.toBytes()).category, "unsupported");
});

test("errors state category, place, path and help", () => {
    const torus = read("fixtures/wings/torus.wings");
    const short = thrown(() => new Document(torus.slice(0, torus.length / 2), { name: "torus.wings" }));
    assert.ok(short instanceof Error && short.name === "MapwrightError");
    assert.ok(["truncated", "malformed"].includes(short.category), short.category);
    const text = "<!-- dmx encoding keyvalues2 1 format dmx 1 -->\n\"DmElement\"\n{\n\t\"size\" \"int\" \"many\"\n}\n";
    const number = thrown(() => new Document(new TextEncoder().encode(text), { name: "a.dmx" }));
    assert.deepEqual([number.category, number.place.line], ["malformed", 4], `${number}`);
    assert.match(number.place.text, /^line 4, column \d+$/);
    const unknown = thrown(() => new Document(new Uint8Array([1, 2, 3])));
    assert.deepEqual([unknown.category, typeof unknown.help], ["unsupported", "string"]);
    for (const work of [
        () => new Document(OBJ, { nane: "a" }),
        () => new Document(OBJ, { format: "jpeg" }),
        () => new Document(OBJ, { files: 1 }),
        () => new Document(OBJ, { files: { "a.mtl": "text" } }),
        () => new Document(OBJ).convert("glb", { scael: 2 }),
        () => new Document(OBJ).convert("glb", { sourceUp: "x" }),
        () => new Document(OBJ).convert("gbl"),
        () => new Document(OBJ).edit(1),
        () => new Document(OBJ).query("nosuchfield=1"),
    ]) {
        const error = thrown(work);
        assert.deepEqual([error.name, error.category], ["MapwrightError", "usage"], `${error}`);
    }
});

test("a file that inflates beyond the limit is refused", () => {
    const error = thrown(() => new Document(bomb(300 << 20), { format: "etf" }));
    assert.equal(error.category, "limit");
});

/** Returns a compressed Erlang term that declares a size. */
function bomb(size) {
    const head = [131, 80, size >>> 24, (size >>> 16) & 255, (size >>> 8) & 255, size & 255];
    return new Uint8Array([...head, 0x78, 0x9c, 3, 0, 0, 0, 0, 1]);
}

test("detection looks at content and name", () => {
    const torus = read("fixtures/wings/torus.wings");
    assert.deepEqual(detect(torus, "torus.obj"), {
        format: "wings", certain: true, warning: "the extension is that of obj, but the content is wings", foreign: null,
    });
    assert.deepEqual(detect(new TextEncoder().encode("PK\x03\x04")).foreign, { name: "ZIP archive", nextStep: "unpack it first" });
});

test("the types list the formats of the module", () => {
    const types = readFileSync(join(PACKAGE, "module/mapwright.d.ts"), "utf8");
    const union = types.slice(types.indexOf("type FormatName ="), types.indexOf(";", types.indexOf("type FormatName =")));
    const names = [...union.matchAll(/"([a-z0-9]+)"/g)].map((match) => match[1]).sort();
    assert.deepEqual(names, formats().map((format) => format.name).sort());
    const lost = formats().find((format) => format.name === "wwd").convertsTo.find((to) => to.format === "glb").lost;
    assert.ok(lost.includes("tile layers"));
    const manifest = JSON.parse(readFileSync(join(PACKAGE, "package.json"), "utf8"));
    assert.deepEqual([manifest.version, new TextDecoder().decode(run(["--version"])).trim()], [version(), `mapwright ${version()}`]);
});

test("the example of the README works", async () => {
    const readme = readFileSync(join(ROOT, "crates/wasm/README.md"), "utf8");
    const [, example] = readme.match(/```js\n([^`]*)```/);
    const folder = newFolder();
    const code = example
        .replace("from \"mapwright\"", `from ${JSON.stringify(pathToFileURL(join(PACKAGE, "node.js")).href)}`)
        .replaceAll("\"torus.wings\"", JSON.stringify(join(ROOT, "fixtures/wings/torus.wings")))
        .replaceAll("\"torus.glb\"", JSON.stringify(join(folder, "torus.glb")));
    await import(`data:text/javascript,${encodeURIComponent(code)}`);
    assert.equal(readFileSync(join(folder, "torus.glb")).subarray(0, 4).toString(), "glTF");
});

// The web page in headless Chromium: files are dropped, shown, compared and converted, and nothing is requested from other hosts.
import assert from "node:assert/strict";
import { createReadStream, existsSync, mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { createServer } from "node:http";
import { createRequire } from "node:module";
import { basename, extname, join, normalize, resolve } from "node:path";
import test, { after, before } from "node:test";
import { ROOT, newFolder, run } from "./support.mjs";

const SITE = process.env.MAPWRIGHT_SITE;
const { chromium } = createRequire(join(process.env.MAPWRIGHT_TOOLS, "package.json"))("playwright-core");
/** For people who look at the page. */
const SCREENSHOTS = join(SITE, "../screenshots");
/** Software rendering of WebGL. Chromium runs as root in containers. */
const ARGS = ["--no-sandbox", "--use-gl=angle", "--use-angle=swiftshader", "--enable-unsafe-swiftshader"];
const TYPES = { ".html": "text/html", ".js": "text/javascript", ".css": "text/css", ".wasm": "application/wasm" };

/** Files of other formats, which the command makes from fixtures. */
const MADE = [
    ["fixtures/wings/torus.wings", "torus.obj"], ["fixtures/wmp/room.wmp", "room.map"], ["fixtures/wrp/island.wrp", "island.asc"],
    ["fixtures/wrp/island.wrp", "island.tif"],
];

/** One file of each format that is converted to glb without other files. */
const EXAMPLES = [
    "fixtures/wings/torus.wings", "fixtures/vmap/room.vmap", "fixtures/vmap/room.vmap.txt", "fixtures/wmp/room.wmp",
    "fixtures/wrp/island.wrp",
];

let server, otherServer, browser, origin, otherOrigin;
/** The number of requests to the other host. */
let hits = 0;
/** The addresses of all requests of all pages. */
const requests = [];

const listen = (answer) => new Promise((resolve) => {
    const started = createServer(answer).listen(0, "127.0.0.1", () => resolve(started));
});

before(async () => {
    server = await listen((request, response) => {
        const path = join(SITE, normalize(new URL(request.url, "http://localhost").pathname));
        const file = path.endsWith("/") ? `${path}index.html` : path;
        if (!file.startsWith(SITE) || !existsSync(file)) return response.writeHead(404).end();
        response.writeHead(200, { "content-type": TYPES[extname(file)] ?? "application/octet-stream" });
        createReadStream(file).pipe(response);
    });
    otherServer = await listen((_, response) => {
        hits += 1;
        response.writeHead(200, { "access-control-allow-origin": "*" }).end("hello");
    });
    [origin, otherOrigin] = [server, otherServer].map((each) => `http://127.0.0.1:${each.address().port}`);
    browser = await chromium.launch({ executablePath: executable(), args: ARGS });
    mkdirSync(SCREENSHOTS, { recursive: true });
});

after(async () => {
    await browser?.close();
    server?.close();
    otherServer?.close();
});

/** Returns the path of the browser, which may be given by its name. */
function executable() {
    const name = process.env.MAPWRIGHT_CHROMIUM;
    return process.env.PATH.split(":").map((folder) => join(folder, name)).find(existsSync) ?? name;
}

/** Opens the page in a new context. */
async function openPage(options = {}) {
    const context = await browser.newContext({ acceptDownloads: true, ...options });
    const page = await context.newPage();
    page.on("request", (request) => requests.push(request.url()));
    page.on("pageerror", (error) => assert.fail(`the page threw ${error}`));
    const messages = [];
    page.on("console", (message) => message.type() === "error" && messages.push(message.text()));
    await page.goto(`${origin}/`);
    page.setDefaultTimeout(60_000);
    return Object.assign(page, { messages });
}

/** Drops files or folders on the page, as a file manager does. */
async function drop(page, paths) {
    const session = await page.context().newCDPSession(page);
    const data = { items: [], files: paths.map((path) => resolve(ROOT, path)), dragOperationsMask: 1 };
    for (const type of ["dragEnter", "dragOver", "drop"]) {
        await session.send("Input.dispatchDragEvent", { type, x: 100, y: 150, data });
    }
}

/** Waits until the page has done its work. */
async function isIdle(page) {
    await page.waitForFunction(() => document.getElementById("status").hidden && !document.getElementById("work").hidden);
}

/** Waits for the view, and returns its state and mode. */
async function viewState(page) {
    await page.waitForSelector("#view iframe");
    const frame = page.frames().at(-1);
    await frame.waitForFunction(() => document.documentElement.dataset.state !== "loading");
    return frame.evaluate(() => document.documentElement.dataset.state);
}

/** Converts the open file, and returns the bytes of the download. */
async function download(page, to = "glb") {
    await page.selectOption("#target", to);
    const [started] = await Promise.all([page.waitForEvent("download"), page.click("#convert button")]);
    return { name: started.suggestedFilename(), data: readFileSync(await started.path()) };
}

function native(input, ...options) {
    const output = join(newFolder(), "native.glb");
    run(["convert", input, output, "--external", "none", "--quiet", ...options]);
    return readFileSync(output);
}

test("a dropped file shows its view and downloads the glb of the command", async (t) => {
    const folder = newFolder();
    const made = MADE.map(([source, name]) => {
        run(["convert", source, join(folder, name), "--quiet"]);
        return join(folder, name);
    });
    for (const path of [...EXAMPLES.map((path) => join(ROOT, path)), ...made]) {
        await t.test(basename(path), async () => {
            const page = await openPage();
            await drop(page, [path]);
            await isIdle(page);
            assert.equal(await page.textContent("#error"), "");
            const name = basename(path);
            assert.equal(await page.textContent("#name"), name);
            assert.ok((await page.textContent("#facts")).length > 20);
            assert.equal(await viewState(page), "drawn");
            const { name: saved, data } = await download(page);
            assert.equal(saved, `${name.replace(/\.[^.]*$/, "")}.glb`);
            assert.ok(data.equals(native(path)), "the bytes differ");
            await page.screenshot({ path: join(SCREENSHOTS, `${name}.png`) });
            assert.deepEqual(page.messages, []);
            await page.context().close();
        });
    }
});

test("a folder provides the files of its levels", async () => {
    const page = await openPage();
    await page.setInputFiles("#pick-folder", join(ROOT, "fixtures/addon"));
    await isIdle(page);
    await page.locator("#files button", { hasText: "maps/house.vmap" }).click();
    await isIdle(page);
    assert.equal(await viewState(page), "drawn");
    const { data } = await download(page);
    assert.ok(data.equals(native("fixtures/addon/maps/house.vmap", "--content", "fixtures/addon")));
    await page.screenshot({ path: join(SCREENSHOTS, "folder.png") });
    await page.context().close();
});

test("a level in an archive is shown with the images of its game", async () => {
    const page = await openPage();
    await drop(page, ["fixtures/rez/game.rez"]);
    await isIdle(page);
    assert.equal(await page.textContent("#name"), "WORLD.WWD");
    assert.equal(await viewState(page), "drawn");
    const { data } = await download(page);
    assert.ok(data.equals(native("fixtures/rez/game.rez/LEVEL1/WORLDS/WORLD.WWD", "--content", "fixtures/rez/game.rez")));
    await page.screenshot({ path: join(SCREENSHOTS, "archive.png") });
    await page.context().close();
});

test("two files are compared", async () => {
    const folder = newFolder();
    const changed = join(folder, "changed.vmap");
    run(["edit", "fixtures/vmap/room.vmap", "set kind=light: x=1", "-o", changed, "--quiet"]);
    const page = await openPage();
    await page.setInputFiles("#pick-files", [join(ROOT, "fixtures/vmap/room.vmap"), changed]);
    await isIdle(page);
    await page.locator("#files button", { hasText: "room.vmap" }).click();
    await isIdle(page);
    await page.selectOption("#newer", "changed.vmap");
    await page.click("#compare button");
    await isIdle(page);
    const expected = new TextDecoder().decode(run(["diff", "fixtures/vmap/room.vmap", changed], { statuses: [9] }));
    const shown = await page.textContent("#differences");
    assert.ok(shown.length > 10 && expected.includes(shown.trim().split("\n")[0].trim()), `${shown}\n${expected}`);
    await page.context().close();
});

test("after a stop a new worker continues", async () => {
    const page = await openPage();
    await drop(page, ["fixtures/wings/torus.wings"]);
    await isIdle(page);
    await page.evaluate(() => {
        document.querySelector("#files button").click();
        document.getElementById("stop").click();
    });
    await isIdle(page);
    assert.equal(await page.textContent("#error"), "Stopped.");
    await page.click("#files button");
    await isIdle(page);
    assert.equal(await viewState(page), "drawn");
    await page.evaluate(() => {
        document.querySelector("#convert button").click();
        document.getElementById("stop").click();
    });
    await isIdle(page);
    const { data } = await download(page);
    assert.ok(data.equals(native("fixtures/wings/torus.wings")));
    await page.context().close();
});

test("an unusable file gives an error with a next step", async () => {
    const folder = newFolder();
    const [zip, broken] = ["a.zip", "broken.wings"].map((name) => join(folder, name));
    writeFileSync(zip, "PK\x03\x04");
    writeFileSync(broken, readFileSync(join(ROOT, "fixtures/wings/torus.wings")).subarray(0, 200));
    const page = await openPage();
    await page.setInputFiles("#pick-files", zip);
    await page.waitForSelector("#error:not([hidden])");
    assert.match(await page.textContent("#error"), /ZIP archive: unpack it first/);
    await page.setInputFiles("#pick-files", broken);
    await isIdle(page);
    await page.waitForSelector("#error:not([hidden])");
    assert.doesNotMatch(await page.textContent("#error"), /ZIP/);
    await page.screenshot({ path: join(SCREENSHOTS, "error.png") });
    await page.context().close();
});

test("the page fits a phone", async () => {
    const page = await openPage({ viewport: { width: 390, height: 844 }, hasTouch: true, isMobile: true });
    await page.screenshot({ path: join(SCREENSHOTS, "phone-start.png") });
    await page.setInputFiles("#pick-files", join(ROOT, "fixtures/vmap/room.vmap"));
    await isIdle(page);
    assert.equal(await viewState(page), "drawn");
    assert.ok(await page.evaluate(() => document.documentElement.scrollWidth <= innerWidth), "the page is too wide");
    await page.screenshot({ path: join(SCREENSHOTS, "phone.png"), fullPage: true });
    await page.context().close();
});

test("no request leaves the origin of the page", async () => {
    const page = await openPage();
    const answers = await page.evaluate(async (address) => {
        const ask = (code) => new Promise((resolve) => {
            const source = URL.createObjectURL(new Blob([code], { type: "text/javascript" }));
            const worker = new Worker(source, { type: "module" });
            worker.onmessage = ({ data }) => resolve(data);
        });
        const inPage = await fetch(address).then(() => "sent", () => "refused");
        const inWorker = await ask(`fetch("${address}").then(() => postMessage("sent"), () => postMessage("refused"))`);
        return [inPage, inWorker];
    }, otherOrigin);
    assert.deepEqual([answers, hits], [["refused", "refused"], 0]);
    const own = (address) => address.startsWith(`${origin}/`) || address.startsWith("blob:") || address.startsWith("data:");
    // The browser reports the refused request of the page, too.
    const others = requests.filter((address) => !own(address) && !address.startsWith(otherOrigin));
    assert.deepEqual(others, []);
    assert.ok(requests.length > 20);
    await page.context().close();
});

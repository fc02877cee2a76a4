// The page: files, the view, and what the user asks of them. A worker does the work.

/** Maximum time of a task in milliseconds. */
const MAX_TIME = 120_000;
/** Maximum size of all files together. The memory of the module ends at 4 GiB, and a document has its own copy of the files. */
const MAX_BYTES = 1 << 29;

const element = (id) => document.getElementById(id);

/** The dropped files by their paths. A new worker gets them again. */
const files = new Map();
let formats = [];
let listed = [];
let current = null;
let frame = null;

// ---- The worker

let worker = null;
let waiting = new Map();
let nextId = 0;

/**
 * Starts the worker from a blob, so that it has the content security policy of this page. A worker from an address would only have that
 * of its response.
 */
function startWorker() {
    const address = new URL("worker.js", import.meta.url).href;
    const source = URL.createObjectURL(new Blob([`import ${JSON.stringify(address)};`], { type: "text/javascript" }));
    worker = new Worker(source, { type: "module" });
    worker.addEventListener("message", ({ data: { id, result, error } }) => {
        const task = waiting.get(id);
        waiting.delete(id);
        if (error?.isCrash) stopWorker(new Error("The file needs too much memory, or is beyond what this page can read."));
        if (error) task?.reject(Object.assign(new Error(error.message), error));
        else task?.resolve(result);
    });
    worker.addEventListener("error", () => stopWorker(new Error("The module does not start. Is the browser too old?")));
}

/** Ends the worker. Its tasks fail, and the next task starts a new worker with the same files. */
function stopWorker(reason) {
    worker?.terminate();
    worker = null;
    for (const task of waiting.values()) task.reject(reason);
    waiting = new Map();
}

function post(task, argument, transfer = []) {
    return new Promise((resolve, reject) => {
        const id = nextId++;
        const timer = setTimeout(() => stopWorker(new Error("It took too long, and was stopped.")), MAX_TIME);
        const end = (settle) => (value) => {
            clearTimeout(timer);
            settle(value);
        };
        waiting.set(id, { resolve: end(resolve), reject: end(reject) });
        worker.postMessage({ id, task, argument }, transfer);
    });
}

/** Runs a task. After a crash, the new worker gets the files and the open document again. */
async function run(task, argument) {
    if (!worker) {
        startWorker();
        await addToWorker([...files.keys()]);
        if (current && task !== "open") await post("open", { path: current });
    }
    return post(task, argument);
}

async function addToWorker(paths) {
    const added = await Promise.all(paths.map(async (path) => ({ path, data: await files.get(path).arrayBuffer() })));
    ({ formats, listed } = await post("add", { added }, added.map(({ data }) => data)));
}

// ---- Messages

/** Runs work while its status is shown. Shows an error, and returns `undefined` then. */
async function doWork(text, work) {
    element("status-text").textContent = text;
    element("status").hidden = false;
    element("stop").hidden = false;
    element("error").hidden = true;
    try {
        return await work();
    } catch (error) {
        element("error").textContent = [error.message, error.help].filter(Boolean).join("\n");
        element("error").hidden = false;
    } finally {
        element("status").hidden = true;
    }
}

element("stop").addEventListener("click", () => stopWorker(new Error("Stopped.")));

// ---- Files

/** Adds files, and opens the first level among them. */
async function addFiles(added) {
    if (added.length === 0) return;
    // The folder that contains everything is the root, as for the option --content.
    const [root] = added[0].path.split("/");
    const isBelow = added.every(({ path }) => path.startsWith(`${root}/`));
    for (const file of added) file.path = isBelow ? file.path.slice(root.length + 1) : file.path;
    const bytes = [...files.values(), ...added.map(({ file }) => file)].reduce((sum, file) => sum + file.size, 0);
    await doWork("Reading …", async () => {
        if (bytes > MAX_BYTES) throw new Error(`These files have ${Math.ceil(bytes / 2 ** 20)} MiB together; at most ${MAX_BYTES / 2 ** 20} are possible.`);
        for (const { path, file } of added) files.set(path, file);
        if (!worker) startWorker(), await addToWorker([...files.keys()]);
        else await addToWorker(added.map(({ path }) => path));
        showFiles();
        const openable = openableFiles();
        const paths = new Set(added.map(({ path }) => path));
        const isNew = ({ path }) => paths.has(path) || [...paths].some((archive) => path.startsWith(`${archive}/`));
        const first = openable.find(isNew) ?? openable.find(({ path }) => path === current) ?? openable[0];
        if (first) await openFile(first.path);
        else if (added.length === 1) {
            const { foreign } = listed.find(({ path }) => path === added[0].path);
            throw new Error(foreign ? `This is a file of the format ${foreign.name}: ${foreign.nextStep}.` : "The format of the file is unknown.");
        } else throw new Error("None of the files is a level.");
    });
}

/** Returns the levels and models. Images, which may be heightmaps, only if there is nothing else. */
function openableFiles() {
    const info = (file) => formats.find((format) => format.name === file.format);
    const known = listed.filter((file) => info(file));
    const levels = known.filter((file) => info(file).drawn && !info(file).image);
    return levels.length > 0 ? levels : known;
}

function showFiles() {
    document.body.classList.add("open");
    element("work").hidden = false;
    const openable = openableFiles();
    element("files").replaceChildren(...openable.map(({ path, format }) => {
        const button = document.createElement("button");
        button.type = "button";
        button.textContent = path;
        const kind = document.createElement("small");
        kind.textContent = format;
        button.append(kind);
        button.setAttribute("aria-current", path === current);
        button.addEventListener("click", () => doWork("Opening …", () => openFile(path)));
        const item = document.createElement("li");
        item.append(button);
        return item;
    }));
    const others = files.size - openable.filter(({ path }) => files.has(path)).length;
    element("other-files").hidden = others === 0;
    element("other-files").textContent = `and ${others} other file${others === 1 ? "" : "s"} that levels may use`;
}

async function openFile(path) {
    showPage(null);
    element("document").hidden = true;
    current = path;
    showFiles();
    const { format, warning, text } = await run("open", { path });
    const info = formats.find((known) => known.name === format);
    element("name").textContent = path.split("/").pop();
    element("warning").hidden = !warning;
    element("warning").textContent = warning ?? "";
    element("facts").textContent = `${info.title}\n${text.replace(/^ {2}/gm, "")}`;
    showTargets(info);
    const others = listed.filter((other) => other.format === format && other.path !== path);
    element("compare").hidden = others.length === 0;
    element("newer").replaceChildren(...others.map((other) => new Option(other.path, other.path)));
    element("differences").hidden = true;
    element("result").replaceChildren();
    element("document").hidden = false;
    if (!info.drawn) return showPage(null, "Files of this format have no view.");
    element("status-text").textContent = "Drawing …";
    try {
        showPage(await run("page"));
    } catch (error) {
        showPage(null, error.message);
    }
}

/** Shows a page in a frame of its own, without access to this page. */
function showPage(html, reason = "") {
    if (frame) {
        URL.revokeObjectURL(frame.src);
        frame.remove();
        frame = null;
    }
    element("no-view").textContent = reason;
    element("no-view").hidden = !reason;
    if (html === null) return;
    frame = document.createElement("iframe");
    frame.sandbox = "allow-scripts";
    frame.title = "Interactive view";
    frame.src = URL.createObjectURL(new Blob([html], { type: "text/html" }));
    element("view").append(frame);
}

element("clear").addEventListener("click", () => {
    stopWorker(new Error("Stopped."));
    files.clear();
    [listed, current] = [[], null];
    showPage(null);
    for (const id of ["work", "document", "error"]) element(id).hidden = true;
    document.body.classList.remove("open");
});

// ---- Converting and comparing

function showTargets(info) {
    element("target").replaceChildren(...info.convertsTo.map(({ format }) => {
        const { title } = formats.find((known) => known.name === format);
        return new Option(`${format}: ${title}`, format);
    }));
    element("convert").hidden = info.convertsTo.length === 0;
    element("target").value = info.convertsTo.some(({ format }) => format === "glb") ? "glb" : info.convertsTo[0]?.format;
    showLost(info);
    element("target").onchange = () => showLost(info);
}

/** States what the target cannot store, if the level contains it. */
function showLost(info) {
    const target = info.convertsTo.find(({ format }) => format === element("target").value);
    element("lost").textContent = target?.lost.length > 0 ? `The format has no ${target.lost.join(", ")}.` : "";
}

element("convert").addEventListener("submit", (event) => {
    event.preventDefault();
    doWork("Converting …", async () => {
        const to = element("target").value;
        const source = current;
        const { data, sideFiles, losses, lost } = await run("convert", { to });
        // Another file was opened in the meantime.
        if (current !== source) return;
        const stem = source.split("/").pop().replace(/\.[^.]*$/, "");
        const [extension] = formats.find((format) => format.name === to).extensions;
        const links = [{ name: `${stem}.${extension}`, data }, ...sideFiles].map(link);
        const lines = (isWanted) => list(losses.filter(isWanted).map(({ kind, path, text }) => `${kind}: ${path}: ${text}`));
        const kept = losses.some(({ kind }) => kind === "preserved");
        element("result").querySelectorAll("a").forEach((old) => URL.revokeObjectURL(old.href));
        element("result").replaceChildren(
            list(links),
            paragraph(lost === 0 ? "Nothing was lost." : `${lost} ${lost === 1 ? "loss" : "losses"}:`),
            lines(({ kind }) => kind !== "preserved"),
            paragraph(kept ? "Stored differently:" : ""),
            lines(({ kind }) => kind === "preserved"),
        );
        links[0].click();
    });
});

function link({ name, data }) {
    const anchor = document.createElement("a");
    anchor.download = name;
    anchor.textContent = name;
    anchor.href = URL.createObjectURL(new Blob([data]));
    return anchor;
}

function paragraph(text) {
    const made = document.createElement("p");
    made.textContent = text;
    return made;
}

function list(contents) {
    const items = contents.map((content) => {
        const item = document.createElement("li");
        item.append(content);
        return item;
    });
    const all = document.createElement("ul");
    all.append(...items);
    return all;
}

element("compare").addEventListener("submit", (event) => {
    event.preventDefault();
    doWork("Comparing …", async () => {
        const { sameBytes, text } = await run("compare", { path: element("newer").value });
        element("differences").textContent = sameBytes ? "All bytes are equal." : text;
        element("differences").hidden = false;
    });
});

// ---- Dropping and picking

for (const id of ["pick-files", "pick-folder"]) {
    element(id).addEventListener("change", ({ target }) => {
        addFiles([...target.files].map((file) => ({ path: file.webkitRelativePath || file.name, file })));
        target.value = "";
    });
}

document.addEventListener("dragover", (event) => {
    event.preventDefault();
    element("drop").classList.add("over");
});
document.addEventListener("dragleave", () => element("drop").classList.remove("over"));
document.addEventListener("drop", async (event) => {
    event.preventDefault();
    element("drop").classList.remove("over");
    const entries = [...event.dataTransfer.items].map((item) => item.webkitGetAsEntry()).filter(Boolean);
    addFiles((await Promise.all(entries.map(filesIn))).flat());
});

/** Returns the files of a dropped file or folder with their paths. */
async function filesIn(entry) {
    const path = entry.fullPath.replace(/^\//, "");
    if (entry.isFile) return [{ path, file: await new Promise((resolve, reject) => entry.file(resolve, reject)) }];
    const reader = entry.createReader();
    const entries = [];
    // Browsers return a part of a folder at a time.
    for (;;) {
        const part = await new Promise((resolve, reject) => reader.readEntries(resolve, reject));
        if (part.length === 0) break;
        entries.push(...part);
    }
    return (await Promise.all(entries.map(filesIn))).flat();
}

// Reads, converts and compares files. The page stops this worker if it takes too long, and starts a new one after a crash.
import init, { Archive, Document, detect, formats } from "./module/mapwright.js";

const ready = init();
/** The bytes of all files by their paths. */
const files = new Map();
/** The archives among them. */
const archives = new Map();
/** The open document and its path. */
let open = null;

const tasks = {
    /** Adds files, and returns the known formats and those files that can be opened. */
    add({ added }) {
        for (const { path, data } of added) {
            const bytes = new Uint8Array(data);
            archives.get(path)?.free();
            archives.delete(path);
            files.set(path, bytes);
        }
        close();
        const known = formats();
        const listed = [];
        for (const [path, bytes] of files) {
            const { format, foreign } = detect(bytes, path);
            if (format === "rez") {
                listed.push(...levelsIn(path, bytes, known));
            }
            listed.push({ path, format, foreign });
        }
        return { formats: known, listed };
    },

    /** Opens a file, and returns facts about it. */
    open({ path }) {
        close();
        open = { path, document: read(path) };
        const { document } = open;
        return { format: document.format, warning: document.warning, text: document.infoText(), info: document.info() };
    },

    /** Returns the interactive view of the open document. */
    page() {
        // The browsers that run this page have WebGL, so the image is rarely seen.
        return open.document.page({ imageSize: 640 });
    },

    convert({ to }) {
        return open.document.convert(to);
    },

    /** Compares the open document with a newer file. */
    compare({ path }) {
        const newer = read(path);
        try {
            const { equal, same_bytes, text } = open.document.diff(newer);
            return { equal, sameBytes: same_bytes, text };
        } finally {
            newer.free();
        }
    },
};

/** Returns the levels in an archive, by the extensions of their paths. */
function levelsIn(path, bytes, known) {
    try {
        const archive = archives.get(path) ?? new Archive(bytes);
        archives.set(path, archive);
        const drawn = known.filter((format) => format.drawn && !format.image);
        return archive.paths().flatMap((inner) => {
            const format = drawn.find((format) => format.extensions.some((end) => inner.toLowerCase().endsWith(`.${end}`)));
            return format ? [{ path: `${path}/${inner}`, format: format.name, foreign: null }] : [];
        });
    } catch {
        // Opening the archive itself reports the problem.
        return [];
    }
}

function read(path) {
    const archive = [...archives].find(([archive]) => path.startsWith(`${archive}/`));
    if (archive) {
        const inner = path.slice(archive[0].length + 1);
        return new Document(archive[1].read(inner), { name: inner, files });
    }
    return new Document(files.get(path), { name: path, files });
}

function close() {
    open?.document.free();
    open = null;
}

addEventListener("message", async ({ data: { id, task, argument } }) => {
    try {
        await ready;
        const result = tasks[task](argument);
        const buffers = [result.data, ...(result.sideFiles ?? []).map((file) => file.data)].filter(Boolean);
        postMessage({ id, result }, buffers.map((bytes) => bytes.buffer));
    } catch (error) {
        const { message, category, help } = error;
        // A module that trapped cannot be used again.
        postMessage({ id, error: { message, category, help, isCrash: error instanceof WebAssembly.RuntimeError } });
    }
});

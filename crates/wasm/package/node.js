// Node: the module is read from disk.
import { readFileSync } from "node:fs";
import { initSync } from "./module/mapwright.js";

initSync({ module: readFileSync(new URL("./module/mapwright_bg.wasm", import.meta.url)) });

export { Archive, Document, detect, formats, version } from "./module/mapwright.js";

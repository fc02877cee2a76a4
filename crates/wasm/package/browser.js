// Browsers and bundlers: the module is fetched from its place beside this file.
import init from "./module/mapwright.js";

await init();

export { Archive, Document, detect, formats, version } from "./module/mapwright.js";

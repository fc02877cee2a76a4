export { Archive, Document, detect, formats, version } from "./module/mapwright.js";
export type {
    Conversion, ConvertOptions, Detection, Diff, EditOptions, Edited, Files, Finding, FormatInfo, FormatName, Info, Loss,
    MapwrightError, Merge, OpenOptions, PageOptions, QueryOptions,
} from "./module/mapwright.js";

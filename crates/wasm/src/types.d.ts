/** The short names of formats, as on the command line. */
export type FormatName =
    | "wings" | "vmap" | "dmx" | "kv2" | "wwd" | "wmp" | "wrp" | "rez" | "etf" | "glb" | "gltf" | "obj" | "map" | "vmf"
    | "tmx" | "tmj" | "asc" | "tif" | "heightpng" | "xyz" | "bil" | "flt" | "r16" | "r32" | "cellpng";

/** Every error that this package throws. `message` states the problem. */
export interface MapwrightError extends Error {
    name: "MapwrightError";
    /** `usage` for arguments that cannot be used; the others are those of the command. */
    category: "truncated" | "malformed" | "unsupported" | "limit" | "io" | "usage";
    /** The place in the file. */
    place?: { text: string; offset?: number; line?: number; column?: number };
    /** The part of the document. */
    path?: string;
    /** The file, if it is not the document but one that it names. */
    file?: string;
    /** The next step. */
    help?: string;
}

/** Files by their paths, relative to the folder of the game or the project. A REZ archive is read as the files in it. */
export type Files = Map<string, Uint8Array> | Record<string, Uint8Array>;

export interface OpenOptions {
    /** The path of the file below the folder of `files`, or its name. */
    name?: string;
    /** Default: detected. */
    format?: FormatName;
    /** Files that the document may refer to: textures, models, material libraries, archives of games. */
    files?: Files;
}

export interface Detection {
    format: FormatName | null;
    /** `true` if the content has the signature of the format. */
    certain: boolean;
    /** A contradiction between content and name. */
    warning: string | null;
    /** A format that is recognised, but not read. */
    foreign: { name: string; nextStep: string } | null;
}

export interface FormatInfo {
    name: FormatName;
    title: string;
    extensions: string[];
    /** Files are written back byte for byte. */
    lossless: boolean;
    /** Files can be converted to a scene. */
    import: boolean;
    /** Files can be created from a scene. */
    export: boolean;
    /** `Document.page` draws files. */
    drawn: boolean;
    /** Files are images, few of which are heightmaps. */
    image: boolean;
    /** The axes and the unit of coordinates, as text. */
    axes: string | null;
    /** The formats that files can be converted to, and the content that each cannot store. */
    convertsTo: { format: FormatName; lost: string[] }[];
}

/** A summary: the sections depend on the format. The JSON Schema of `mapwright info --json` describes them. */
export interface Info {
    format: FormatName;
    title: string;
    axes: string | null;
    metres_per_unit: number | null;
    problem?: string;
    findings: { errors: number; warnings: number; notes: number };
    [section: string]: unknown;
}

export interface Finding {
    severity: "error" | "warning" | "note";
    code: string;
    message: string;
    count: number;
    path: string;
    at: string | null;
}

export interface QueryOptions {
    /** Names of the fields of the results. Default: all. */
    fields?: string[];
}

export interface EditOptions {
    /** A query that matches nothing is not an error. */
    allowNoMatch?: boolean;
    /** Adds keys that an object lacks, in formats with free keys. */
    createFields?: boolean;
}

export interface Edited {
    edit: string;
    /** The report: `3 of 5 objects changed`. */
    text: string;
    /** The number of objects that matched, if the edit has a query. */
    matched: number | null;
    changed: number;
    losses: Loss[];
}

/** The comparison of two files, as `mapwright diff --json` prints it. The differences have a key that depends on the format. */
export interface Diff {
    format: FormatName;
    /** The content is equal. */
    equal: boolean;
    same_bytes: boolean;
    /** The first difference of the bytes, in formats without a comparison of content. */
    first?: { at: string; path: string };
    /** The comparison as text. */
    text: string;
    [differences: string]: unknown;
}

export interface Merge {
    document: Document;
    conflicts: { kind: "field" | "place" | "removed"; field: string; base: string; ours: string; theirs: string }[];
}

export interface Loss {
    kind: "dropped" | "approximated" | "synthesized" | "repaired" | "preserved";
    /** The path of the first occurrence in the source. */
    path: string;
    text: string;
}

export interface ConvertOptions {
    /** The name of the result without its extension; files beside it are named after it. Default: that of the document. */
    stem?: string;
    /** Factor for all lengths. */
    scale?: number;
    /** The axis that points up. Default: that of the format. */
    sourceUp?: "y" | "z";
    targetUp?: "y" | "z";
    /** Converts only objects that match one of these queries or have one of these names. */
    only?: string[];
    /** Leaves out objects that match one of these queries or have one of these names. */
    exclude?: string[];
    /** Also converts hidden objects to formats that cannot hide them. */
    hidden?: boolean;
    /** Gamestudio maps: also converts faces that its programs do not draw. */
    keepHiddenFaces?: boolean;
    /** Accepts a result that shows nothing of the source. */
    allowEmpty?: boolean;
    triangulate?: boolean;
    /** Inverts the green channel of normal maps of Source 2. */
    flipGreen?: boolean;
    /** Writes placeholder boxes of models to glTF as meshes. */
    bakeBoxes?: boolean;
    /** The version of a new Source 2 map, 18 to 40. */
    mapFormat?: number;
    /** The texture format of Quake maps. */
    projection?: "standard" | "valve220";
    /** The variant of a new terrain. */
    variant?: "4wvr" | "8wvr";
    /** The dialect of a new Gamestudio map. */
    dialect?: string;
    /** Resamples a terrain to this number of heights per side. */
    size?: number;
    /** Cuts this number of heights per side out of a terrain. */
    crop?: number;
}

export interface Conversion {
    data: Uint8Array;
    /** Files beside it, such as textures. */
    sideFiles: { name: string; data: Uint8Array }[];
    /** Everything that the target cannot store, or stores differently. */
    losses: Loss[];
    /** The number of losses that are not only stored differently. 0 for a lossless conversion. */
    lost: number;
    /** The content of the source by kind. */
    source: Record<string, number>;
    /** The paths of the files that were read for the conversion. */
    filesRead: string[];
}

export interface PageOptions {
    /**
     * The longer side in pixels of the image that is shown without WebGL. Drawing it takes most of the time. Default: 1600. Levels of
     * tiles have no 3D view: their image always has up to 4096.
     */
    imageSize?: number;
    /** Also draws what the game hides. */
    hidden?: boolean;
    /** Also draws faces that games do not draw. */
    tools?: boolean;
}

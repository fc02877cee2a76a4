//! Formats that this project does not read, so that messages can name them and the next step.

use std::path::Path;

/// A file format that is recognised, but neither read nor written.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[non_exhaustive]
pub struct ForeignFormat {
    /// The name of the format, such as `FBX scene`.
    pub name: &'static str,
    /// The usual extensions in lower case.
    pub extensions: &'static [&'static str],
    /// The next step for users who have such a file, without a full stop.
    pub next_step: &'static str,
    /// The next step for users who want such a file, if a command or a format leads to it.
    pub output_step: Option<&'static str>,
    signatures: &'static [&'static [u8]],
}

impl ForeignFormat {
    /// Recognises a file by its first bytes or, if no signature fits, by the extension of its path. Of a container, such as a ZIP archive,
    /// the extension may name a more exact format.
    ///
    /// ```
    /// use mapwright::ForeignFormat;
    ///
    /// let format = ForeignFormat::detect(b"PK\x03\x04", None).unwrap();
    /// assert_eq!((format.name, format.next_step), ("ZIP archive", "unpack it first"));
    /// ```
    pub fn detect(prefix: &[u8], path: Option<&Path>) -> Option<&'static Self> {
        let named = || path.and_then(Self::from_path);
        let is_signed = |format: &&Self| format.signatures.iter().any(|signature| prefix.starts_with(signature));
        match FORMATS.iter().find(is_signed) {
            // Many formats are such containers, and their names say more.
            Some(container) if CONTAINERS.contains(&container.name) => named().or(Some(container)),
            Some(signed) => Some(signed),
            None => Self::from_content(prefix).or_else(named).or_else(|| {
                // The extension says more: all compiled resources begin alike.
                FORMATS
                    .iter()
                    .find(|format| is_compiled_resource(prefix) && format.name == "compiled Source 2 resource")
            }),
        }
    }

    /// Recognises formats by more than their first bytes.
    fn from_content(prefix: &[u8]) -> Option<&'static Self> {
        let contains = |word: &[u8]| prefix.windows(word.len()).any(|window| window == word);
        let name = match () {
            () if contains(b"<COLLADA") => "Collada scene",
            () if prefix.get(257..262) == Some(b"ustar") => "tar archive",
            () if contains(b"DXGI_FORMAT") || contains(b"\"Layer0\"") || contains(b"\nLayer0") => "Source 2 material",
            () if is_binary_stl(prefix) => "STL mesh",
            _ => return None,
        };
        FORMATS.iter().find(|format| format.name == name)
    }

    /// Returns the format that the extension of a path names.
    pub fn from_path(path: &Path) -> Option<&'static Self> {
        let extension = path.extension()?.to_str()?.to_ascii_lowercase();
        FORMATS.iter().find(|format| format.extensions.contains(&extension.as_str()))
    }
}

/// Returns `true` for a compiled resource of Source 2: header version 12, and a first block with a known name.
fn is_compiled_resource(prefix: &[u8]) -> bool {
    let blocks: [&[u8]; 4] = [b"RERL", b"REDI", b"RED2", b"DATA"];
    prefix.get(4..6) == Some(b"\x0c\0") && prefix.get(16..20).is_some_and(|name| blocks.contains(&name))
}

/// Returns `true` for binary STL: 80 bytes of text or zeros, the number of triangles, and a normal of at most unit length.
fn is_binary_stl(prefix: &[u8]) -> bool {
    let word = |at: usize| prefix.get(at..at + 4).and_then(|word| word.try_into().ok()).map(u32::from_le_bytes);
    let is_text = prefix.get(..80).is_some_and(|head| head.iter().all(|&byte| byte == 0 || (32..127).contains(&byte)));
    let normal = [84, 88, 92].map(|at| word(at).map_or(f32::NAN, f32::from_bits));
    let length: f32 = normal.iter().map(|axis| axis * axis).sum();
    is_text
        && word(80).is_some_and(|count| (1..1 << 28).contains(&count))
        && (length == 0.0 || (0.99..1.01).contains(&length))
}

const UNPACK: &str = "unpack it first";
const DECOMPILE: &str = "decompile it with Source 2 Viewer first";
const TO_GLTF: &str = "use Blender or another 3D program to convert it to glTF (.glb)";
const FROM_GLTF: &str = "write glTF (.glb), and use Blender or another 3D program to convert that";
const LIST_POINTS: &str = "list the objects of a terrain with `mapwright query --as geojson`";
const LIST_CSV: &str = "list objects with `mapwright query --as csv`";
const IMPORT_LIST: &str = "put its objects into a terrain with `mapwright edit TERRAIN 'objects import FILE'`";
const DUMP: &str = "print a document as JSON with `mapwright dump --json`";
const BUILD: &str = "rebuild the file that it was printed from with `mapwright build FILE -o OUTPUT`";
const NO_MODEL: &str = "use a tool for this game to convert the model to glTF (.glb)";
/// For files that are read as part of a level.
const CONTENT: &str = "convert or draw a level that uses it, with its folder as --content";
const NO_IMAGE: &str = "it contains an image; convert it to PNG if it is a heightmap";
const TO_PNG: &str = "draw a file with `mapwright render FILE -o OUTPUT.png`";

/// The names of formats that contain files of others.
const CONTAINERS: [&str; 3] = ["ZIP archive", "gzip file", "Zstandard file"];

const fn foreign(
    name: &'static str,
    extensions: &'static [&'static str],
    signatures: &'static [&'static [u8]],
    next_step: &'static str,
) -> ForeignFormat {
    ForeignFormat { name, extensions, next_step, output_step: None, signatures }
}

impl ForeignFormat {
    const fn with_output(mut self, step: &'static str) -> Self {
        self.output_step = Some(step);
        self
    }
}

/// Sources of the signatures: the file formats' own documentation, and the magic database of `file`.
const FORMATS: &[ForeignFormat] = &[
    foreign("ZIP archive", &["zip"], &[b"PK\x03\x04", b"PK\x05\x06"], UNPACK)
        .with_output("write the files, and pack them with an archive program"),
    foreign("gzip file", &["gz", "tgz"], &[b"\x1f\x8b"], UNPACK),
    foreign("7-Zip archive", &["7z"], &[b"7z\xbc\xaf\x27\x1c"], UNPACK),
    foreign("RAR archive", &["rar"], &[b"Rar!\x1a\x07"], UNPACK),
    foreign("Zstandard file", &["zst"], &[b"\x28\xb5\x2f\xfd"], UNPACK),
    foreign("xz file", &["xz"], &[b"\xfd7zXZ\0"], UNPACK),
    foreign(
        "PBO archive",
        &["pbo"],
        &[b"\0sreV"],
        "unpack it first, for example with PBO Manager; it may contain a terrain",
    ),
    foreign("Valve archive", &["vpk"], &[b"\x34\x12\xaa\x55"], "unpack it first, for example with Source 2 Viewer"),
    foreign("Quake archive", &["pak"], &[b"PACK"], UNPACK),
    foreign("WAD of Doom", &[], &[b"IWAD", b"PWAD"], "unpack it first, for example with SLADE"),
    foreign(
        "texture archive (WAD)",
        &["wad"],
        &[b"WAD2", b"WAD3", b"WAD7"],
        "convert a map that uses its textures with `mapwright convert MAP OUTPUT --content FOLDER`, where FOLDER contains this archive",
    ),
    foreign(
        "compiled Quake or Source map",
        &["bsp"],
        &[b"IBSP", b"VBSP", b"BSP2", b"\x1d\0\0\0", b"\x1e\0\0\0"],
        "use the source of the map: .map for Quake; decompile maps of Source 1 to .vmf",
    )
    .with_output("write a Quake map (.map), and compile it for the game"),
    foreign("compiled Source 2 map", &["vmap_c"], &[], DECOMPILE),
    foreign("compiled Source 2 resource", &[], &[], DECOMPILE),
    foreign("compiled Source 2 model", &["vmdl_c"], &[], DECOMPILE),
    foreign("compiled Source 2 texture", &["vtex_c"], &[], DECOMPILE),
    foreign("compiled Source 2 material", &["vmat_c"], &[], DECOMPILE),
    foreign("Source 2 material", &["vmat"], &[], CONTENT),
    foreign("Source 2 model", &["vmdl"], &[], CONTENT),
    foreign("compiled Gamestudio map", &["wmb"], &[b"WMB"], "use the source of the map (.wmp)")
        .with_output("write a Gamestudio map (.wmp), and build it in WED"),
    foreign("Gamestudio terrain (MDL/HMP)", &["hmp"], &[b"HMP4", b"HMP5", b"HMP7"], CONTENT),
    foreign("Quake 2 model", &["md2"], &[b"IDP2"], NO_MODEL),
    foreign("DirectX model", &["x"], &[b"xof 0"], TO_GLTF),
    foreign("Terragen terrain", &["ter"], &[b"TERRAGENTERRAIN "], "convert it with `gdal_translate FILE heights.tif`"),
    foreign("Word document", &["docx", "doc"], &[], "save tables of objects as CSV").with_output(LIST_CSV),
    foreign("Gamestudio model", &["mdl"], &[b"MDL2", b"MDL3", b"MDL4", b"MDL5", b"MDL7"], CONTENT),
    foreign("Half-Life model", &[], &[b"IDST", b"IDSQ"], NO_MODEL),
    foreign("Quake model", &[], &[b"IDPO"], NO_MODEL),
    foreign("Arma model", &["p3d"], &[b"ODOL", b"MLOD", b"SP3D", b"SP3X"], NO_MODEL)
        .with_output("write OBJ (.obj), and import it into Object Builder or Blender"),
    foreign("Blender file", &["blend"], &[b"BLENDER"], "export it from Blender as glTF (.glb)").with_output(FROM_GLTF),
    foreign("FBX scene", &["fbx"], &[b"Kaydara FBX Binary", b"; FBX"], TO_GLTF).with_output(FROM_GLTF),
    foreign("Collada scene", &["dae"], &[], TO_GLTF).with_output(FROM_GLTF),
    foreign("3D Studio scene", &["3ds"], &[b"MM"], TO_GLTF).with_output(FROM_GLTF),
    foreign("3ds Max scene", &["max"], &[], TO_GLTF).with_output(FROM_GLTF),
    foreign("STL mesh", &["stl"], &[b"solid "], TO_GLTF).with_output(FROM_GLTF),
    foreign("PLY mesh", &["ply"], &[b"ply\n", b"ply\r\n"], TO_GLTF).with_output(FROM_GLTF),
    foreign("X3D scene", &["x3d", "wrl"], &[b"#VRML"], TO_GLTF).with_output(FROM_GLTF),
    foreign("USD scene", &["usd", "usda", "usdc", "usdz"], &[b"#usda", b"PXR-USDC"], TO_GLTF).with_output(FROM_GLTF),
    foreign("Excel workbook", &["xlsx", "xls"], &[], "save it as CSV").with_output(LIST_CSV),
    foreign("tar archive", &["tar"], &[], UNPACK),
    foreign("bzip2 file", &["bz2"], &[b"BZh"], UNPACK),
    foreign("Wavefront material library", &["mtl"], &[], "pass the .obj file that names it"),
    foreign("Terrain Builder library", &["tml"], &[b"<Library"], "pass it to `query --centres`, with the terrain"),
    foreign("JPEG image", &["jpg", "jpeg"], &[b"\xff\xd8\xff"], NO_IMAGE).with_output(TO_PNG),
    foreign("BMP image", &["bmp"], &[], NO_IMAGE).with_output(TO_PNG),
    foreign("TGA image", &["tga"], &[], NO_IMAGE).with_output(TO_PNG),
    foreign("DDS texture", &["dds"], &[b"DDS "], NO_IMAGE),
    foreign("Arma texture", &["paa", "pac"], &[], NO_IMAGE),
    foreign("image of Claw or Gruntz", &["pid"], &[], CONTENT),
    foreign("PCX image", &["pcx"], &[], CONTENT),
    foreign(
        "SRTM heightmap in degrees",
        &["hgt"],
        &[],
        "convert it to metres with `gdalwarp -t_srs EPSG:32633 -r bilinear FILE heights.tif`; for UTM zone NN replace 32633 with 326NN (north) or 327NN (south)",
    ),
    // Most files with this extension are photographs.
    foreign("raw file", &["raw"], &[], "if it contains heights of 16 bits, read it as r16 (`--from r16`)")
        .with_output("write heights of 16 bits as .r16, and rename the file"),
    foreign("Worldcraft map", &["rmf"], &[b"\xcd\xcc\x0c\x40RMF"], "open it in Hammer and save it as .map"),
    foreign("GeoJSON file", &["geojson"], &[], IMPORT_LIST).with_output(LIST_POINTS),
    foreign("CSV table", &["csv"], &[], IMPORT_LIST).with_output(LIST_CSV),
    foreign("JSON file", &["json"], &[], BUILD).with_output(DUMP),
];

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn signatures_decide_before_extensions() {
        let name = |prefix: &[u8], path: &str| Some(ForeignFormat::detect(prefix, Some(path.as_ref()))?.name);
        assert_eq!(name(b"PK\x03\x04", "a.bin"), Some("ZIP archive"));
        assert_eq!(name(b"PK\x03\x04", "a.usdz"), Some("USD scene"));
        assert_eq!(name(b"\x28\xb5\x2f\xfd", "a.blend"), Some("Blender file"));
        assert_eq!(name(b"<?xml version=\"1.0\"?>\n<COLLADA>", "scene"), Some("Collada scene"));
        assert_eq!(name(b"IDST", "a.mdl"), Some("Half-Life model"));
        assert_eq!(name(b"", "a.FBX"), Some("FBX scene"));
        assert_eq!(name(b"\0sreV\0", "addon"), Some("PBO archive"));
        for magic in [b"WAD2", b"WAD3", b"WAD7"] {
            assert_eq!(name(magic, "textures.bin"), Some("texture archive (WAD)"));
        }
        assert_eq!(name(b"PWAD", "a.wad"), Some("WAD of Doom"));
        let mut stl = vec![0; 80];
        stl.extend([12, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0x80, 0x3f]);
        assert_eq!(name(&stl, "mesh"), Some("STL mesh"));
        stl[80] = 0;
        assert_eq!(name(&stl, "mesh"), None);
        let mut tar = vec![b'a'; 257];
        tar.extend(b"ustar\0");
        assert_eq!(name(&tar, "files"), Some("tar archive"));
        assert_eq!(name(b"// THIS FILE IS AUTO-GENERATED\n\nLayer0\n{", "wall"), Some("Source 2 material"));
        let compiled = b"\0\x10\0\0\x0c\0\0\0\x08\0\0\0\x05\0\0\0RERL";
        assert_eq!(name(compiled, "wall"), Some("compiled Source 2 resource"));
        assert_eq!(name(compiled, "wall.vmap_c"), Some("compiled Source 2 map"));
        for (path, expected) in [
            ("a.hmp", "Gamestudio terrain (MDL/HMP)"),
            ("a.md2", "Quake 2 model"),
            ("a.x", "DirectX model"),
            ("a.ter", "Terragen terrain"),
            ("a.docx", "Word document"),
        ] {
            assert_eq!(name(b"", path), Some(expected));
        }
        for path in ["b.bsp", "b.zip", "b.p3d", "b.wmb"] {
            assert!(ForeignFormat::from_path(path.as_ref()).unwrap().output_step.is_some(), "{path}");
        }
        assert_eq!(name(b"text", "a.txt"), None);
        assert_eq!(ForeignFormat::detect(b"text", None), None);
    }

    #[test]
    fn no_foreign_format_is_a_supported_one() {
        for format in crate::Format::ALL {
            for extension in format.info().extensions {
                let path = format!("a.{extension}");
                assert_eq!(ForeignFormat::from_path(path.as_ref()), None, "{path}");
            }
        }
    }

    #[test]
    fn every_extension_names_one_format() {
        let all: Vec<&str> = FORMATS.iter().flat_map(|format| format.extensions).copied().collect();
        let unique: std::collections::HashSet<&str> = all.iter().copied().collect();
        assert_eq!(unique.len(), all.len());
    }
}

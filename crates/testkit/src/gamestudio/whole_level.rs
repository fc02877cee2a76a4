//! A level with all files that it refers to.

use std::fmt::Write as _;
use std::path::Path;
use std::{fs, io};

use super::{VERSIONS, archive, bmp, dds, grid, palette, pcx, texture, tga, wmb7};

/// The number of models and terrains.
const MODELS: u32 = 160;

/// A level with the files that it refers to, and the expected result for each.
#[derive(Debug, Clone, Default)]
pub struct MadeLevel {
    /// The path of each file below the folder, and its bytes. The level is `level.wmp`.
    pub files: Vec<(String, Vec<u8>)>,
    /// Models and terrains that the level names.
    pub models: Vec<String>,
    /// External skins, each once.
    pub skins: Vec<String>,
    /// Number of skins in the files of models.
    pub own_skins: usize,
    /// Sprites that the level names.
    pub sprites: Vec<String>,
    /// Map entities that the level names.
    pub maps: Vec<String>,
    /// Textures of blocks.
    pub textures: Vec<String>,
    /// Files that the level names, but that do not exist.
    pub missing: Vec<String>,
    /// Files that the level names, and that end early.
    pub damaged: Vec<String>,
}

impl MadeLevel {
    /// Writes all files below a folder.
    ///
    /// # Errors
    /// Errors of writing.
    pub fn write(&self, folder: &Path) -> io::Result<()> {
        for (path, bytes) in &self.files {
            let path = folder.join(path);
            fs::create_dir_all(path.parent().unwrap_or(folder))?;
            fs::write(path, bytes)?;
        }
        Ok(())
    }

    fn add(&mut self, path: &str, bytes: Vec<u8>) {
        self.files.push((path.to_owned(), bytes));
    }
}

/// Returns a level with 160 models and terrains of all versions, external skins, sprites, map entities, and three texture archives. Models
/// have `side` × `side` vertices; skins, sprites and textures have `texels` × `texels` pixels.
///
/// # Panics
/// As [`grid`] does.
pub fn made_level(side: u16, texels: u16) -> MadeLevel {
    let size = [texels; 2];
    let mut level = MadeLevel::default();
    for number in 0..MODELS {
        let version = VERSIONS[number as usize % VERSIONS.len()];
        let has_external = matches!(version, "MDL7" | "HMP5" | "HMP7");
        // Two models have one skin.
        let kind = ["tga", "pcx", "bmp", "dds"][number as usize / 18 % 4];
        let skin = format!("skin{}-{version}.{kind}", number / 18);
        if !has_external {
            level.own_skins += 1;
        } else if !level.skins.contains(&skin) {
            let image = match kind {
                "tga" => tga(size),
                "pcx" => pcx(size, 3),
                "bmp" => bmp(size),
                _ => dds(size),
            };
            // Names in models are found in any case.
            level.add(&format!("models/{}", skin.to_uppercase()), image);
            level.skins.push(skin.clone());
        }
        let name = format!("m{number}.{}", if version.starts_with("HMP") { "hmp" } else { "mdl" });
        level.add(&format!("models/{name}"), grid(version, side, texels, &skin));
        level.models.push(name);
    }
    let sprites =
        [("fire.tga", tga(size)), ("smoke.pcx", pcx(size, 1)), ("leaf.bmp", bmp(size)), ("glow.dds", dds(size))];
    for (name, image) in sprites.into_iter().chain([("blast+4.tga", tga(size))]) {
        level.add(name, image);
        level.sprites.push(name.to_owned());
    }
    level.add("house.wmp", map(&["stone"], &[]));
    level.add("hut.wmb", wmb7());
    level.maps = ["house.wmb", "hut.wmb"].map(str::to_owned).to_vec();
    add_textures(&mut level, texels);
    level.missing = ["gone.mdl", "d:\\work\\gone.tga", "gone.wmb"].map(str::to_owned).to_vec();
    for version in ["MDL3", "MDL7"] {
        let file = grid(version, side, texels, "gone.tga");
        let name = format!("cut-{version}.mdl");
        level.add(&name, file[..file.len() - 20].to_vec());
        level.damaged.push(name);
    }
    let textures: Vec<&str> = level.textures.iter().map(String::as_str).collect();
    let lists = [&level.models, &level.sprites, &level.maps, &level.missing, &level.damaged];
    let models: Vec<&str> = lists.into_iter().flatten().map(String::as_str).collect();
    let text = map(&textures, &models);
    level.add("level.wmp", text);
    level
}

/// Adds three archives and an image with textures of blocks.
fn add_textures(level: &mut MadeLevel, texels: u16) {
    let side = u32::from(texels);
    let pixels = usize::from(texels) * usize::from(texels);
    let offsets = [0, 1, 5, 21].map(|quarters| 40 + side * side * quarters / 16);
    let mipmapped =
        |bytes: usize| -> Vec<u8> { (0..bytes * pixels * 85 / 64).map(|at| (at / 3).to_le_bytes()[0]).collect() };
    let indexed = |name: &str| texture(name, [side; 2], offsets, &mipmapped(1));
    let high = texture("stone", [side; 2], [40, 0, 0, 0], &mipmapped(2));
    let wad2 = archive("WAD2", &[(0x54, "stone", high), (0x44, "old", indexed("old"))]);
    let own = [indexed("fence"), vec![0, 1], palette()].concat();
    let wad3 = archive("WAD3", &[(0x43, "fence", own)]);
    let direct = |name: &str, format: u32, bytes: usize| texture(name, [side; 2], [format, 0, 0, 0], &mipmapped(bytes));
    let entries =
        [(0x40, "P", palette()), (0x0a, "metal", direct("metal", 10, 2)), (0x08, "water", direct("water", 8, 1))];
    let wad7 = archive("WAD7", &entries);
    for (path, bytes) in [("base.wad", wad2), ("wads/more.wad", wad3), ("wads/NEW.WAD", wad7)] {
        level.add(path, bytes);
    }
    level.add("textures/brick_blue01_long.tga", tga([texels; 2]));
    level.textures = ["stone", "old", "fence", "metal", "water", "brick_blue01_lo"].map(str::to_owned).to_vec();
}

/// Returns a map of version 710 with a box for each texture, and an entity for each file.
pub fn map(textures: &[&str], files: &[&str]) -> Vec<u8> {
    let mut text = String::new();
    let mut line = |line: &str| _ = write!(text, "{line}\r\n");
    line("// WMP2\r\nversion 710\r\n");
    line(&format!("blocks {}", textures.len()));
    line(&format!("entities {}", files.len() + 1));
    line(&format!("objects {}\r\n", textures.len() + files.len() + 1));
    line("wed {\r\n\twad {\r\n\t\t0 0 0 0 0");
    for wad in ["d:\\game\\base.wad", "d:\\game\\more.wad", "new.wad"] {
        line(&format!("\t\t<{wad}> 1"));
    }
    line("\t}\r\n}\r\n");
    for (number, texture) in textures.iter().enumerate() {
        line(&format!("block {number} {{\r\n\tvertices 8\r\n\tfaces 6"));
        line("\t0 0 0  32 0 0  0 32 0  32 32 0  0 0 32  32 0 32  0 32 32  32 32 32");
        let faces = [("1 5 7 3", 0), ("0 2 6 4", 0), ("2 3 7 6", 1), ("0 4 5 1", 1), ("4 6 7 5", 2), ("0 1 3 2", 2)];
        for (corners, axis) in faces {
            let vectors = ["( 0 1 0 0 ) ( 0 0 -1 0 )", "( 1 0 0 0 ) ( 0 0 -1 0 )", "( 1 0 0 0 ) ( 0 -1 0 0 )"][axis];
            line(&format!("\t4  {corners} : {texture} {vectors} 0 0 0 1 1 : 0000 0 50 ndef"));
        }
        line("\t{\r\n\t\t0000\r\n\t\tndef\r\n\t\t0\r\n\t}\r\n}\r\n");
    }
    line("level 0 {\r\n\t<level.$$w>\r\n\t<>\r\n\t30\r\n\t45\r\n\t35\r\n\t<>");
    line(&"\t0 0 0\r\n".repeat(6));
    line("}\r\n");
    for (number, file) in files.iter().enumerate() {
        let number = number + 1;
        line(&format!("model {number} {{\r\n\t1 1 1\r\n\t<{file}>\r\n\tentity{number}\r\n\tndef\r\n\t0 0 0 0 0 0 0 0"));
        line("\t0000\r\n\t0\r\n\t50\r\n\tndef\r\n\tndef\r\n}\r\n");
    }
    let members: Vec<String> = (1..=textures.len() + files.len()).map(|number| number.to_string()).collect();
    line("object 0 {\r\n\t(0 0 0) (0 0 0) (1 1 1)\r\n\tlevel 0");
    line(&format!("\tobject {}\r\n}}\r\n", members.join(", ")));
    let blocks = (0..textures.len()).map(|number| format!("block {number}"));
    let models = (1..=files.len()).map(|number| format!("model {number}"));
    for (index, member) in blocks.chain(models).enumerate() {
        let (x, y) = (300 * (index % 16), 300 * (index / 16));
        line(&format!("object {} {{\r\n\t({x} {y} 0) (0 0 0) (1 1 1)\r\n\t{member}\r\n}}\r\n", index + 1));
    }
    text.into_bytes()
}

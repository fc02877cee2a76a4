//! Files that levels of 3D Gamestudio refer to.

mod textures;

use mapwright_acknex::scene::{
    ImportOptions, Transparency, level_to_scene, model_to_scene, sprite_to_scene, terrain_to_scene,
};
use mapwright_acknex::{Model, Palette, ReadOptions, Skin, Sprite, Terrain, Wmb, model, terrain, wmb};
use mapwright_io::{Confidence, Limits};
use mapwright_scene::{AlphaMode, Content, Image, ImageSource, Import, Losses, Material, Node, NodeId, Scene, Value};
use mapwright_wmp::scene::{AXES, to_scene};

use super::cache::BEYOND_LIMIT;
use super::loader::{LoadContext, Loader, Request, TextureContext, find_by_name};
use crate::images::{self, to_pixels};
use crate::report::ResolveReport;
use crate::{ContentFile, ContentSource};

/// Flag of entities: their model is loaded, but not drawn.
const INVISIBLE: i64 = 1 << 8;
/// Flag of entities: their model is blended with the background.
const TRANSLUCENT: i64 = 1 << 10;
/// Flag of entities: black pixels are holes.
const OVERLAY: i64 = 1 << 12;
/// Flag of entities: their sprite is fixed in the world and visible only from the front.
const DECAL: i64 = 1 << 22;

/// The bits of a variant: OVERLAY, TRANSLUCENT, a sprite that is fixed in the world, and DECAL.
const VARIANT_OVERLAY: u32 = 1;
const VARIANT_TRANSLUCENT: u32 = 2;
const VARIANT_FIXED: u32 = 4;
const VARIANT_DECAL: u32 = 8;

/// Finds and decodes the files of a level of 3D Gamestudio: models (MDL), terrains (HMP), sprites, and map entities, whose map (`.wmp`)
/// takes precedence over the compiled level (`.wmb`).
///
/// Files are found by their path or name in the first root, which should be the folder of the level, then in the other roots.
///
/// Textures of blocks are taken from the compiled level with the name of the level, from its archives, and from images with the name of
/// the texture, of which levels store only 15 characters. Images with 8 bits per pixel have the palette of the level.
#[derive(Debug, Clone)]
pub struct Gamestudio {
    palette: Palette,
    /// File names of the texture archives of the level, in order.
    wads: Vec<String>,
    /// Names of the folders with textures of the level, in lower case.
    folders: Vec<String>,
    /// The path of the level in the first root.
    level: Option<String>,
}

impl Gamestudio {
    /// Creates the loader for a level. `level` is the path of the level in the first root of the content, if it is there.
    pub fn new(scene: &Scene, level: Option<String>) -> Self {
        let names = |key: &str| match scene.properties.get(key) {
            Some(Value::List(paths)) => paths.iter().filter_map(|path| last_name(path.as_text()?)).collect(),
            _ => Vec::new(),
        };
        let palette = match scene.properties.get("palette") {
            Some(Value::Bytes(colors)) => Palette::from_rgb(colors),
            _ => Palette::quake(),
        };
        let folders: Vec<String> = names("folders");
        let folders = folders.iter().map(|folder| folder.to_ascii_lowercase()).collect();
        Self { palette, wads: names("wads"), folders, level }
    }

    fn import_options(&self, context: &LoadContext<'_>) -> ImportOptions {
        let transparency = match context.variant {
            variant if variant & VARIANT_TRANSLUCENT != 0 => Transparency::Translucent,
            variant if variant & VARIANT_OVERLAY != 0 => Transparency::Overlay,
            _ => Transparency::FromImage,
        };
        let name = context.file.path().rsplit('/').next().unwrap_or_default();
        let options = ImportOptions::default().with_name(name).with_palette(Some(self.palette.clone()));
        options.with_transparency(transparency)
    }

    fn load_sprite(&self, bytes: &[u8], context: &LoadContext<'_>) -> Result<Import, String> {
        let mut losses = Losses::new();
        let mut image =
            images::decode(bytes, context.file.path(), Some(&self.palette), context.max_bytes, &mut losses)?;
        image.hide_black();
        let options = self.import_options(context);
        let sprite = Sprite::from_name(context.file.path().as_bytes(), image.size);
        let mut import = sprite_to_scene(&sprite, to_pixels(image), &options);
        losses.append(import.losses);
        import.losses = losses;
        if context.variant & VARIANT_FIXED != 0 {
            import.scene.nodes.iter_mut().for_each(|(_, node)| node.properties.set("sprite", "fixed"));
        }
        if context.variant & VARIANT_DECAL != 0 {
            import.scene.materials.iter_mut().for_each(|(_, material)| material.double_sided = false);
        }
        Ok(import)
    }

    /// Reads a map without its lights and start positions, which the engine ignores in map entities.
    fn load_map(&self, bytes: &[u8], context: &LoadContext<'_>) -> Result<Import, String> {
        let options = mapwright_wmp::ReadOptions::default().with_limits(limits(context));
        let map = mapwright_wmp::Document::from_bytes_with(bytes, &options).map_err(|error| error.to_string())?;
        let mut import = to_scene(&map, &Default::default()).map_err(|error| error.to_string())?;
        for (_, node) in import.scene.nodes.iter_mut() {
            if matches!(node.content, Content::Light(_) | Content::Marker) {
                *node = Node { children: std::mem::take(&mut node.children), ..Node::default() };
            }
        }
        let path = Some(context.file.path().to_owned());
        let own = Self::new(&import.scene, path);
        own.attach_compiled(&mut import.scene, context)?;
        Ok(import)
    }
}

impl Loader for Gamestudio {
    fn find<'a>(&self, request: &Request<'_>, content: &'a ContentSource) -> Option<ContentFile<'a>> {
        let found = find_by_name(request, content);
        let Some(stem) = strip_extension(request.path, "wmb") else { return found };
        match found {
            Some(file) => {
                let map = strip_extension(file.path(), "wmb")
                    .and_then(|stem| content.find_in_root(file.root(), &format!("{stem}.wmp")));
                map.or(Some(file))
            }
            None => find_by_name(&Request { path: &format!("{stem}.wmp"), ..*request }, content),
        }
    }

    fn variant(&self, scene: &Scene, node: NodeId) -> u32 {
        let Some(node) = scene.nodes.get(node) else { return 0 };
        let flags = entity_flags(scene, node);
        let transparency = match flags {
            flags if flags & TRANSLUCENT != 0 => VARIANT_TRANSLUCENT,
            flags if flags & OVERLAY != 0 => VARIANT_OVERLAY,
            _ => 0,
        };
        let path = match node.content {
            Content::Entity(id) => scene.entities.get(id).and_then(|entity| entity.model.as_deref()),
            _ => None,
        };
        let is_solid = |extension| path.is_some_and(|path| strip_extension(path, extension).is_some());
        if ["mdl", "hmp", "wmb", "wmp"].into_iter().any(is_solid) {
            return transparency;
        }
        // A sprite with a pan or tilt does not turn to the camera. Neither moves the X axis of the entity.
        let [x, y, z] = node.transform.vector(AXES.apply([1.0, 0.0, 0.0]));
        let length = (x * x + y * y + z * z).sqrt();
        let is_turned = length > 0.0 && x / length < 1.0 - 1e-6;
        let decal = if flags & DECAL != 0 { VARIANT_DECAL | VARIANT_FIXED } else { 0 };
        transparency | decal | if is_turned { VARIANT_FIXED } else { 0 }
    }

    fn is_shown(&self, scene: &Scene, node: NodeId) -> bool {
        scene.nodes.get(node).is_none_or(|node| entity_flags(scene, node) & INVISIBLE == 0)
    }

    fn fails_beyond_limit(&self) -> bool {
        true
    }

    fn load(&self, bytes: &[u8], context: &LoadContext<'_>) -> Result<Import, String> {
        let options = self.import_options(context);
        let reading = ReadOptions::default().with_limits(limits(context));
        let is = |confidence: Confidence| confidence != Confidence::No;
        if is(model::sniff(bytes)) {
            let model = Model::from_bytes_with(bytes, &reading).map_err(|error| error.to_string())?;
            check_size(
                model.groups.iter().map(|group| group.triangles.len()).sum(),
                model.skins.iter().filter_map(Skin::size),
                context,
            )?;
            return Ok(model_to_scene(&model, &options));
        }
        if is(terrain::sniff(bytes)) {
            let terrain = Terrain::from_bytes_with(bytes, &reading).map_err(|error| error.to_string())?;
            let [columns, rows] = terrain.size.map(|side| side as usize);
            let triangles = columns.saturating_mul(rows).saturating_mul(2);
            check_size(triangles, terrain.skins.iter().filter_map(Skin::size), context)?;
            return Ok(terrain_to_scene(&terrain, &options));
        }
        if is(wmb::sniff(bytes)) {
            let level = Wmb::from_bytes(bytes).map_err(|error| error.to_string())?;
            let corners = level.faces_with(&reading).map_err(|error| error.to_string())?.corners.len();
            check_size(corners, level.textures().map(|texture| texture.size), context)?;
            return level_to_scene(&level, &options).map_err(|error| error.to_string());
        }
        let path = context.file.path();
        if strip_extension(path, "wmp").is_some() || is(mapwright_wmp::sniff(bytes)) {
            return self.load_map(bytes, context);
        }
        if let Some(extension) = ["mdl", "hmp", "wmb"].iter().find(|it| strip_extension(path, it).is_some()) {
            return Err(if bytes.is_empty() {
                "the file is empty".to_owned()
            } else {
                format!("not {extension} data")
            });
        }
        self.load_sprite(bytes, context)
    }

    fn load_image(
        &self,
        bytes: Vec<u8>,
        context: &LoadContext<'_>,
        losses: &mut Losses,
    ) -> Result<ImageSource, String> {
        let mut image = images::decode(&bytes, context.file.path(), Some(&self.palette), context.max_bytes, losses)?;
        if context.variant & VARIANT_OVERLAY != 0 {
            image.hide_black();
        }
        Ok(to_pixels(image))
    }

    fn adapt_material(&self, material: &mut Material, image: &Image, variant: u32) {
        let ImageSource::Pixels(pixels) = &image.source else { return };
        material.texture_size.get_or_insert([pixels.width, pixels.height]);
        let follows_image = material.alpha == AlphaMode::Opaque && variant & VARIANT_TRANSLUCENT == 0;
        if follows_image && !is_opaque(&pixels.data) {
            material.alpha = AlphaMode::Mask(0.5);
        }
    }

    fn attach_textures(&self, scene: &mut Scene, context: &TextureContext<'_>, report: &mut ResolveReport) -> Losses {
        textures::attach(self, scene, context, report)
    }
}

/// Checks the memory that a scene with these triangles and images takes, before it is converted: terrains have no triangles in the file,
/// and the slots of a compiled level may all lead to one texture.
fn check_size(
    triangles: usize,
    images: impl Iterator<Item = [u32; 2]>,
    context: &LoadContext<'_>,
) -> Result<(), String> {
    /// Memory of a triangle in bytes, with the texture coordinates and normals of its corners.
    const TRIANGLE: usize = 192;
    let images = images.map(|size| size.map(|side| side as usize).into_iter().fold(4, usize::saturating_mul));
    let bytes = images.fold(triangles.saturating_mul(TRIANGLE), usize::saturating_add);
    if bytes > context.max_bytes { Err(BEYOND_LIMIT.to_owned()) } else { Ok(()) }
}

/// Returns the limits for reading a file.
fn limits(context: &LoadContext<'_>) -> Limits {
    // An item takes at least 16 bytes in a scene.
    let max_items = (context.max_bytes as u64) / 16;
    Limits::default().with_max_items(max_items)
}

fn entity_flags(scene: &Scene, node: &Node) -> i64 {
    let Content::Entity(id) = node.content else { return 0 };
    let flags = scene.entities.get(id).and_then(|entity| entity.properties.get("flags")?.as_int());
    flags.unwrap_or_default()
}

/// Returns `true` if all pixels with 4 channels are opaque.
fn is_opaque(rgba: &[u8]) -> bool {
    /// Number of bytes that are compared without a branch.
    const BLOCK: usize = 4096;
    let all_bits = |block: &[u8]| {
        let pixels = block.as_chunks().0.iter().map(|pixel| u32::from_le_bytes(*pixel));
        pixels.fold(u32::MAX, |all, pixel| all & pixel)
    };
    rgba.chunks(BLOCK).all(|block| all_bits(block).to_le_bytes().last() == Some(&u8::MAX))
}

/// Returns a path without its extension, if the extension is the given one in any case.
fn strip_extension<'a>(path: &'a str, extension: &str) -> Option<&'a str> {
    let (stem, own) = path.rsplit_once('.')?;
    own.eq_ignore_ascii_case(extension).then_some(stem)
}

/// Returns the last name of a path, or `None` if it is empty.
fn last_name(path: &str) -> Option<String> {
    let name = path.trim_end_matches(['/', '\\']).rsplit(['/', '\\']).next()?;
    (!name.is_empty()).then(|| name.to_owned())
}

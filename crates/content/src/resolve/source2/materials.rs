//! Materials: `.vmat`, and images that replace a missing one.

use std::collections::{BTreeSet, HashMap, HashSet};

use mapwright_io::Losses;
use mapwright_io::math;
use mapwright_keyvalues::Vmat;
use mapwright_keyvalues::vmat::{self, Input, Role, Source, UvTransform};
use mapwright_scene::{
    AlphaMode, ColorSpace, Image, ImageId, Material, MaterialId, Scene, TextureSlot, TextureUsage, UvOrigin, Wrap,
};

use super::super::cache::BEYOND_LIMIT;
use super::super::decode::decode_within;
use super::super::loader::TextureContext;
use super::images::{self, Decoded, ImageKey};
use crate::names::extension;
use crate::report::{Outcome, ReferenceKind, ResolveReport};
use crate::roots::relative_path;
use crate::textures::count_material_uses;
use crate::{ContentFile, ContentSource, path_key};

/// The roughness of materials without one. It is an assumption.
const DEFAULT_ROUGHNESS: f64 = 0.5;
/// Images that stand in for a `.vmat`: the path without extension, and these endings.
const STAND_INS: [&str; 4] = ["_color.png", "_color.tga", ".png", ".tga"];
/// The block with expressions that the game evaluates.
const DYNAMIC: &str = "DynamicParams";
/// Maximum number of names in a loss.
const MAX_NAMES: usize = 8;
/// Textures that scene materials have no place for.
const UNUSED: [(Role, &str); 5] = [
    (Role::SecondColor, "second layer"),
    (Role::TintMask, "tint mask"),
    (Role::Specular, "specular"),
    (Role::Detail, "detail"),
    (Role::CubeMap, "cube map"),
];

/// Gives the materials with the path of a `.vmat` their colours and textures. Materials with the same path become one.
///
/// `flips_green` inverts the green channel of normal maps.
pub(super) fn attach(
    scene: &mut Scene,
    context: &TextureContext<'_>,
    flips_green: bool,
    report: &mut ResolveReport,
) -> Losses {
    unite(scene);
    // The first of several materials with a name counts.
    let textured = scene.materials.iter().filter(|(_, material)| !material.textures.is_empty()).rev();
    let mut attacher = Attacher {
        context,
        flips_green,
        left: context.max_bytes,
        textured: textured.map(|(id, material)| (material.name.to_ascii_lowercase(), id)).collect(),
        images: HashMap::new(),
        references: HashMap::new(),
        losses: Losses::new(),
        report,
    };
    let uses = count_material_uses(scene);
    let materials: Vec<(MaterialId, String)> = scene
        .materials
        .iter()
        .filter(|(_, material)| material.textures.is_empty() && !material.is_tool)
        .filter_map(|(id, material)| Some((id, material.reference.clone().filter(|path| is_material(path))?)))
        .collect();
    let mut looks: Vec<(MaterialId, Look)> = Vec::new();
    for (id, path) in materials {
        let uses = uses.get(id.index()).copied().unwrap_or_default().max(1);
        let (look, outcome) = attacher.look(scene, id, &path);
        attacher.report.add_uses(ReferenceKind::Material, &path, outcome, uses);
        looks.extend(look.map(|look| (id, look)));
    }
    attacher.load_images(scene, looks.iter().flat_map(|(_, look)| look.images()));
    let mut transforms = HashMap::new();
    for (id, look) in &looks {
        if look.uv != UvTransform::IDENTITY {
            transforms.insert(*id, look.uv);
        }
        attacher.apply(scene, *id, look);
    }
    transform_uvs(scene, &transforms);
    attacher.losses
}

/// The appearance that a `.vmat` describes, with images that are not decoded yet.
struct Look {
    name: String,
    base: Channel,
    tint: [f64; 3],
    opacity: f64,
    metallic: Channel,
    roughness: Channel,
    emission: Channel,
    emission_tint: [f64; 3],
    /// Normals, occlusion and heights.
    others: Vec<(TextureUsage, ImageKey)>,
    alpha: AlphaMode,
    double_sided: bool,
    uv: UvTransform,
}

/// A colour or number, or an image.
enum Channel {
    Constant([f64; 4]),
    Image(ImageKey),
}

impl Look {
    fn images(&self) -> impl Iterator<Item = &ImageKey> {
        let channels = [&self.base, &self.metallic, &self.roughness, &self.emission];
        let images = channels.into_iter().filter_map(|channel| match channel {
            Channel::Image(key) => Some(key),
            Channel::Constant(_) => None,
        });
        images.chain(self.others.iter().map(|(_, key)| key))
    }
}

struct Attacher<'a, 'r> {
    context: &'a TextureContext<'a>,
    flips_green: bool,
    /// Bytes that are left for images.
    left: usize,
    /// The materials that have textures, by their names in lower case.
    textured: HashMap<String, MaterialId>,
    images: HashMap<ImageKey, Option<LoadedImage>>,
    /// The references that lead to each file, given by its root and its path there.
    references: HashMap<(usize, String), BTreeSet<(ReferenceKind, String)>>,
    losses: Losses,
    report: &'r mut ResolveReport,
}

struct LoadedImage {
    id: ImageId,
    size: [u32; 2],
    wrap: [Wrap; 2],
}

impl Attacher<'_, '_> {
    /// Reads the `.vmat` of a material, or finds a replacement.
    fn look(&mut self, scene: &mut Scene, id: MaterialId, path: &str) -> (Option<Look>, Outcome) {
        let Some(relative) = relative_path(path) else { return (None, Outcome::Missing) };
        if let Some(file) = find_vmat(&relative, self.context.content) {
            let read = self.context.read(&file).map_err(|error| error.to_string());
            let vmat = read.and_then(|bytes| Vmat::from_bytes(&bytes).map_err(|error| error.to_string()));
            return match vmat {
                Ok(vmat) => (Some(self.read(&vmat, file.path())), Outcome::Found(file.path().to_owned())),
                Err(reason) => (None, Outcome::Undecodable(reason)),
            };
        }
        // Models that Source 2 Viewer exported contain materials with the path of the `.vmat`.
        let other = self.textured.get(&path.to_ascii_lowercase());
        if let Some(other) = other.and_then(|other| scene.materials.get(*other)).cloned()
            && let Some(material) = scene.materials.get_mut(id)
        {
            let Material { name, reference, properties, .. } = std::mem::take(material);
            *material = Material { name, reference, properties, ..other };
            self.losses.approximated(path, "the material of a model with this name is used instead");
            return (None, Outcome::Found(path.to_owned()));
        }
        let Some(file) = find_stand_in(&relative, self.context.content) else { return (None, Outcome::Missing) };
        self.losses.approximated(path, format!("the image {:?} is used instead of the material", file.path()));
        let mut look = self.read(&Vmat::default(), path);
        let key = self.key(file);
        self.add_reference(&key, ReferenceKind::Material, path);
        look.base = Channel::Image(key);
        (Some(look), Outcome::Found(file.path().to_owned()))
    }

    /// Reads the appearance of a material.
    fn read(&mut self, vmat: &Vmat, path: &str) -> Look {
        if vmat.shader.is_some() && !vmat.is_known_shader() {
            let shader = vmat.shader_name().unwrap_or_default();
            self.losses.approximated(path, format!("unknown shader {shader:?}: the roles of its textures are guessed"));
        }
        let unused: Vec<&str> = UNUSED
            .iter()
            .filter(|(role, _)| matches!(vmat.input(*role), Some(Input { source: Source::Image(_), .. })))
            .map(|(_, name)| *name)
            .collect();
        if !unused.is_empty() {
            self.losses.dropped(path, format!("textures of the material: {}", unused.join(", ")));
        }
        let dynamic = vmat.blocks.iter().filter(|block| block.name.eq_ignore_ascii_case(DYNAMIC));
        let dynamic: Vec<&str> = dynamic.flat_map(|block| &block.parameters).map(|it| &*it.name).collect();
        if let Some((last, others)) = dynamic.get(..dynamic.len().min(MAX_NAMES)).and_then(<[&str]>::split_last) {
            let names: String = others.iter().flat_map(|name| [*name, ", "]).chain([*last]).collect();
            let more = if dynamic.len() > MAX_NAMES { ", …" } else { "" };
            self.losses
                .dropped(path, format!("expressions of the material, which have their fixed values: {names}{more}"));
        }
        let alpha = match vmat.alpha_mode() {
            vmat::AlphaMode::Opaque => AlphaMode::Opaque,
            vmat::AlphaMode::Mask { cutoff } => AlphaMode::Mask(cutoff),
            vmat::AlphaMode::Blend => AlphaMode::Blend,
        };
        let mut base = self.channel(vmat, Role::BaseColor, [1.0; 4]);
        let mut opacity = 1.0;
        if alpha != AlphaMode::Opaque {
            opacity = vmat.opacity_scale();
            // An opacity texture becomes the alpha channel of the colour.
            match self.channel(vmat, Role::Opacity, [1.0; 4]) {
                Channel::Constant([value, ..]) => opacity *= value,
                Channel::Image(mask) => match &mut base {
                    Channel::Image(color) => color.opacity = Some(mask.file),
                    Channel::Constant(color) => {
                        let tint = *color;
                        base = Channel::Image(ImageKey { is_opacity: true, ..mask });
                        return self.finish(vmat, base, tint, opacity, alpha);
                    }
                },
            }
        }
        self.finish(vmat, base, [1.0; 4], opacity, alpha)
    }

    /// Reads the rest of a material. `constant` is a colour that multiplies the base colour.
    fn finish(&mut self, vmat: &Vmat, base: Channel, constant: [f64; 4], opacity: f64, alpha: AlphaMode) -> Look {
        let [red, green, blue, _] = constant;
        let linear = ColorSpace::Srgb.to_linear([red, green, blue]);
        let mut tint = vmat.color_tint();
        tint.iter_mut().zip(linear).for_each(|(to, from)| *to *= from);
        let emission = match vmat.is_emissive() {
            true => self.channel(vmat, Role::Emission, [0.0; 4]),
            false => Channel::Constant([0.0; 4]),
        };
        let usages = [
            (Role::Normal, TextureUsage::Normal),
            (Role::Occlusion, TextureUsage::Occlusion),
            (Role::Height, TextureUsage::Bump),
        ];
        let others = usages.into_iter().filter_map(|(role, usage)| match self.channel(vmat, role, [0.0; 4]) {
            Channel::Image(key) => Some((usage, key)),
            Channel::Constant(_) => None,
        });
        Look {
            others: others.collect(),
            name: vmat.shader_name().unwrap_or_default(),
            base,
            tint,
            opacity,
            metallic: self.channel(vmat, Role::Metalness, [0.0; 4]),
            roughness: self.channel(vmat, Role::Roughness, [DEFAULT_ROUGHNESS; 4]),
            emission,
            emission_tint: vmat.emission_tint(),
            alpha,
            double_sided: vmat.is_double_sided(),
            uv: vmat.uv_transform(),
        }
    }

    /// Returns the image or constant of a role. A missing image is reported and replaced by the default.
    fn channel(&mut self, vmat: &Vmat, role: Role, default: [f64; 4]) -> Channel {
        let Some(Input { source, is_inverted, .. }) = vmat.input(role) else { return Channel::Constant(default) };
        match source {
            Source::Constant(color) if is_inverted => Channel::Constant(color.map(|part| 1.0 - part)),
            Source::Constant(color) => Channel::Constant(color),
            Source::Image(path) => match images::find(path, self.context.content, self.context.log) {
                Some((file, is_stand_in)) => {
                    let file_path = file.path();
                    self.report.add(ReferenceKind::Image, path, Outcome::Found(file_path.to_owned()));
                    if is_stand_in {
                        self.losses.approximated(path, format!("the image {file_path:?} is used instead"));
                    }
                    let is_green_inverted = role == Role::Normal && self.flips_green;
                    let key = self.key(file);
                    self.add_reference(&key, ReferenceKind::Image, path);
                    Channel::Image(ImageKey { is_inverted, is_green_inverted, ..key })
                }
                None => {
                    self.report.add(ReferenceKind::Image, path, Outcome::Missing);
                    Channel::Constant(default)
                }
            },
        }
    }

    fn key(&self, file: ContentFile<'_>) -> ImageKey {
        ImageKey {
            file: (file.root(), file.path().to_owned()),
            is_inverted: false,
            is_green_inverted: false,
            opacity: None,
            is_opacity: false,
        }
    }

    fn add_reference(&mut self, key: &ImageKey, kind: ReferenceKind, path: &str) {
        self.references.entry(key.file.clone()).or_default().insert((kind, path.to_owned()));
    }

    /// Decodes images and adds them to the scene.
    fn load_images<'k>(&mut self, scene: &mut Scene, keys: impl Iterator<Item = &'k ImageKey>) {
        let mut known = HashSet::new();
        let keys: Vec<&ImageKey> = keys.filter(|key| known.insert(*key)).collect();
        let (context, mut left) = (self.context, self.left);
        let decode = |key: &&ImageKey, max_bytes| images::decode(key, context, max_bytes);
        decode_within(&keys, &mut left, true, decode, Decoded::memory, |batch, decoded, left| {
            for (&key, decoded) in batch.iter().zip(decoded) {
                let decoded = decoded.or_else(|reason| self.decode_without_opacity(key, reason, left));
                let loaded = match decoded {
                    Ok(decoded) => Some(self.add_image(scene, key, decoded)),
                    Err(reason) => {
                        self.report_damage(&key.file, &reason);
                        None
                    }
                };
                self.images.insert(key.clone(), loaded);
            }
        });
        self.left = left;
    }

    /// Decodes an image again without the image of its opacity, which is reported if it is to blame for a failure.
    fn decode_without_opacity(&mut self, key: &ImageKey, reason: String, left: &mut usize) -> Result<Decoded, String> {
        let Some(opacity) = &key.opacity else { return Err(reason) };
        let decoded = images::decode(&ImageKey { opacity: None, ..key.clone() }, self.context, *left)?;
        *left = left.checked_sub(decoded.memory()).ok_or(BEYOND_LIMIT)?;
        self.report_damage(opacity, &reason);
        Ok(decoded)
    }

    /// Reports a file that cannot be decoded, for all references that lead to it.
    fn report_damage(&mut self, file: &(usize, String), reason: &str) {
        for (kind, path) in self.references.get(file).into_iter().flatten() {
            self.report.add_uses(*kind, path, Outcome::Undecodable(reason.to_owned()), 0);
        }
    }

    fn add_image(&mut self, scene: &mut Scene, key: &ImageKey, decoded: Decoded) -> LoadedImage {
        let Decoded { source, size, wrap, losses } = decoded;
        self.losses.append(losses);
        let name = key.file.1.rsplit('/').next().unwrap_or_default().to_owned();
        LoadedImage { id: scene.images.push(Image { name, source }), size, wrap }
    }

    /// Gives a material its appearance.
    fn apply(&self, scene: &mut Scene, id: MaterialId, look: &Look) {
        let space = scene.color_space;
        let Some(material) = scene.materials.get_mut(id) else { return };
        let slot = |usage: TextureUsage, key: &ImageKey| {
            let image = self.images.get(key)?.as_ref()?;
            Some((TextureSlot { wrap: image.wrap, ..TextureSlot::new(usage, image.id) }, image.size))
        };
        // A texture or the value, and `true` if there is a texture.
        let mut channel = |channel: &Channel, usage: TextureUsage, default: f64| match channel {
            Channel::Constant([value, ..]) => (*value).clamp(0.0, 1.0),
            Channel::Image(key) => match slot(usage, key) {
                Some((slot, _)) => {
                    material.textures.push(slot);
                    1.0
                }
                None => default,
            },
        };
        material.metallic = channel(&look.metallic, TextureUsage::Metallic, 0.0);
        material.roughness = channel(&look.roughness, TextureUsage::Roughness, DEFAULT_ROUGHNESS);
        let mut color = look.tint;
        let mut opacity = look.opacity;
        match &look.base {
            Channel::Constant([red, green, blue, alpha]) => {
                let linear = ColorSpace::Srgb.to_linear([*red, *green, *blue]);
                color.iter_mut().zip(linear).for_each(|(to, from)| *to *= from);
                if look.alpha != AlphaMode::Opaque {
                    opacity *= alpha;
                }
            }
            Channel::Image(key) => {
                if let Some((slot, size)) = slot(TextureUsage::BaseColor, key) {
                    material.textures.insert(0, slot);
                    material.texture_size = Some(size);
                }
            }
        }
        let [red, green, blue] = in_space(color, space).map(|part| part.clamp(0.0, 1.0));
        material.base_color = [red, green, blue, opacity.clamp(0.0, 1.0)];
        let mut emission = look.emission_tint;
        match &look.emission {
            Channel::Constant([red, green, blue, _]) => {
                emission.iter_mut().zip([red, green, blue]).for_each(|(to, from)| *to *= from.max(0.0));
            }
            Channel::Image(key) => match slot(TextureUsage::Emission, key) {
                Some((slot, _)) => material.textures.push(slot),
                None => emission = [0.0; 3],
            },
        }
        let [red, green, blue] = in_space(emission.map(|part| part.max(0.0)), space);
        material.emissive = [red, green, blue, 1.0];
        for (usage, key) in &look.others {
            material.textures.extend(slot(usage.clone(), key).map(|(slot, _)| slot));
        }
        material.alpha = look.alpha;
        material.double_sided = look.double_sided;
        if !look.name.is_empty() {
            material.properties.set("shader", look.name.as_str());
        }
    }
}

/// Returns `true` for the path of a `.vmat`, also without the extension.
fn is_material(path: &str) -> bool {
    let name = path.rsplit(['/', '\\']).next().unwrap_or_default();
    extension(path) == "vmat" || (!name.is_empty() && !name.contains('.'))
}

/// Finds a `.vmat`. Programs that create maps may leave out the extension and the folder `materials`.
fn find_vmat<'a>(path: &str, content: &'a ContentSource) -> Option<ContentFile<'a>> {
    if extension(path) == "vmat" {
        return content.find(path);
    }
    content.find(&format!("{path}.vmat")).or_else(|| content.find(&format!("materials/{path}.vmat")))
}

/// Finds an image that stands in for a `.vmat`.
pub(super) fn find_stand_in<'a>(path: &str, content: &'a ContentSource) -> Option<ContentFile<'a>> {
    let stem = path.rsplit_once('.').map_or(path, |(stem, _)| stem);
    STAND_INS.iter().find_map(|end| content.find(&format!("{stem}{end}")))
}

/// Converts a linear colour to a colour space.
fn in_space(color: [f64; 3], space: ColorSpace) -> [f64; 3] {
    match space {
        ColorSpace::Linear => color,
        ColorSpace::Srgb => ColorSpace::Linear.to_srgb(color),
    }
}

/// Makes one of the materials that refer to the same `.vmat`: each prefab and model has its own.
fn unite(scene: &mut Scene) {
    let mut first: HashMap<String, MaterialId> = HashMap::new();
    let mut new_ids: Vec<MaterialId> = Vec::with_capacity(scene.materials.len());
    let mut kept: Vec<Material> = Vec::new();
    for material in std::mem::take(&mut scene.materials) {
        let next = MaterialId::new(u32::try_from(kept.len()).unwrap_or(u32::MAX));
        let path = material.reference.as_deref().filter(|_| material.textures.is_empty());
        let key = path.map(path_key);
        let id = key.map_or(next, |key| *first.entry(key).or_insert(next));
        new_ids.push(id);
        if id == next {
            kept.push(material);
        }
    }
    scene.materials = kept.into_iter().collect();
    let replace = |id: &mut Option<MaterialId>| *id = id.and_then(|id| new_ids.get(id.index()).copied());
    scene.meshes.iter_mut().flat_map(|(_, mesh)| &mut mesh.face_materials).for_each(replace);
    scene.brushes.iter_mut().flat_map(|(_, brush)| &mut brush.sides).for_each(|side| replace(&mut side.material));
    scene.terrains.iter_mut().flat_map(|(_, terrain)| &mut terrain.materials).for_each(replace);
}

/// Applies the transform of texture coordinates of materials to the meshes: scenes have no such transform.
fn transform_uvs(scene: &mut Scene, transforms: &HashMap<MaterialId, UvTransform>) {
    if transforms.is_empty() {
        return;
    }
    for (_, mesh) in scene.meshes.iter_mut() {
        let Some(set) = mesh.uv_sets.first_mut() else { continue };
        for (face, material) in mesh.face_materials.iter().enumerate() {
            let Some(transform) = material.and_then(|id| transforms.get(&id)) else { continue };
            let (sin, cos) = math::sin_cos(transform.rotation.to_radians());
            let ([su, sv], [ou, ov], [cu, cv]) = (transform.scale, transform.offset, transform.center);
            let from_top = |v: f64| if set.origin == UvOrigin::TopLeft { v } else { 1.0 - v };
            for corner in mesh.faces.corner_range(face).unwrap_or_default() {
                let Some([u, v]) = set.corners.get(corner) else { continue };
                let (x, y) = (u - cu, from_top(v) - cv);
                let (x, y) = (x * cos - y * sin + cu, x * sin + y * cos + cv);
                set.corners.set(corner, Some([x * su + ou, from_top(y * sv + ov)]));
            }
        }
    }
}

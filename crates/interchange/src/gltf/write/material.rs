//! Materials.

use mapwright_scene::{AlphaMode, ColorSpace, ImageId, Material, TextureSlot, TextureUsage, VertexColors};

use super::{Writer, push, texture::OutputImage, vertices::not_negative};
use crate::{
    Error,
    gltf::{
        MAX_UV_SETS,
        json::{
            self, ClassicNote, EmissiveStrength, Extras, MaterialExtensions, MaterialNote, NormalTexture,
            OcclusionTexture, Pbr, TextureInfo, properties_to_json,
        },
    },
};

/// A material of the document, and its requirements for meshes.
#[derive(Clone, Copy)]
pub(super) struct Written {
    pub index: u32,
    /// Number of UV sets that a mesh must have.
    pub uv_sets: usize,
    /// The UV set of the normal map, for which a mesh needs tangents.
    pub normal_map: Option<usize>,
    /// `true` if vertex colours are visible.
    pub colors: bool,
}

impl Writer<'_> {
    pub(super) fn materials(&mut self) -> Result<(), Error> {
        let shown = self.shown_materials();
        self.images(&shown);
        for ((id, material), shown) in self.scene.materials.iter().zip(shown) {
            let path = format!("materials[{}]", id.index());
            let written = if shown {
                Some(self.material(material, &path))
            } else {
                self.losses.dropped(path, format!("no face has the material {:?}", material.name));
                None
            };
            self.places.materials.push(written);
        }
        Ok(())
    }

    /// Writes the images that visible materials use unchanged, in the order of the scene, and reports unused images.
    fn images(&mut self, shown: &[bool]) {
        let mut uses = vec![(false, false); self.images.len()];
        let materials = self.scene.materials.items().iter().zip(shown).filter(|(_, shown)| **shown);
        for slot in materials.flat_map(|(material, _)| &material.textures) {
            if let Some((used, as_is)) = uses.get_mut(slot.image.index()) {
                *used = true;
                *as_is |= slot.uv_set < MAX_UV_SETS
                    && matches!(
                        slot.usage,
                        TextureUsage::BaseColor
                            | TextureUsage::MetallicRoughness
                            | TextureUsage::Normal
                            | TextureUsage::Occlusion
                            | TextureUsage::Emission
                    );
            }
        }
        for (id, (used, as_is)) in self.images.ids().zip(uses) {
            if as_is {
                self.source(OutputImage::Image(id), "");
            } else if !used {
                self.losses.dropped(format!("images[{}]", id.index()), "no used material refers to the image");
            }
        }
    }

    fn material(&mut self, material: &Material, path: &str) -> Written {
        let mut uv_sets = 0;
        let mut slots = Slots { writer: self, material, path, uv_sets: &mut uv_sets };
        slots.leave_out();
        let base_color_texture = slots.plain(&TextureUsage::BaseColor);
        let metallic_roughness_texture = slots.metallic_roughness();
        let normal = slots.slot(&TextureUsage::Normal);
        let normal_texture =
            normal.and_then(|slot| Some(NormalTexture { info: slots.image(slot)?, scale: slot.strength }));
        let occlusion = slots.slot(&TextureUsage::Occlusion);
        let occlusion_texture = occlusion.and_then(|slot| {
            let [strength] = slots.writer.clamped([slot.strength], path, "strength of occlusion");
            Some(OcclusionTexture { info: slots.image(slot)?, strength })
        });
        let emissive_texture = slots.plain(&TextureUsage::Emission);
        let normal_map = normal.filter(|_| normal_texture.is_some()).map(|slot| slot.uv_set);

        let (emissive_factor, extensions) = self.emissive(material, path);
        let [metallic, roughness] =
            self.clamped([material.metallic, material.roughness], path, "metallic or roughness");
        let (alpha_mode, alpha_cutoff) = match material.alpha {
            AlphaMode::Opaque => (None, None),
            AlphaMode::Mask(cutoff) => {
                (Some("MASK"), Some(cutoff).filter(|cutoff| cutoff.is_finite()).map(not_negative))
            }
            AlphaMode::Blend => (Some("BLEND"), None),
        };
        let properties = properties_to_json(&material.properties, &format!("{path}.properties"), &mut self.losses);
        let out = json::Material {
            name: material.name.clone(),
            pbr_metallic_roughness: Some(Pbr {
                base_color_factor: Some(self.base_color(material, path)).filter(|color| *color != [1.0; 4]),
                base_color_texture,
                metallic_factor: Some(metallic).filter(|&metallic| metallic != 1.0),
                roughness_factor: Some(roughness).filter(|&roughness| roughness != 1.0),
                metallic_roughness_texture,
            }),
            normal_texture,
            occlusion_texture,
            emissive_texture,
            emissive_factor,
            alpha_mode: alpha_mode.map(Into::into),
            alpha_cutoff,
            double_sided: material.double_sided,
            extensions,
            extras: Extras::new(properties, note(material, self.scene.color_space)),
        };
        let index = push(&mut self.root.materials, out);
        Written { index, uv_sets, normal_map, colors: material.vertex_colors == VertexColors::Multiply }
    }

    fn base_color(&mut self, material: &Material, path: &str) -> [f64; 4] {
        let [r, g, b, opacity] = self.clamped(material.base_color, path, "base colour");
        let [r, g, b] = self.scene.color_space.to_linear([r, g, b]);
        [r, g, b, opacity]
    }

    /// Returns the emissive factor, at most 1, and the strength beyond.
    fn emissive(&mut self, material: &Material, path: &str) -> (Option<[f64; 3]>, Option<MaterialExtensions>) {
        let [r, g, b, _] = material.emissive;
        let color = [r, g, b].map(not_negative);
        if color != [r, g, b] {
            self.losses.repaired(path, "negative emission: set to 0");
        }
        let linear = self.scene.color_space.to_linear(color);
        let color = linear.map(|c| c.min(f64::MAX));
        if color != linear {
            self.losses.repaired(path, "emitted light that is not finite");
        }
        let strength = color.iter().copied().fold(1.0, f64::max);
        let factor = color.map(|c| (c / strength).min(1.0));
        let extensions = (strength > 1.0).then(|| {
            self.uses_extension("KHR_materials_emissive_strength");
            let emissive_strength = Some(EmissiveStrength { emissive_strength: strength });
            MaterialExtensions { emissive_strength, ..MaterialExtensions::default() }
        });
        (Some(factor).filter(|factor| *factor != [0.0; 3]), extensions)
    }
}

/// Returns the data that glTF cannot store. Its colours are linear, as all colours of the file.
fn note(material: &Material, space: ColorSpace) -> Option<MaterialNote> {
    let linear = |[r, g, b, rest]: [f64; 4]| {
        let [r, g, b] = space.to_linear([r, g, b]);
        [r, g, b, rest]
    };
    let alpha = material.emissive[3];
    let note = MaterialNote {
        reference: material.reference.clone(),
        tool: material.is_tool,
        texture_size: material.texture_size,
        classic: material.classic.map(|classic| ClassicNote {
            ambient: linear(classic.ambient),
            specular: linear(classic.specular),
            shininess: classic.shininess,
        }),
        vertex_colors: material.vertex_colors == VertexColors::Multiply,
        emissive_alpha: (alpha != 1.0).then_some(alpha),
        ..MaterialNote::default()
    };
    let is_empty = note.reference.is_none()
        && !note.tool
        && note.texture_size.is_none()
        && note.classic.is_none()
        && !note.vertex_colors
        && note.emissive_alpha.is_none();
    (!is_empty).then_some(note)
}

/// The textures of one material to write.
struct Slots<'w, 'a, 'm> {
    writer: &'w mut Writer<'a>,
    material: &'m Material,
    path: &'m str,
    uv_sets: &'w mut usize,
}

impl<'m> Slots<'_, '_, 'm> {
    fn slot(&self, usage: &TextureUsage) -> Option<&'m TextureSlot> {
        self.material.texture(usage)
    }

    /// Reports values that glTF cannot store, other than those of the capabilities.
    fn leave_out(&mut self) {
        for (index, slot) in self.material.textures.iter().enumerate() {
            let path = format!("{}.textures[{index}]", self.path);
            let first = self.slot(&slot.usage).is_some_and(|first| std::ptr::eq(first, slot));
            let in_one = self.slot(&TextureUsage::MetallicRoughness).is_some()
                && matches!(slot.usage, TextureUsage::Metallic | TextureUsage::Roughness);
            if !first || in_one {
                self.writer.losses.dropped(path, "a second texture for the same property");
            } else if slot.strength != 1.0 && !matches!(slot.usage, TextureUsage::Normal | TextureUsage::Occlusion) {
                self.writer.losses.dropped(path, "strength of the texture");
            }
        }
    }

    fn plain(&mut self, usage: &TextureUsage) -> Option<TextureInfo> {
        self.slot(usage).and_then(|slot| self.image(slot))
    }

    fn image(&mut self, slot: &TextureSlot) -> Option<TextureInfo> {
        self.texture(OutputImage::Image(slot.image), slot)
    }

    fn metallic_roughness(&mut self) -> Option<TextureInfo> {
        if let Some(slot) = self.slot(&TextureUsage::MetallicRoughness) {
            return self.image(slot);
        }
        let (metallic, roughness) = (self.slot(&TextureUsage::Metallic), self.slot(&TextureUsage::Roughness));
        let slot = metallic.or(roughness)?;
        if let (Some(metallic), Some(roughness)) = (metallic, roughness)
            && (metallic.uv_set, metallic.wrap) != (roughness.uv_set, roughness.wrap)
        {
            self.writer.losses.approximated(self.path, "the roughness texture is placed as the metallic one");
        }
        let image = |slot: Option<&TextureSlot>| -> Option<ImageId> { slot.map(|slot| slot.image) };
        self.texture(OutputImage::Merged { metallic: image(metallic), roughness: image(roughness) }, slot)
    }

    fn texture(&mut self, image: OutputImage, slot: &TextureSlot) -> Option<TextureInfo> {
        if slot.uv_set >= MAX_UV_SETS {
            self.writer.losses.dropped(self.path, "a texture on a UV set that is not written");
            return None;
        }
        let index = self.writer.texture(image, slot.wrap, self.path)?;
        *self.uv_sets = (*self.uv_sets).max(slot.uv_set + 1);
        Some(TextureInfo { index, tex_coord: u32::try_from(slot.uv_set).ok()?, ..TextureInfo::default() })
    }
}

//! Materials and images.

use mapwright_scene::{
    AlphaMode, ClassicMaterial, FileKind, Id, Image, ImageSource, Material, Pixels, TextureSlot, TextureUsage,
    VertexColors, Wrap,
    images::{self, PNG_MEDIA_TYPE},
};

use super::{Reader, item, resource, uv_sets::find_set};
use crate::{
    Error, ErrorKind,
    error::malformed,
    gltf::json::{self, TextureInfo, codes, json_to_properties},
    uri,
};

impl Reader<'_> {
    pub(super) fn images(&mut self) -> Result<(), Error> {
        let root = self.root;
        for (index, image) in root.images.iter().enumerate() {
            let source = self.image(image, &format!("images[{index}]"))?;
            self.scene.images.push(Image { name: image.name.clone(), source });
        }
        Ok(())
    }

    fn image(&mut self, image: &json::Image, path: &str) -> Result<ImageSource, Error> {
        let (declared, data) = match (&image.uri, image.buffer_view) {
            (_, Some(view)) => {
                let (data, _) = self.view(view)?;
                self.spend(data.len() as u64, 1, path)?;
                (None, data.to_vec())
            }
            (Some(uri), None) => match resource(uri, FileKind::Image, self.files, || format!("{path}.uri")) {
                Ok((declared, data)) => {
                    self.spend(data.len() as u64, 1, path)?;
                    if !uri.starts_with("data:") && images::media_type(&data).is_none() {
                        return self.other_image(uri, data, path);
                    }
                    (declared, data)
                }
                Err(error) if uri.starts_with("data:") => return Err(error),
                Err(error) => {
                    let reason = match error.kind() {
                        ErrorKind::MissingFile { reason, .. } => reason.to_string(),
                        other => other.to_string(),
                    };
                    return Ok(self.keep_image_path(uri, reason, path));
                }
            },
            (None, None) => return Err(malformed(path, "image without data")),
        };
        let media_type = images::media_type(&data).or(image.mime_type.as_deref()).or(declared);
        let media_type = media_type.unwrap_or("application/octet-stream").to_owned();
        let was_pixels = image.extras.note.as_deref().is_some_and(|note| note.pixels);
        if media_type == PNG_MEDIA_TYPE && (was_pixels || self.options.decode_images) {
            if let Some(pixels) = self.pixels(&data, path)? {
                return Ok(ImageSource::Pixels(pixels));
            }
            self.losses.approximated(path, "the image cannot be decoded and stays a file");
        }
        Ok(ImageSource::Encoded { media_type, data })
    }

    /// Decodes a file that is neither PNG nor JPEG.
    fn other_image(&mut self, uri: &str, data: Vec<u8>, path: &str) -> Result<ImageSource, Error> {
        // Decoders need some memory in addition to the pixels.
        let left = self.left();
        let reason = match images::decoded_bytes(&data, uri) {
            Some(bytes) if bytes <= left => {
                self.spend(bytes, 1, path)?;
                let left = usize::try_from(left).unwrap_or(usize::MAX);
                match images::image_source(data, uri, left, path, &mut self.losses) {
                    Some(source) => return Ok(source),
                    None => images::NO_IMAGE,
                }
            }
            Some(_) => images::TOO_LARGE,
            None => images::NO_IMAGE,
        };
        Ok(self.keep_image_path(uri, reason, path))
    }

    /// Stores the path of an image that was not read.
    fn keep_image_path(&mut self, uri: &str, reason: impl std::fmt::Display, path: &str) -> ImageSource {
        let file = uri::decode(uri).unwrap_or_else(|| uri.to_owned());
        self.losses.preserved(path, images::unread_image_text(&file, reason));
        ImageSource::External { path: file }
    }

    /// Decodes an image. Returns `None` if it is broken or larger than allowed.
    fn pixels(&self, data: &[u8], path: &str) -> Result<Option<Pixels>, Error> {
        let Some(bytes) = images::decoded_bytes(data, "").filter(|&bytes| bytes <= self.left()) else {
            return Ok(None);
        };
        // Count the bytes before decoding: broken images take as long as others.
        self.spend(bytes, 1, path)?;
        Ok(usize::try_from(bytes).ok().and_then(|bytes| images::decode_png(data, bytes)))
    }

    pub(super) fn materials(&mut self) -> Result<(), Error> {
        let root = self.root;
        // The materials of placeholder boxes follow all others. They are read only if a mesh uses them.
        let read = root.meshes.iter().take(self.scene.meshes.len()).flat_map(|mesh| &mesh.primitives);
        let used = read.filter_map(|primitive| primitive.material).max();
        let is_other = |material: &json::Material| material.extras.note.as_ref().is_none_or(|note| !note.placeholder);
        let count = root.materials.iter().rposition(is_other).map_or(0, |last| last + 1);
        let count = count.max(used.map_or(0, |used| used as usize + 1));
        for (index, material) in root.materials.iter().enumerate().take(count) {
            let colored = self.colored.get(index).copied().unwrap_or(false);
            let material = self.material(material, index, colored)?;
            self.scene.materials.push(material);
        }
        Ok(())
    }

    fn material(&mut self, material: &json::Material, index: usize, colored: bool) -> Result<Material, Error> {
        let path = &format!("materials[{index}]");
        let mut out = Material::new(&material.name);
        let pbr = self.metallic_roughness(material, path);
        out.base_color = pbr.base_color_factor.unwrap_or([1.0; 4]);
        out.metallic = pbr.metallic_factor.unwrap_or(1.0);
        out.roughness = pbr.roughness_factor.unwrap_or(1.0);
        let strength = material.extensions.as_ref().and_then(|extensions| extensions.emissive_strength);
        let [r, g, b] = material.emissive_factor.unwrap_or_default();
        let emissive = [r, g, b].map(|factor| factor * strength.map_or(1.0, |strength| strength.emissive_strength));
        if emissive.iter().any(|light| !light.is_finite()) {
            self.losses.repaired(path, "emitted light that is not finite");
        }
        let emissive = emissive.map(|light| light.clamp(f64::MIN, f64::MAX));
        out.emissive = [emissive[0], emissive[1], emissive[2], 1.0];
        out.double_sided = material.double_sided;
        out.alpha = match material.alpha_mode.as_deref() {
            None | Some("OPAQUE") => AlphaMode::Opaque,
            Some("MASK") => AlphaMode::Mask(material.alpha_cutoff.unwrap_or(0.5)),
            Some("BLEND") => AlphaMode::Blend,
            Some(other) => {
                self.losses.dropped(format!("{path}.alphaMode"), format!("the mode {other}"));
                AlphaMode::Opaque
            }
        };
        let normal = material.normal_texture.as_ref().map(|texture| (&texture.info, texture.scale));
        let occlusion = material.occlusion_texture.as_ref().map(|texture| (&texture.info, texture.strength));
        let textures = [
            (TextureUsage::BaseColor, pbr.base_color_texture.as_ref().map(|info| (info, 1.0))),
            (TextureUsage::MetallicRoughness, pbr.metallic_roughness_texture.as_ref().map(|info| (info, 1.0))),
            (TextureUsage::Normal, normal),
            (TextureUsage::Occlusion, occlusion),
            (TextureUsage::Emission, material.emissive_texture.as_ref().map(|info| (info, 1.0))),
        ];
        for (usage, texture) in textures {
            if let Some((info, strength)) = texture
                && let Some(mut slot) = self.slot(usage, info, strength)?
            {
                slot.uv_set = find_set(self.uv_plans.get(index).map(Vec::as_slice).unwrap_or_default(), info);
                out.textures.push(slot);
            }
        }
        if colored {
            out.vertex_colors = VertexColors::Multiply;
        }
        if let Some(note) = material.extras.note.as_deref() {
            out.reference.clone_from(&note.reference);
            out.is_tool = note.tool;
            out.texture_size = note.texture_size;
            out.classic = note.classic.map(|classic| ClassicMaterial {
                ambient: classic.ambient,
                specular: classic.specular,
                shininess: classic.shininess,
            });
            out.emissive[3] = note.emissive_alpha.unwrap_or(1.0);
            if note.vertex_colors {
                out.vertex_colors = VertexColors::Multiply;
            }
        }
        let path = format!("{path}.extras");
        out.properties = json_to_properties(&material.extras.properties, &path, &mut self.losses);
        Ok(out)
    }

    /// Returns metallic and roughness of a material, or the nearest ones for a material that only has specular and glossiness.
    fn metallic_roughness(&mut self, material: &json::Material, path: &str) -> json::Pbr {
        let extensions = material.extensions.as_ref();
        if extensions.is_some_and(|extensions| extensions.unlit.is_some()) {
            self.losses.dropped(path, "shown without lighting");
        }
        let Some(old) = extensions.and_then(|extensions| extensions.specular_glossiness.as_ref()) else {
            return material.pbr_metallic_roughness.clone().unwrap_or_default();
        };
        if let Some(pbr) = &material.pbr_metallic_roughness {
            self.losses.dropped(path, "specular and glossiness: the document also has metallic and roughness");
            return pbr.clone();
        }
        self.losses.approximated(path, "specular and glossiness, as a rough material without metal");
        if old.specular_glossiness_texture.is_some() {
            self.losses.dropped(path, "texture of specular and glossiness");
        }
        json::Pbr {
            base_color_factor: old.diffuse_factor,
            base_color_texture: old.diffuse_texture.clone(),
            metallic_factor: Some(0.0),
            roughness_factor: Some((1.0 - old.glossiness_factor).clamp(0.0, 1.0)),
            metallic_roughness_texture: None,
        }
    }

    /// Returns the slot of a texture, without its UV set.
    fn slot(&mut self, usage: TextureUsage, info: &TextureInfo, strength: f64) -> Result<Option<TextureSlot>, Error> {
        let texture_path = format!("textures[{}]", info.index);
        let texture = item(&self.root.textures, info.index, &texture_path)?;
        let Some(source) = texture.source else {
            self.losses.dropped(texture_path, "a texture without a PNG or JPEG image");
            return Ok(None);
        };
        item(&self.root.images, source, &format!("{texture_path}.source"))?;
        let sampler = match texture.sampler {
            Some(sampler) => *item(&self.root.samplers, sampler, &format!("{texture_path}.sampler"))?,
            None => json::Sampler::default(),
        };
        let wrap = [sampler.wrap_s, sampler.wrap_t].map(|wrap| match wrap {
            Some(codes::CLAMP_TO_EDGE) => Wrap::Clamp,
            Some(codes::MIRRORED_REPEAT) => Wrap::Mirror,
            _ => Wrap::Repeat,
        });
        Ok(Some(TextureSlot { usage, image: Id::new(source), uv_set: 0, wrap, strength }))
    }
}

//! Materials of Source 2: `.vmat`.
//!
//! ```
//! use mapwright_keyvalues::vmat::{AlphaMode, Role, Source, Vmat};
//!
//! let material = Vmat::from_bytes(
//!     b"Layer0\n{\n\tshader \"vr_complex.vfx\"\n\tF_ALPHA_TEST 1\n\tTextureColor \"materials/crate_color.tga\"\n\
//!     \tTextureRoughness \"[0.8 0.8 0.8 0]\"\n\tTextureNormal \"materials/default/default_normal.tga\"\n}",
//! )?;
//! assert_eq!((material.shader_name().as_deref(), material.is_known_shader()), (Some("vr_complex"), true));
//! let source = |role| material.input(role).map(|input| input.source);
//! assert_eq!(source(Role::BaseColor), Some(Source::Image("materials/crate_color.tga")));
//! assert_eq!(source(Role::Roughness), Some(Source::Constant([0.8, 0.8, 0.8, 0.0])));
//! // Default textures are constants: their images are not among the sources of maps.
//! assert_eq!(source(Role::Normal), Some(Source::Constant([0.5, 0.5, 1.0, 1.0])));
//! assert_eq!(material.alpha_mode(), AlphaMode::Mask { cutoff: 0.5 });
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```

mod roles;

pub use roles::{Input, Role, Source};

use mapwright_io::math;
use mapwright_io::{Position, format_shortest};

use crate::text::decode;
use crate::{ReadError, ReadErrorKind, kv1, kv3};

/// A material.
#[derive(Debug, Clone, PartialEq, Default)]
#[non_exhaustive]
pub struct Vmat {
    /// The shader as the file stores it: `vr_complex.vfx`, `shaders/complex.shader`.
    pub shader: Option<String>,
    /// All keys of the layer except the shader, in order.
    pub parameters: Vec<Parameter>,
    /// The blocks of the layer, such as `SystemAttributes` and `DynamicParams`, in order.
    pub blocks: Vec<Block>,
}

/// A key of a material.
#[derive(Debug, Clone, PartialEq)]
#[non_exhaustive]
pub struct Parameter {
    /// The key.
    pub name: String,
    /// The value as text, without quotes.
    pub text: String,
    /// The value.
    pub value: ParameterValue,
}

/// The value of a key.
#[derive(Debug, Clone, PartialEq)]
#[non_exhaustive]
pub enum ParameterValue {
    /// A number: `0.081`, `1`.
    Number(f64),
    /// A vector of numbers: `[1.000000 1.000000 1.000000 0.000000]`.
    Vector(Vec<f64>),
    /// A path of an image.
    Image,
    /// Any other text.
    Text,
}

/// A block of a material.
#[derive(Debug, Clone, PartialEq)]
#[non_exhaustive]
pub struct Block {
    /// The name.
    pub name: String,
    /// Its keys, in order.
    pub parameters: Vec<Parameter>,
}

/// Treatment of opacity.
#[derive(Debug, Clone, Copy, PartialEq)]
pub enum AlphaMode {
    /// Opacity is ignored.
    Opaque,
    /// Parts with less opacity than the cutoff are invisible.
    Mask {
        /// The cutoff, 0 to 1.
        cutoff: f64,
    },
    /// Parts are translucent.
    Blend,
}

/// A transform of texture coordinates: `u · scale + offset`, with a rotation about a centre.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct UvTransform {
    /// Factors of u and v.
    pub scale: [f64; 2],
    /// Added to u and v.
    pub offset: [f64; 2],
    /// Rotation in degrees.
    pub rotation: f64,
    /// Centre of the rotation.
    pub center: [f64; 2],
}

impl UvTransform {
    /// The transform that changes nothing.
    pub const IDENTITY: Self = Self { scale: [1.0; 2], offset: [0.0; 2], rotation: 0.0, center: [0.5; 2] };
}

/// Extensions of images, in lower case.
const IMAGES: [&str; 14] =
    ["tga", "png", "psd", "tif", "tiff", "exr", "jpg", "jpeg", "pfm", "vtex", "hdr", "bmp", "txt", "rt"];

impl Vmat {
    /// Reads a file. It is KeyValues 1; some programs write KV3.
    ///
    /// # Errors
    /// If it is neither, or has no layer.
    pub fn from_bytes(bytes: &[u8]) -> Result<Self, ReadError> {
        match kv3::sniff(bytes) {
            mapwright_io::Confidence::No => Self::from_kv1(&kv1::Document::from_bytes(bytes)?),
            _ => Ok(Self::from_kv3(&kv3::Document::from_bytes(bytes)?)),
        }
    }

    /// Reads the first layer of a document: a block whose name begins with `Layer`.
    ///
    /// # Errors
    /// If there is no layer.
    pub fn from_kv1(document: &kv1::Document) -> Result<Self, ReadError> {
        let is_layer = |item: &kv1::Item<'_>| item.is_block() && has_prefix(&item.name_text(), "Layer");
        let missing = || ReadError::new(ReadErrorKind::NoBlock { expected: "Layer0" }, Position::file(0));
        let layer = document.items().find(is_layer).ok_or_else(missing)?;
        let mut material = Self::default();
        for item in layer.items() {
            match item.text() {
                Some(text) => material.push(Parameter::new(item.name_text().into(), text.into())),
                None => material.blocks.push(Block { name: item.name_text().into(), parameters: parameters(item) }),
            }
        }
        Ok(material)
    }

    /// Reads a document in KV3: the members of `Layer0`, or of the root.
    pub fn from_kv3(document: &kv3::Document) -> Self {
        let layer = document.root().get("Layer0").unwrap_or_else(|| document.root());
        let mut material = Self::default();
        for member in layer.items() {
            let name = member.key_text().unwrap_or_default().into_owned();
            if member.is_object() {
                let parameter = |member: kv3::Value<'_>| {
                    Parameter::new(member.key_text().unwrap_or_default().into_owned(), value_text(member))
                };
                material.blocks.push(Block { name, parameters: member.items().map(parameter).collect() });
            } else {
                material.push(Parameter::new(name, value_text(member)));
            }
        }
        material
    }

    fn push(&mut self, parameter: Parameter) {
        if self.shader.is_none() && parameter.name.eq_ignore_ascii_case("shader") {
            self.shader = Some(parameter.text);
        } else {
            self.parameters.push(parameter);
        }
    }

    /// Returns the name of the shader in lower case, without folders and extension: `vr_complex`.
    pub fn shader_name(&self) -> Option<String> {
        let shader = self.shader.as_deref()?.to_ascii_lowercase();
        let name = shader.rsplit(['/', '\\']).next().unwrap_or_default();
        let stem = [".vfx", ".shader_c", ".shader"].iter().find_map(|extension| name.strip_suffix(extension));
        Some(stem.unwrap_or(name).to_owned())
    }

    /// Returns `true` if the keys of the shader are known. For others, the roles are guessed.
    pub fn is_known_shader(&self) -> bool {
        self.shader_name().is_some_and(|name| roles::SHADERS.contains(&&*name))
    }

    /// Returns the first key with a name, in any case.
    pub fn get(&self, name: &str) -> Option<&Parameter> {
        self.parameters.iter().find(|parameter| parameter.name.eq_ignore_ascii_case(name))
    }

    /// Returns a key as a number.
    pub fn number(&self, name: &str) -> Option<f64> {
        self.get(name)?.number()
    }

    /// Returns a key as a vector. Missing components have the values of `default`.
    pub fn vector<const N: usize>(&self, name: &str, default: [f64; N]) -> Option<[f64; N]> {
        match &self.get(name)?.value {
            ParameterValue::Vector(numbers) => Some(fill(numbers, default)),
            ParameterValue::Number(number) => Some(fill(&[*number], default)),
            _ => None,
        }
    }

    /// Returns `true` if a feature such as `F_TRANSLUCENT` is on.
    pub fn has_feature(&self, name: &str) -> bool {
        self.number(name).is_some_and(|number| number != 0.0)
    }

    /// Returns the treatment of opacity. Without a feature, the material is opaque even if it has a texture for opacity.
    pub fn alpha_mode(&self) -> AlphaMode {
        if self.has_feature("F_TRANSLUCENT") {
            AlphaMode::Blend
        } else if self.has_feature("F_ALPHA_TEST") {
            AlphaMode::Mask { cutoff: self.number("g_flAlphaTestReference").unwrap_or(0.5) }
        } else {
            AlphaMode::Opaque
        }
    }

    /// Returns `true` if faces are visible from behind.
    pub fn is_double_sided(&self) -> bool {
        self.has_feature("F_RENDER_BACKFACES")
    }

    /// Returns `true` if the material emits light. Otherwise its textures and factors for emission have no effect.
    pub fn is_emissive(&self) -> bool {
        self.has_feature("F_SELF_ILLUM")
    }

    /// Returns the factor of the base colour, linear: red, green and blue.
    pub fn color_tint(&self) -> [f64; 3] {
        let tint = |name| self.vector(name, [1.0; 3]);
        tint("g_vColorTint").or_else(|| tint("g_vColorTint1")).unwrap_or([1.0; 3])
    }

    /// Returns the factor of the opacity.
    pub fn opacity_scale(&self) -> f64 {
        self.number("g_flOpacityScale").unwrap_or(1.0)
    }

    /// Returns the factor of the emission: tint × scale × 2^brightness. The effect of the brightness is assumed.
    pub fn emission_tint(&self) -> [f64; 3] {
        let scale = self.number("g_flSelfIllumScale").unwrap_or(1.0);
        let factor = scale * math::exp2(self.number("g_flSelfIllumBrightness").unwrap_or(0.0).clamp(-64.0, 64.0));
        self.vector("g_vSelfIllumTint", [1.0; 3]).unwrap_or([1.0; 3]).map(|channel| channel * factor)
    }

    /// Returns the transform of texture coordinates.
    pub fn uv_transform(&self) -> UvTransform {
        let identity = UvTransform::IDENTITY;
        let pair = |name, default| self.vector(name, default).unwrap_or(default);
        UvTransform {
            scale: pair("g_vTexCoordScale", identity.scale),
            offset: pair("g_vTexCoordOffset", identity.offset),
            rotation: self.number("g_flTexCoordRotation").unwrap_or(0.0),
            center: pair("g_vTexCoordCenter", identity.center),
        }
    }

    /// Returns the size in inches that Hammer uses when it first maps the texture (`WorldMappingWidth` and `WorldMappingHeight`). It does
    /// not change texture coordinates.
    pub fn world_mapping(&self) -> Option<[f64; 2]> {
        let block = self.blocks.iter().find(|block| block.name.eq_ignore_ascii_case("SystemAttributes"))?;
        let number =
            |name: &str| block.parameters.iter().find(|parameter| parameter.name.eq_ignore_ascii_case(name))?.number();
        Some([number("WorldMappingWidth")?, number("WorldMappingHeight")?])
    }

    /// Iterates over the keys with paths of images, including those of default textures.
    pub fn images(&self) -> impl Iterator<Item = &Parameter> {
        self.parameters.iter().filter(|parameter| parameter.value == ParameterValue::Image)
    }
}

impl Parameter {
    fn new(name: String, text: String) -> Self {
        let value = ParameterValue::from_text(&text);
        Self { name, text, value }
    }

    /// Returns the value as a number.
    pub fn number(&self) -> Option<f64> {
        match self.value {
            ParameterValue::Number(number) => Some(number),
            _ => None,
        }
    }
}

impl ParameterValue {
    fn from_text(text: &str) -> Self {
        let text = text.trim();
        if let Some(inner) = text.strip_prefix('[').and_then(|text| text.strip_suffix(']')) {
            let words = inner.split([' ', '\t', ',']).filter(|word| !word.is_empty());
            let numbers: Option<Vec<f64>> = words.map(number).collect();
            return numbers.filter(|numbers| !numbers.is_empty()).map_or(Self::Text, Self::Vector);
        }
        if let Some(number) = number(text) {
            return Self::Number(number);
        }
        let extension = text.rsplit_once('.').map(|(_, extension)| extension.to_ascii_lowercase());
        if extension.is_some_and(|extension| IMAGES.contains(&&*extension)) { Self::Image } else { Self::Text }
    }
}

/// Reads a finite number.
fn number(text: &str) -> Option<f64> {
    text.parse().ok().filter(|number: &f64| number.is_finite())
}

fn parameters(block: kv1::Item<'_>) -> Vec<Parameter> {
    let parameter =
        |item: kv1::Item<'_>| Parameter::new(item.name_text().into(), item.text().unwrap_or_default().into());
    block.items().map(parameter).collect()
}

/// Formats a value of KV3 like a value of KeyValues 1. Items of arrays that are not numbers are left out.
fn value_text(value: kv3::Value<'_>) -> String {
    match value.data() {
        kv3::Data::Text(text) => decode(&text).into_owned(),
        kv3::Data::Bool(value) => u8::from(value).to_string(),
        kv3::Data::Array => {
            let numbers = value.items().filter_map(kv3::Value::as_f64).map(format_shortest);
            format!("[{}]", numbers.collect::<Vec<_>>().join(" "))
        }
        _ => value.as_f64().map_or_else(String::new, format_shortest),
    }
}

fn fill<const N: usize>(numbers: &[f64], mut default: [f64; N]) -> [f64; N] {
    default.iter_mut().zip(numbers).for_each(|(to, from)| *to = *from);
    default
}

fn has_prefix(text: &str, prefix: &str) -> bool {
    text.get(..prefix.len()).is_some_and(|start| start.eq_ignore_ascii_case(prefix))
}

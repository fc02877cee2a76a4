//! A document of any format.

use std::path::PathBuf;

use mapwright_etf as etf;
use mapwright_io::{Finding, Severity};
use mapwright_scene::{Import, LossKind};

use crate::detect::detect;
use crate::{Error, Format, ReadOptions};

/// A file of any format. Formats with a document of their own keep their files byte for byte; those for interchange are read
/// into a scene at once.
#[derive(Debug, Clone, PartialEq)]
#[non_exhaustive]
pub enum AnyDocument {
    /// A Wings 3D scene.
    #[cfg(feature = "wings")]
    Wings(mapwright_wings::Document),
    /// A Source 2 Hammer map.
    #[cfg(feature = "vmap")]
    Vmap(mapwright_vmap::Document),
    /// Another DMX file.
    #[cfg(feature = "dmx")]
    Dmx(mapwright_dmx::Document),
    /// A WAP32 level.
    #[cfg(feature = "wwd")]
    Wwd(Box<mapwright_wwd::Document>),
    /// A Gamestudio map.
    #[cfg(feature = "wmp")]
    Wmp(Box<mapwright_wmp::Document>),
    /// A terrain of Operation Flashpoint, Arma or DayZ.
    #[cfg(feature = "wrp")]
    Wrp(Box<mapwright_wrp::Document>),
    /// An Erlang external term.
    Etf(etf::Document),
    /// A file of a format for interchange.
    Scene(Box<SceneFile>),
}

/// What was read from a file of a format for interchange.
#[derive(Debug, Clone, PartialEq)]
pub struct SceneFile {
    /// The format.
    pub format: Format,
    /// The scene, and what of the file is not in it.
    pub import: Import,
    /// The files beside it that were read for it.
    pub beside: Vec<PathBuf>,
}

impl AnyDocument {
    /// Reads a file of any format, found by its content.
    ///
    /// # Errors
    /// [`Error::UnknownFormat`], or that of the format.
    pub fn from_bytes(bytes: &[u8]) -> Result<Self, Error> {
        let format = detect(bytes, None).format.ok_or(Error::UnknownFormat)?;
        Self::from_bytes_as(bytes, format, &ReadOptions::default())
    }

    /// Reads a file of a format that is known.
    ///
    /// # Errors
    /// Those of the format.
    pub fn from_bytes_as(bytes: &[u8], format: Format, options: &ReadOptions) -> Result<Self, Error> {
        Ok(match format {
            #[cfg(feature = "wings")]
            Format::Wings => Self::Wings(mapwright_wings::Document::from_bytes_with(bytes, &options.wings())?),
            #[cfg(feature = "vmap")]
            Format::Vmap => Self::Vmap(mapwright_vmap::Document::from_bytes_with(bytes, &options.dmx())?),
            #[cfg(feature = "dmx")]
            Format::Dmx => Self::Dmx(mapwright_dmx::Document::from_bytes_with(bytes, &options.dmx())?),
            #[cfg(feature = "dmx")]
            Format::KeyValues2 => {
                return Err(Error::Unsupported { format, what: "read under that name: they are vmap or dmx" });
            }
            #[cfg(feature = "wwd")]
            Format::Wwd => Self::Wwd(Box::new(mapwright_wwd::Document::from_bytes_with(bytes, &options.wwd())?)),
            #[cfg(feature = "wmp")]
            Format::Wmp => Self::Wmp(Box::new(mapwright_wmp::Document::from_bytes_with(bytes, &options.wmp())?)),
            #[cfg(feature = "wrp")]
            Format::Wrp => Self::Wrp(Box::new(mapwright_wrp::Document::from_bytes_with(bytes, &options.wrp())?)),
            Format::Etf => Self::Etf(etf::Document::from_bytes_with(bytes, &options.etf())?),
            #[cfg(feature = "gltf")]
            Format::Glb | Format::Gltf => {
                use mapwright_interchange::gltf;
                let files = crate::FilesBeside::new(options);
                let import = gltf::to_scene(bytes, &files, &options.gltf())?;
                Self::Scene(Box::new(SceneFile { format, import, beside: files.into_loaded() }))
            }
            #[cfg(feature = "obj")]
            Format::Obj => {
                use mapwright_interchange::obj;
                let files = crate::FilesBeside::new(options);
                let import = obj::to_scene(bytes, &files, &options.obj())?;
                Self::Scene(Box::new(SceneFile { format, import, beside: files.into_loaded() }))
            }
            #[cfg(feature = "map")]
            Format::Map => {
                let import = mapwright_interchange::map::to_scene(bytes, &options.map())?;
                Self::Scene(Box::new(SceneFile { format, import, beside: Vec::new() }))
            }
            #[cfg(feature = "tiled")]
            Format::Tmx | Format::Tmj => {
                use mapwright_interchange::tiled;
                let files = crate::FilesBeside::new(options);
                let import = tiled::to_scene(bytes, &files, &options.tiled())?;
                Self::Scene(Box::new(SceneFile { format, import, beside: files.into_loaded() }))
            }
            #[cfg(feature = "heightmap")]
            Format::Asc | Format::Tif | Format::HeightPng | Format::Xyz => {
                use mapwright_interchange::heightmap;
                let files = crate::FilesBeside::new(options);
                let import = heightmap::to_scene(bytes, &files, &options.heightmap_of(format))?;
                Self::Scene(Box::new(SceneFile { format, import, beside: files.into_loaded() }))
            }
            #[cfg(feature = "heightmap")]
            Format::CellPng => {
                use mapwright_interchange::heightmap::cells;
                let files = crate::FilesBeside::new(options);
                let import = cells::to_scene(bytes, &files, &options.cells())?;
                Self::Scene(Box::new(SceneFile { format, import, beside: files.into_loaded() }))
            }
        })
    }

    /// Reads a file of a format that is known, as [`Input`](crate::Input) gives it. What keeps its file keeps this one,
    /// where [`from_bytes_as`](Self::from_bytes_as) makes a copy.
    ///
    /// # Errors
    /// Those of the format.
    #[cfg_attr(
        not(any(feature = "dmx", feature = "wmp")),
        expect(clippy::needless_pass_by_value, reason = "the formats that keep it are not there")
    )]
    pub fn from_vec_as(bytes: Vec<u8>, format: Format, options: &ReadOptions) -> Result<Self, Error> {
        Ok(match format {
            #[cfg(feature = "vmap")]
            Format::Vmap => Self::Vmap(mapwright_vmap::Document::from_vec_with(bytes, &options.dmx())?),
            #[cfg(feature = "dmx")]
            Format::Dmx => Self::Dmx(mapwright_dmx::Document::from_vec_with(bytes, &options.dmx())?),
            #[cfg(feature = "wmp")]
            Format::Wmp => Self::Wmp(Box::new(mapwright_wmp::Document::from_vec_with(bytes, &options.wmp())?)),
            _ => Self::from_bytes_as(&bytes, format, options)?,
        })
    }

    /// The format.
    pub fn format(&self) -> Format {
        match self {
            #[cfg(feature = "wings")]
            Self::Wings(_) => Format::Wings,
            #[cfg(feature = "vmap")]
            Self::Vmap(_) => Format::Vmap,
            #[cfg(feature = "dmx")]
            Self::Dmx(_) => Format::Dmx,
            #[cfg(feature = "wwd")]
            Self::Wwd(_) => Format::Wwd,
            #[cfg(feature = "wmp")]
            Self::Wmp(_) => Format::Wmp,
            #[cfg(feature = "wrp")]
            Self::Wrp(_) => Format::Wrp,
            Self::Etf(_) => Format::Etf,
            Self::Scene(file) => file.format,
        }
    }

    /// The files beside it that were read for the document.
    pub fn beside(&self) -> &[PathBuf] {
        match self {
            Self::Scene(file) => &file.beside,
            _ => &[],
        }
    }

    /// Writes the file. An unchanged document gives the bytes that were read.
    ///
    /// # Errors
    /// Those of the format; [`Error::Unsupported`] for formats that are not [lossless](crate::Access::lossless).
    pub fn to_bytes(&self) -> Result<Vec<u8>, Error> {
        Ok(match self {
            #[cfg(feature = "wings")]
            Self::Wings(document) => document.to_bytes()?,
            #[cfg(feature = "vmap")]
            Self::Vmap(document) => document.to_bytes()?,
            #[cfg(feature = "dmx")]
            Self::Dmx(document) => document.to_bytes()?,
            #[cfg(feature = "wwd")]
            Self::Wwd(document) => document.to_bytes()?,
            #[cfg(feature = "wmp")]
            Self::Wmp(document) => document.to_bytes()?,
            #[cfg(feature = "wrp")]
            Self::Wrp(document) => document.to_bytes()?,
            Self::Etf(document) => document.to_bytes()?,
            Self::Scene(file) => return Err(Error::Unsupported { format: file.format, what: "kept byte for byte" }),
        })
    }

    /// The Erlang term and its packing, in formats that are made of one.
    pub fn term(&self) -> Option<&etf::Document> {
        match self {
            #[cfg(feature = "wings")]
            Self::Wings(document) => Some(document.payload()),
            Self::Etf(document) => Some(document),
            _ => None,
        }
    }

    /// The element graph, in formats that are one.
    #[cfg(feature = "dmx")]
    pub fn graph(&self) -> Option<&mapwright_dmx::Document> {
        match self {
            #[cfg(feature = "vmap")]
            Self::Vmap(document) => Some(document.graph()),
            Self::Dmx(document) => Some(document),
            _ => None,
        }
    }

    /// Metres in a unit of length, where the file or its format says.
    pub(crate) fn metres_per_unit(&self) -> Option<f64> {
        match self {
            #[cfg(feature = "vmap")]
            Self::Vmap(_) => Some(mapwright_vmap::scene::METRES_PER_UNIT),
            #[cfg(feature = "wrp")]
            Self::Wrp(_) => Some(1.0),
            Self::Scene(file) => file.import.scene.metres_per_unit,
            _ => None,
        }
    }

    /// What is wrong with the document, or worth knowing.
    pub fn validate(&self) -> Vec<Finding> {
        match self {
            #[cfg(feature = "wings")]
            Self::Wings(document) => document.validate(),
            #[cfg(feature = "vmap")]
            Self::Vmap(document) => document.validate(),
            #[cfg(feature = "dmx")]
            Self::Dmx(document) => document.validate(),
            #[cfg(feature = "wwd")]
            Self::Wwd(document) => document.validate(),
            #[cfg(feature = "wmp")]
            Self::Wmp(document) => document.validate(),
            #[cfg(feature = "wrp")]
            Self::Wrp(document) => document.validate(),
            Self::Etf(document) => document.validate(),
            Self::Scene(file) => scene_findings(&file.import),
        }
    }

    /// What the document means, and what of it a scene does not hold.
    ///
    /// # Errors
    /// Those of the format; [`Error::Unsupported`] for formats that cannot be [imported](crate::Access::import).
    pub fn to_scene(&self) -> Result<Import, Error> {
        match self {
            #[cfg(feature = "wings")]
            Self::Wings(document) => Ok(mapwright_wings::scene::to_scene(document, &Default::default())?),
            #[cfg(feature = "vmap")]
            Self::Vmap(document) => Ok(mapwright_vmap::scene::to_scene(document, &Default::default())?),
            #[cfg(feature = "wwd")]
            Self::Wwd(document) => Ok(mapwright_wwd::scene::to_scene(document, &Default::default())?),
            #[cfg(feature = "wmp")]
            Self::Wmp(document) => Ok(mapwright_wmp::scene::to_scene(document, &Default::default())?),
            #[cfg(feature = "wrp")]
            Self::Wrp(document) => Ok(mapwright_wrp::scene::to_scene(document, &Default::default())?),
            Self::Scene(file) => Ok(file.import.clone()),
            _ => Err(Error::Unsupported { format: self.format(), what: "turned into a scene" }),
        }
    }

    /// As [`to_scene`](Self::to_scene), without a copy of what is a scene already.
    ///
    /// # Errors
    /// As [`to_scene`](Self::to_scene).
    pub fn into_scene(self) -> Result<Import, Error> {
        match self {
            Self::Scene(file) => Ok(file.import),
            other => other.to_scene(),
        }
    }
}

/// Bytes in front of the payload of a `.wings` file.
#[cfg(feature = "wings")]
pub(crate) const WINGS_HEADER: u64 = 19;

/// What is wrong with a scene, and what reading it lost.
fn scene_findings(import: &Import) -> Vec<Finding> {
    let losses = import.losses.iter().map(|loss| {
        let is_note = matches!(loss.kind, LossKind::Synthesized | LossKind::Preserved);
        let severity = if is_note { Severity::Note } else { Severity::Warning };
        Finding::new("import-loss", severity, loss.to_string())
    });
    import.scene.validate().into_iter().chain(losses).collect()
}

#[cfg(all(test, feature = "wings"))]
mod tests {
    use super::*;
    use mapwright_io::Position;

    #[test]
    fn places_of_findings_count_from_the_start_of_the_file() {
        // A plain term with a byte behind it.
        let payload = b"\x83h\x03d\x00\x05wingsa\x02h\x03jjj\x00";
        let length = u32::try_from(payload.len()).unwrap().to_be_bytes();
        let file = [b"#!WINGS-1.0\r\n\x1a\x04", &length[..], payload].concat();
        let findings = AnyDocument::from_bytes(&file).unwrap().validate();
        let trailing = findings.iter().find(|finding| finding.code == "trailing-bytes").unwrap();
        assert_eq!(trailing.at, Some(Position::file(file.len() as u64 - 1)));
    }
}

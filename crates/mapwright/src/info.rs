//! What a file holds, for people and programs.

#[cfg(feature = "dmx")]
mod dmx;
mod scene;
mod term;
#[cfg(feature = "vmap")]
mod vmap;
#[cfg(feature = "wings")]
mod wings;
#[cfg(feature = "wmp")]
mod wmp;
#[cfg(feature = "wrp")]
mod wrp;
#[cfg(feature = "wwd")]
mod wwd;

#[cfg(any(feature = "dmx", feature = "wmp"))]
use std::collections::BTreeMap;

use mapwright_io::{Finding, Severity};
use serde::Serialize;

use crate::{AnyDocument, FilesBeside, Format};

#[cfg(feature = "dmx")]
pub use dmx::{DmxInfo, PrefixInfo};
pub use scene::{SceneInfo, SceneMaterial, SceneObject};
pub use term::TermInfo;
#[cfg(feature = "vmap")]
pub use vmap::{AssetInfo, ThumbnailInfo, VmapInfo, VmapTotals};
#[cfg(feature = "wings")]
pub use wings::{ImageInfo, LightInfo, MapInfo, MaterialInfo, ObjectInfo, SelectionInfo, Totals, ViewInfo, WingsInfo};
#[cfg(feature = "wmp")]
pub use wmp::{WmpInfo, WmpLevel};
#[cfg(feature = "wrp")]
pub use wrp::{WrpInfo, WrpModel};
#[cfg(feature = "wwd")]
pub use wwd::{
    AttributeCount, DroppedObjects, ImageFolder, LogicInfo, TilePropertiesInfo, TreasureInfo, WwdInfo, WwdPlane,
    WwdProvenance,
};

/// A summary of a document. Serialized it is the published form of `mapwright info --json`.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct Info {
    /// The short name of the format.
    pub format: Format,
    /// The name of the format in full.
    pub title: &'static str,
    /// The Erlang term and its packing, in formats that are made of one.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub term: Option<TermInfo>,
    /// What a Wings 3D scene holds.
    #[cfg(feature = "wings")]
    #[serde(skip_serializing_if = "Option::is_none")]
    pub wings: Option<WingsInfo>,
    /// The element graph, in formats that are one.
    #[cfg(feature = "dmx")]
    #[serde(skip_serializing_if = "Option::is_none")]
    pub dmx: Option<DmxInfo>,
    /// What a Source 2 map holds.
    #[cfg(feature = "vmap")]
    #[serde(skip_serializing_if = "Option::is_none")]
    pub vmap: Option<VmapInfo>,
    /// What a WAP32 level holds.
    #[cfg(feature = "wwd")]
    #[serde(skip_serializing_if = "Option::is_none")]
    pub wwd: Option<WwdInfo>,
    /// What a Gamestudio map holds.
    #[cfg(feature = "wmp")]
    #[serde(skip_serializing_if = "Option::is_none")]
    pub wmp: Option<WmpInfo>,
    /// What a terrain holds.
    #[cfg(feature = "wrp")]
    #[serde(skip_serializing_if = "Option::is_none")]
    pub wrp: Option<WrpInfo>,
    /// Handedness and axis that points up, in formats with geometry.
    pub axes: Option<&'static str>,
    /// Metres in a unit of length, where the file says.
    pub metres_per_unit: Option<f64>,
    /// What the scene holds, in formats that are read into one.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub scene: Option<SceneInfo>,
    /// Why the document could be read, but not understood.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub problem: Option<String>,
    /// What [`AnyDocument::validate`] finds, counted.
    pub findings: FindingCounts,
}

/// How many faces have a material.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct MaterialUse {
    /// The name.
    pub name: String,
    /// Faces.
    pub faces: usize,
}

/// How often something occurs.
#[cfg(any(feature = "dmx", feature = "wmp"))]
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct UseCount {
    /// The name.
    pub name: String,
    /// How often.
    pub count: usize,
}

#[cfg(any(feature = "dmx", feature = "wmp"))]
impl UseCount {
    /// Counts what has names, the most frequent first, and what is as frequent in its own order.
    fn of<K: Ord>(keys: impl IntoIterator<Item = K>, name: impl Fn(&K) -> String) -> Vec<Self> {
        let mut counts = BTreeMap::new();
        for key in keys {
            *counts.entry(key).or_insert(0) += 1;
        }
        Self::sorted(counts, name)
    }

    fn sorted<K>(counts: BTreeMap<K, usize>, name: impl Fn(&K) -> String) -> Vec<Self> {
        let mut counts: Vec<Self> = counts.into_iter().map(|(key, count)| Self { name: name(&key), count }).collect();
        counts.sort_by_key(|one| std::cmp::Reverse(one.count));
        counts
    }
}

/// Text of a file, which is mostly UTF-8.
#[cfg(feature = "dmx")]
fn lossy(bytes: &[u8]) -> String {
    String::from_utf8_lossy(bytes).into_owned()
}

/// Numbers of findings.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Serialize)]
pub struct FindingCounts {
    /// What the format's own program refuses or cannot save.
    pub errors: usize,
    /// What is lost or not as it seems.
    pub warnings: usize,
    /// What is worth knowing.
    pub notes: usize,
}

impl FindingCounts {
    /// Counts findings by severity.
    pub fn of(findings: &[Finding]) -> Self {
        let mut counts = Self::default();
        for finding in findings {
            match finding.severity {
                Severity::Error => counts.errors += 1,
                Severity::Warning => counts.warnings += 1,
                _ => counts.notes += 1,
            }
        }
        counts
    }
}

impl AnyDocument {
    /// Summarises the document. With the files beside it, images that it refers to are looked for.
    pub fn info(&self, files: Option<&FilesBeside>) -> Info {
        let info = self.format().info();
        #[cfg(feature = "wings")]
        let (wings, problem, findings) = match self {
            Self::Wings(document) => match document.model() {
                Ok(model) => {
                    let findings = document.validate_model(&model);
                    (Some(WingsInfo::new(document, &model, files)), None, findings)
                }
                Err(error) => (None, Some(error.to_string()), document.validate()),
            },
            _ => (None, None, self.validate()),
        };
        #[cfg(not(feature = "wings"))]
        let (problem, findings, _) = (None, self.validate(), files);
        let scene = match self {
            Self::Scene(file) => Some(&file.import.scene),
            _ => None,
        };
        Info {
            format: self.format(),
            title: info.title,
            term: self.term().map(TermInfo::new),
            #[cfg(feature = "wings")]
            wings,
            #[cfg(feature = "dmx")]
            dmx: self.graph().map(DmxInfo::new),
            #[cfg(feature = "vmap")]
            vmap: match self {
                Self::Vmap(map) => Some(VmapInfo::new(map)),
                _ => None,
            },
            #[cfg(feature = "wwd")]
            wwd: match self {
                Self::Wwd(level) => Some(WwdInfo::new(level)),
                _ => None,
            },
            #[cfg(feature = "wmp")]
            wmp: match self {
                Self::Wmp(map) => Some(WmpInfo::new(map)),
                _ => None,
            },
            #[cfg(feature = "wrp")]
            wrp: match self {
                Self::Wrp(terrain) => Some(WrpInfo::new(terrain)),
                _ => None,
            },
            axes: self.format().axes(),
            metres_per_unit: self.metres_per_unit(),
            scene: scene.map(SceneInfo::new),
            problem,
            findings: FindingCounts::of(&findings),
        }
    }
}

/// The smallest box around two, each given by its smallest and largest coordinates.
fn union([a, b]: [[f64; 3]; 2], [c, d]: [[f64; 3]; 2]) -> [[f64; 3]; 2] {
    let both = |a: [f64; 3], b: [f64; 3], pick: fn(f64, f64) -> f64| {
        let ([ax, ay, az], [bx, by, bz]) = (a, b);
        [pick(ax, bx), pick(ay, by), pick(az, bz)]
    };
    [both(a, c, f64::min), both(b, d, f64::max)]
}

//! The summary of a Quake map.

use mapwright_io::escape_bytes;
use mapwright_qmap::{Document, EditorRole, Entity};
use serde::Serialize;

/// A summary of a Quake map. Texts are encoded as by [`escape_bytes`](mapwright_io::escape_bytes).
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct QuakeMapInfo {
    /// The game in the comment `// Game:`.
    pub game: Option<String>,
    /// The format in the comment `// Format:`.
    pub format: Option<String>,
    /// The number after `Version`: 2 in Doom 3, 3 in Quake 4.
    pub version: Option<f64>,
    /// Number of entities.
    pub entities: usize,
    /// Number of brushes.
    pub brushes: usize,
    /// Number of patches.
    pub patches: usize,
    /// Number of faces of all brushes.
    pub faces: usize,
    /// Names of the layers of TrenchBroom and of netradiant-custom.
    pub layers: Vec<String>,
    /// Number of groups of TrenchBroom.
    pub groups: usize,
    /// Texture files of the key `wad`.
    pub wads: Vec<String>,
}

impl QuakeMapInfo {
    /// Summarizes a map.
    pub fn new(map: &Document) -> Self {
        let count = |is_counted: fn(mapwright_qmap::PrimitiveKind) -> bool| {
            map.primitives().filter(|primitive| is_counted(primitive.kind())).count()
        };
        let with_role = |role: EditorRole| map.entities().filter(move |entity| entity.editor_role() == role);
        let layers = with_role(EditorRole::Layer).map(|layer| escape_bytes(layer.name().unwrap_or_default()));
        let radiant = map.radiant_layers().definitions;
        let wads =
            map.entities().find(|entity| entity.is_class("worldspawn")).and_then(|world| Entity::get(world, "wad"));
        let wads = wads.unwrap_or_default().split(|&byte| byte == b';').map(<[u8]>::trim_ascii);
        Self {
            game: map.game().map(escape_bytes),
            format: map.format().map(escape_bytes),
            version: map.version(),
            entities: map.entity_count(),
            brushes: count(mapwright_qmap::PrimitiveKind::is_brush),
            patches: count(mapwright_qmap::PrimitiveKind::is_patch),
            faces: map.face_count(),
            layers: layers.chain(radiant.iter().map(|layer| escape_bytes(&layer.name))).collect(),
            groups: with_role(EditorRole::Group).count(),
            wads: wads.filter(|path| !path.is_empty()).map(escape_bytes).collect(),
        }
    }
}

//! State of reading a scene.

use std::collections::{BTreeMap, HashMap};

use mapwright_io::{Position, format_count};
use mapwright_scene::{Import, LossKind, Losses, Material, MaterialId, Scene, Value};

use crate::scene::ImportOptions;
use crate::scene::classes::{GAME, game_of, metres_per_unit};
use crate::scene::textures::{NO_TEXTURE, is_tool};
use crate::{Document, NO_TEXTURE as NO_TEXTURES, decode_text};

/// The document and the scene that is made of it.
pub(super) struct Context<'a> {
    pub(super) document: &'a Document,
    pub(super) options: &'a ImportOptions,
    pub(super) scene: Scene,
    losses: Losses,
    materials: HashMap<Vec<u8>, Option<MaterialId>>,
    /// Losses: their number, and the offset of the first one.
    notes: BTreeMap<(LossKind, &'static str), (usize, usize)>,
    /// Number of points of patches.
    pub(super) patch_points: usize,
}

impl<'a> Context<'a> {
    pub(super) fn new(document: &'a Document, options: &'a ImportOptions) -> Self {
        let game = game_of(document);
        let unit = options.metres_per_unit.unwrap_or_else(|| metres_per_unit(game.as_deref()));
        let properties = game.into_iter().map(|game| (GAME, Value::Text(game))).collect();
        Self {
            document,
            options,
            scene: Scene { metres_per_unit: Some(unit), properties, ..Scene::default() },
            losses: Losses::new(),
            materials: HashMap::new(),
            notes: BTreeMap::new(),
            patch_points: 0,
        }
    }

    /// Counts a loss that may repeat often. The offset is its position in the text.
    pub(super) fn note(&mut self, kind: LossKind, what: &'static str, offset: usize) {
        let (count, _) = self.notes.entry((kind, what)).or_insert((0, offset));
        *count = count.saturating_add(1);
    }

    /// Reports a primitive that is not in the scene.
    pub(super) fn drop_part(&mut self, (entity, primitive): (usize, usize), what: &str) {
        self.losses.dropped(format!("entities[{entity}].primitives[{primitive}]"), what);
    }

    /// Returns the material of a texture, created on first use. The empty names of editors have none.
    pub(super) fn material(&mut self, name: &[u8], offset: usize) -> Option<MaterialId> {
        if let Some(&known) = self.materials.get(name) {
            return known;
        }
        let is_none = name.is_empty() || NO_TEXTURES.iter().any(|none| none.as_bytes() == name);
        let material = (!is_none).then(|| {
            let text = self.text(name, offset);
            let is_tool = is_tool(&text);
            self.scene.materials.push(Material { is_tool, ..Material::new(text) })
        });
        if is_none && name != NO_TEXTURE.as_bytes() {
            self.note(LossKind::Preserved, "empty name of a texture: no material", offset);
        }
        self.materials.insert(name.to_vec(), material);
        material
    }

    /// Decodes a text. NULs, with which some programs end texts, are removed.
    pub(super) fn text(&mut self, bytes: &[u8], offset: usize) -> String {
        let mut text = decode_text(bytes).into_owned();
        if text.as_bytes() != bytes {
            self.note(LossKind::Repaired, "text that is not UTF-8: read as Windows-1252", offset);
        }
        if text.contains('\0') {
            self.note(LossKind::Repaired, "text with NUL characters: they are ignored", offset);
            text.retain(|letter| letter != '\0');
        }
        text
    }

    /// Reports comments, which are not in the scene. The numbers of entities and brushes, the game and the format follow from it.
    pub(super) fn report_comments(&mut self) {
        let (mut count, mut first) = (0_usize, None);
        for (start, comment) in self.document.comment_positions().filter(|(_, comment)| !is_standard(comment)) {
            count = count.saturating_add(1);
            first.get_or_insert((start, comment));
        }
        if let Some((start, _)) = first {
            let position = Position::in_text(self.document.as_bytes(), start);
            self.losses.dropped("", format!("{}, the first at {position}", format_count(count, "comment")));
        }
    }

    pub(super) fn finish(mut self) -> Import {
        let text = self.document.as_bytes();
        let mut losses = Losses::new();
        for ((kind, what), (count, offset)) in self.notes {
            let position = Position::in_text(text, offset);
            losses.push(kind, "", format!("{count} × {what}, the first at {position}"));
        }
        losses.append(std::mem::take(&mut self.losses));
        Import { scene: self.scene, losses }
    }
}

/// Returns `true` for comments that editors create.
fn is_standard(comment: &[u8]) -> bool {
    let numbered = |name: &[u8]| comment.strip_prefix(name).is_some_and(|number| number.iter().all(u8::is_ascii_digit));
    let named = |name: &[u8]| comment.starts_with(name);
    let is_counter = [&b"// entity "[..], b"// brush ", b"// primitive "].into_iter().any(numbered);
    is_counter || named(b"// Game: ") || named(b"// Format: ")
}

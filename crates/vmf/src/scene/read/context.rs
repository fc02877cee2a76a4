//! State of reading a map.

use std::collections::{HashMap, HashSet};

use mapwright_io::format_count;
use mapwright_scene::{Losses, Material, MaterialId, NodeId, Scene};

use crate::scene::METRES_PER_UNIT;
use crate::scene::names::is_tool_material;
use crate::{Document, Entity, Separator};

/// The map, and the scene that is made of it.
pub(super) struct Context<'a> {
    pub(super) document: &'a Document,
    pub(super) scene: Scene,
    pub(super) losses: Losses,
    /// The first group with each id.
    pub(super) groups: HashMap<i64, NodeId>,
    /// The index of the first set with each id of a visgroup.
    pub(super) visgroups: HashMap<i64, usize>,
    /// Ids of sides that entities list.
    pub(super) listed_sides: HashSet<i64>,
    pub(super) separator: Separator,
    pub(super) counts: Counts,
    /// Number of solids that were visited.
    pub(super) solids: usize,
    materials: HashMap<String, MaterialId>,
}

/// Numbers of parts that a scene does not have, for one loss each.
#[derive(Default)]
pub(super) struct Counts {
    /// Objects with a colour or a position in the logical view.
    pub(super) editor: usize,
    pub(super) unknown_visgroups: usize,
    pub(super) unknown_groups: usize,
    /// Solids of entities in a group of their own.
    pub(super) grouped_solids: usize,
    pub(super) cordon_solids: usize,
    /// Sides of solids with displacements.
    pub(super) undrawn_sides: usize,
    pub(super) displacements: usize,
    pub(super) other_separators: usize,
    pub(super) comments: usize,
}

impl<'a> Context<'a> {
    pub(super) fn new(document: &'a Document) -> Self {
        let keys = |entity: Entity<'a>| ["sides", "sides2"].into_iter().flat_map(move |key| entity.side_ids(key));
        Self {
            document,
            scene: Scene { metres_per_unit: Some(METRES_PER_UNIT), ..Scene::default() },
            losses: Losses::new(),
            groups: HashMap::new(),
            visgroups: HashMap::new(),
            listed_sides: document.entities().flat_map(keys).collect(),
            separator: document.output_separator(),
            counts: Counts::default(),
            solids: 0,
            materials: HashMap::new(),
        }
    }

    /// Returns the material with a name, created on first use.
    pub(super) fn material(&mut self, name: &str) -> MaterialId {
        if let Some(&known) = self.materials.get(name) {
            return known;
        }
        let id = self.scene.materials.push(Material { is_tool: is_tool_material(name), ..Material::new(name) });
        self.materials.insert(name.to_owned(), id);
        id
    }

    /// Reports what was counted.
    pub(super) fn report_counts(&mut self) {
        let Counts {
            editor,
            unknown_visgroups,
            unknown_groups,
            grouped_solids,
            cordon_solids,
            undrawn_sides,
            displacements,
            other_separators,
            comments,
        } = std::mem::take(&mut self.counts);
        let mut dropped = |count: usize, path: &str, what: &str, text: &str| {
            if count > 0 {
                self.losses.dropped(path, format!("{text} {}", format_count(count, what)));
            }
        };
        dropped(editor, "editor", "object", "colour, and position in the logical view, of");
        dropped(unknown_visgroups, "editor.visgroupid", "membership", "visgroups that do not exist:");
        dropped(unknown_groups, "editor.groupid", "membership", "groups that do not exist:");
        dropped(grouped_solids, "editor.groupid", "solid", "group of entities' own solids:");
        dropped(cordon_solids, "solids", "solid", "made by a cordon:");
        dropped(undrawn_sides, "dispinfo", "side", "not drawn, as others of the solid are displacements:");
        dropped(comments, "comments", "comment", "in the text:");
        if displacements > 0 {
            let count = format_count(displacements, "displacement");
            self.losses.approximated("dispinfo", format!("{count}: as triangles, without flags and other arrays"));
            let text = "texture coordinates of displacements: size of textures in texels unknown, assumed: 64 × 64";
            self.losses.synthesized("dispinfo", text);
        }
        if other_separators > 0 {
            let count = format_count(other_separators, "output");
            self.losses
                .approximated("connections", format!("separator of {count}, which differs from that of the map"));
        }
    }
}

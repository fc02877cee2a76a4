//! Converts scenes to levels.

mod context;
mod defaults;
mod images;
mod loss_count;
mod objects;
mod planes;
mod properties;
mod tiles;

use mapwright_io::Error;
use mapwright_scene::{Content, Estimate, Export, LossKind, Losses, Node, NodeId, Scene, Transform};

use super::fields::{CHECKSUM_BLOCK, Fields, new_object};
use super::values::{bytes, number};
use super::{AXES, ExportOptions, capabilities};
use crate::{Document, FieldValue, Header, Plane, WriteError, WriteErrorKind, WriterProfile, unescape_bytes};
use context::{CHECKED, Inherited, Origin, Writer};
use loss_count::LossCount;
use properties::set_field;

/// Fields of a header, plane and object that are not read from properties.
const HEADER: &[&str] = &["name"];
const PLANE: &[&str] = &["name", "tiles_wide", "tiles_high", "movement_x", "movement_y", "fill_color", "z_coord"];
const OBJECT: &[&str] = &["x", "y", "z", "name", "logic", "image_set"];

/// Writes a scene to a new level.
pub(super) fn write_scene(scene: &Scene, options: &ExportOptions) -> Result<Export<Document>, WriteError> {
    if let Some(finding) = scene.first_error() {
        return Err(Error::on_path(WriteErrorKind::Scene(finding.message), finding.path));
    }
    // A cell is a word, and an object has some 70 fields.
    let counts = scene.occurrences().counts(scene);
    let estimate = Estimate::default().with(counts.tiles, 0, 8).with(counts.nodes, 0, 600);
    estimate.check(options.max_bytes).map_err(|excess| Error::without_position(excess.into()))?;
    let is_foreign = scene.properties.get("format").and_then(|format| format.as_text()) != Some("wwd");
    let mut writer = Writer {
        scene,
        is_foreign,
        document: Document::new(),
        losses: capabilities().losses(scene),
        layers: Vec::new(),
        origins: Vec::new(),
        unparented: Vec::new(),
        start: None,
        free_id: objects::find_free_id(scene),
        plane: Fields::new(&Plane::default(), PLANE),
        object: Fields::new(&new_object(), OBJECT),
        places: LossCount::default(),
        turned: LossCount::default(),
        foreign: LossCount::default(),
        entities: vec![false; scene.entities.len()],
        tile_layers: vec![false; scene.tile_layers.len()],
    };
    writer.write_header(options);
    writer.write_nodes();
    // A foreign scene gets its planes before objects without a plane are placed on the main plane.
    if is_foreign {
        defaults::ensure_planes(&mut writer.document, &writer.unparented, &mut writer.losses);
    }
    // Before objects are placed on the main plane: they move with it.
    planes::move_to_origin(&mut writer);
    objects::adopt_unparented_objects(&mut writer);
    tiles::write_tile_properties(&mut writer);
    // The defaults of header and tile properties depend on the main plane.
    if is_foreign {
        defaults::ensure_header(&mut writer.document, writer.start.is_some(), &mut writer.losses);
        defaults::ensure_tile_properties(&mut writer.document, &mut writer.losses);
    }
    if is_foreign {
        objects::report_unplayable(&mut writer);
    }
    images::report(scene, &mut writer.losses);
    writer.report();
    // Last: the checksum belongs to the finished main block.
    writer.restore_checksum(options);
    Ok(Export { document: writer.document, losses: writer.losses })
}

/// Writes a changed scene back into its level; see [`merge_scene`](super::merge_scene).
pub(super) fn merge_scene(
    document: &mut Document,
    scene: &Scene,
    options: &ExportOptions,
) -> Result<Losses, WriteError> {
    let Export { document: mut new, losses } = write_scene(scene, options)?;
    if !scene.walk().any(|visit| is_start(visit.node)) {
        (new.header.start_x, new.header.start_y) = (document.header.start_x, document.header.start_y);
    }
    let (layout, stored) = (document.layout.take(), document.stored.take());
    *document = Document { layout, stored, ..new };
    Ok(losses)
}

/// Returns `true` if a node is the start of the player.
fn is_start(node: &Node) -> bool {
    matches!(node.content, Content::Marker) && node.name == "start"
}

impl<'a> Writer<'a> {
    fn write_header(&mut self, options: &ExportOptions) {
        let properties = &self.scene.properties;
        let header = &mut self.document.header;
        let fields = Fields::new(&Header::default(), HEADER);
        let known = ["format", "profile", "style", "trailer", CHECKSUM_BLOCK];
        fields.apply_properties(header, properties, &known, "properties", &mut self.foreign, &mut self.losses);
        self.foreign.check_text(&self.scene.name, "name");
        set_field(header, "name", FieldValue::Text(unescape_bytes(&self.scene.name)), "name", &mut self.losses);
        // Older scenes call it `style`.
        let profile = properties.get("profile").or_else(|| properties.get("style"));
        let profile = profile.and_then(|profile| profile.as_text());
        let named = if profile.is_some_and(|profile| profile.eq_ignore_ascii_case("wapmap")) {
            WriterProfile::WapMap
        } else {
            WriterProfile::Editor
        };
        self.document.profile = options.profile.unwrap_or(named);
        if let Some(trailer) = properties.get("trailer") {
            self.foreign.check_value(trailer, "properties");
            self.document.trailer = bytes(trailer).unwrap_or_default();
        }
    }

    fn write_nodes(&mut self) {
        let top = |root| Inherited { root, plane: None, transform: Transform::IDENTITY, visible: true };
        let roots = self.scene.roots.iter().enumerate().rev();
        let mut stack: Vec<(NodeId, Inherited)> = roots.map(|(root, id)| (*id, top(root))).collect();
        while let Some((id, inherited)) = stack.pop() {
            let node = self.scene.nodes.get(id).expect(CHECKED);
            let own = self.write_node(id, node, inherited);
            stack.extend(node.children.iter().rev().map(|child| (*child, own)));
        }
    }

    fn write_node(&mut self, id: NodeId, node: &'a Node, inherited: Inherited) -> Inherited {
        let transform = inherited.transform.compose(&node.transform);
        let own = Inherited { transform, visible: inherited.visible && node.visible, ..inherited };
        let path = format!("nodes[{}]", id.index());
        match &node.content {
            Content::TileLayer(id) => {
                if inherited.plane.is_some() {
                    self.losses.approximated(&path, "tile layer inside another one: converted to a separate plane");
                }
                if own.transform.linear() != Transform::IDENTITY.linear() {
                    self.losses.dropped(&path, "rotation and scale of the tile layer");
                }
                let [x, y, depth] = AXES.apply(node.transform.origin());
                let [group_x, group_y, group_depth] = AXES.apply(inherited.transform.origin());
                if depth + group_depth != 0.0 {
                    self.losses.dropped(&path, "depth of the tile layer");
                }
                let (own_offset, group) = ([x, y], [group_x, group_y]);
                self.origins.push(Origin { path: path.clone(), root: inherited.root, own: own_offset, group });
                *self.tile_layers.get_mut(id.index()).expect(CHECKED) = true;
                let layer = self.scene.tile_layers.get(*id).expect(CHECKED);
                let index = self.document.planes.len();
                planes::write_plane(self, node, layer, own.visible, &path);
                let (plane, transform) = (Some(index), Transform::IDENTITY);
                return Inherited { root: inherited.root, plane, transform, visible: true };
            }
            Content::Entity(entity) => {
                let object = objects::write_object(self, node, *entity, &own, &path);
                match inherited.plane.and_then(|index| self.document.planes.get_mut(index)) {
                    Some(plane) => plane.objects.push(object),
                    None => self.unparented.push((inherited.root, object)),
                }
                if !node.children.is_empty() {
                    self.losses.approximated(&path, "children of an entity: moved beside it");
                }
            }
            Content::Group => self.losses.dropped(&path, "group: its children stay"),
            Content::Marker if is_start(node) && self.start.is_none() => {
                let [x, y, _] = AXES.apply(transform.origin());
                self.start = Some((inherited.root, [x, y], path));
            }
            Content::Marker => self.losses.dropped(&path, "marker: levels store only the start"),
            // The capabilities report the other contents.
            _ => {}
        }
        own
    }

    /// Restores an unusual checksum if it belongs to this main block.
    fn restore_checksum(&mut self, options: &ExportOptions) {
        let block = self.scene.properties.get(CHECKSUM_BLOCK).and_then(number).filter(|_| options.profile.is_none());
        let document = &mut self.document;
        if block.is_some() && document.main_block_adler32().ok() == block {
            // A document whose main block was just computed can be stored.
            document.store(document.profile).expect("the main block can be written");
        }
    }

    /// Reports the counted losses.
    fn report(&mut self) {
        let Self { places, foreign, turned, losses, .. } = self;
        places.report(LossKind::Approximated, "a number, rounded to a 32-bit integer", losses);
        let text = "non-ASCII text written as UTF-8: the games use a Windows code page";
        foreign.report(LossKind::Approximated, text, losses);
        turned.report(LossKind::Dropped, "rotation and scale of an entity", losses);
        for (kind, shown) in [("entities", &self.entities), ("tile_layers", &self.tile_layers)] {
            let unused = shown.iter().filter(|shown| !**shown).count();
            if unused > 0 {
                losses.dropped(kind, format!("{unused} unused: no node refers to them"));
            }
        }
    }
}

//! Scene → document.

use mapwright_io::Error;
use mapwright_scene::{
    Content, EntityId, Estimate, Export, Losses, Node, NodeId, Scene, TileLayer, TileLayerId, TileSetId, Transform,
};

use super::count::Count;
use super::fields::{Fields, bytes, is_true, number, put};
use super::to::{CHECKSUM_BLOCK, PLANE_FLAGS, TILE, pixels};
use super::{AXES, ExportOptions, capabilities, images, new, tiles};
use crate::{
    Document, DrawFlags, FieldValue, Header, Object, Plane, Style, WriteError, WriteErrorKind, unescape_bytes,
};

/// Fields of a header, plane and object that properties do not set.
const HEADER: &[&str] = &["name"];
const PLANE: &[&str] = &["name", "tiles_wide", "tiles_high", "movement_x", "movement_y", "fill_color", "z_coord"];
const OBJECT: &[&str] = &["x", "y", "z", "name", "logic", "image_set"];

/// The document of a scene.
pub(super) fn write(scene: &Scene, options: &ExportOptions) -> Result<Export<Document>, WriteError> {
    if let Some(finding) = scene.first_error() {
        return Err(Error::on_path(WriteErrorKind::Scene(finding.message), finding.path));
    }
    // A cell is a word, and an object has some 70 fields.
    let counts = scene.occurrences().counts(scene);
    let estimate = Estimate::default().with(counts.tiles, 0, 8).with(counts.nodes, 0, 600);
    estimate.check(options.max_bytes).map_err(|excess| Error::without_position(excess.into()))?;
    let mut writer = Writer {
        scene,
        document: Document::new(),
        losses: capabilities().losses(scene),
        layers: Vec::new(),
        homeless: Vec::new(),
        has_start: false,
        plane: Fields::new(&Plane::default(), PLANE),
        object: Fields::new(&Object::default(), OBJECT),
        places: Count::default(),
        turned: Count::default(),
        foreign: Count::default(),
        entities: vec![false; scene.entities.len()],
        tile_layers: vec![false; scene.tile_layers.len()],
    };
    writer.header(options);
    writer.nodes();
    let is_new = scene.properties.get("format").and_then(|format| format.as_text()) != Some("wwd");
    if is_new {
        new::planes(&mut writer.document, &writer.homeless, &mut writer.losses);
    }
    writer.homeless();
    writer.tile_properties();
    if is_new {
        new::header(&mut writer.document, writer.has_start, &mut writer.losses);
        new::tile_properties(&mut writer.document, &mut writer.losses);
    }
    images::report(scene, &mut writer.losses);
    writer.report();
    writer.keep_checksum(options);
    Ok(Export { document: writer.document, losses: writer.losses })
}

/// Whether a node says where the player starts.
pub(super) fn is_start(node: &Node) -> bool {
    matches!(node.content, Content::Marker) && node.name == "start"
}

struct Writer<'a> {
    scene: &'a Scene,
    document: Document,
    losses: Losses,
    /// The layer of each plane.
    layers: Vec<&'a TileLayer>,
    /// Objects that stand on no plane.
    homeless: Vec<Object>,
    has_start: bool,
    plane: Fields,
    object: Fields,
    /// Numbers that the format rounds.
    places: Count,
    turned: Count,
    /// Texts of which the file does not say how they are to be read.
    foreign: Count,
    /// Which entities and tile layers a node shows.
    entities: Vec<bool>,
    tile_layers: Vec<bool>,
}

/// What is above a node, up to its plane.
#[derive(Clone, Copy)]
struct Above {
    plane: Option<usize>,
    transform: Transform,
    visible: bool,
}

impl<'a> Writer<'a> {
    fn header(&mut self, options: &ExportOptions) {
        let properties = &self.scene.properties;
        let header = &mut self.document.header;
        let fields = Fields::new(&Header::default(), HEADER);
        let known = ["format", "style", "trailer", CHECKSUM_BLOCK];
        fields.hear(header, properties, &known, "properties", &mut self.foreign, &mut self.losses);
        self.foreign.text(&self.scene.name, "name");
        put(header, "name", FieldValue::Text(unescape_bytes(&self.scene.name)), "name", &mut self.losses);
        let style = properties.get("style").and_then(|style| style.as_text());
        let said =
            if style.is_some_and(|style| style.eq_ignore_ascii_case("wapmap")) { Style::WapMap } else { Style::Editor };
        self.document.style = options.style.unwrap_or(said);
        if let Some(trailer) = properties.get("trailer") {
            self.foreign.value(trailer, "properties");
            self.document.trailer = bytes(trailer).unwrap_or_default();
        }
    }

    fn nodes(&mut self) {
        let top = Above { plane: None, transform: Transform::IDENTITY, visible: true };
        let mut stack: Vec<(NodeId, Above)> = self.scene.roots.iter().rev().map(|id| (*id, top)).collect();
        while let Some((id, above)) = stack.pop() {
            let Some(node) = self.scene.nodes.get(id) else { continue };
            let below = self.node(id, node, above);
            stack.extend(node.children.iter().rev().map(|child| (*child, below)));
        }
    }

    fn node(&mut self, id: NodeId, node: &'a Node, above: Above) -> Above {
        let transform = above.transform.then(&node.transform);
        let below = Above { plane: above.plane, transform, visible: above.visible && node.visible };
        let path = format!("nodes[{}]", id.index());
        match &node.content {
            Content::TileLayer(id) => {
                if above.plane.is_some() {
                    self.losses.approximated(&path, "tile layer below another, as a plane of its own");
                }
                if !below.transform.is_identity() {
                    self.losses.dropped(&path, "where the tile layer stands");
                }
                if let Some(layer) = self.tile_layer(*id) {
                    let index = self.document.planes.len();
                    self.layer(node, layer, below.visible, &path);
                    return Above { plane: Some(index), transform: Transform::IDENTITY, visible: true };
                }
            }
            Content::Entity(entity) => {
                let object = self.entity(node, *entity, &below, &path);
                match above.plane.and_then(|index| self.document.planes.get_mut(index)) {
                    Some(plane) => plane.objects.push(object),
                    None => self.homeless.push(object),
                }
                if !node.children.is_empty() {
                    self.losses.approximated(&path, "nodes below an entity, beside it");
                }
            }
            Content::Group => self.losses.dropped(&path, "group around what is below"),
            Content::Marker if is_start(node) && !self.has_start => {
                let [x, y, _] = AXES.apply(transform.origin());
                self.has_start = true;
                let header = &mut self.document.header;
                (header.start_x, header.start_y) = (self.places.whole(x, &path), self.places.whole(y, &path));
            }
            Content::Marker => self.losses.dropped(&path, "marker other than the start"),
            // What the capabilities do not have.
            _ => {}
        }
        below
    }

    fn tile_layer(&mut self, id: TileLayerId) -> Option<&'a TileLayer> {
        if let Some(shown) = self.tile_layers.get_mut(id.index()) {
            *shown = true;
        }
        self.scene.tile_layers.get(id)
    }

    fn layer(&mut self, node: &Node, layer: &'a TileLayer, visible: bool, path: &str) {
        let mut plane = Plane::default();
        let [columns, rows] = layer.size.map(|count| i32::try_from(count).unwrap_or(i32::MAX));
        if layer.size != [columns, rows].map(i32::cast_unsigned) {
            self.losses.repaired(path, "a grid without cells that is too large");
        }
        (plane.tiles_wide, plane.tiles_high) = (columns, rows);
        let [tile_w, tile_h] = layer.tile_size.map(|pixels| i32::try_from(pixels).ok().filter(|pixels| *pixels > 0));
        if tile_w.is_none() || tile_h.is_none() {
            self.losses
                .repaired(path, format!("tiles of {:?} pixels, with {TILE} for what cannot be", layer.tile_size));
        }
        (plane.tile_w, plane.tile_h) = (tile_w.unwrap_or(TILE.cast_signed()), tile_h.unwrap_or(TILE.cast_signed()));
        self.plane.hear(&mut plane, &layer.properties, &["main"], path, &mut self.foreign, &mut self.losses);
        if layer.properties.get("width_px").is_none() {
            plane.width_px = plane.tile_w.saturating_mul(columns);
        }
        if layer.properties.get("height_px").is_none() {
            plane.height_px = plane.tile_h.saturating_mul(rows);
        }
        if !is_usual(plane.tile_w, plane.tile_h) {
            let text = format!(
                "tiles of {} by {} pixels: the games take squares of a power of two",
                plane.tile_w, plane.tile_h
            );
            self.losses.preserved(path, text);
        }
        let is_main = layer.properties.get("main").is_some_and(is_true);
        for (flag, set) in PLANE_FLAGS.into_iter().zip([is_main, !visible, layer.wrap[0], layer.wrap[1]]) {
            plane.flags = plane.flags.with(flag, set);
        }
        let [movement_x, movement_y] = layer.parallax.map(|parallax| self.places.percent(parallax, path));
        (plane.movement_x, plane.movement_y) = (movement_x, movement_y);
        (plane.fill_color, plane.z_coord) = (layer.fill.unwrap_or_default(), layer.z);
        plane.tiles = layer.cells.clone().into();
        for set in &layer.tile_sets {
            self.image_set(&mut plane, *set);
        }
        let name = if layer.name.is_empty() { &node.name } else { &layer.name };
        if name != &node.name {
            self.losses.dropped(path, format!("name {:?} beside that of the tile layer", node.name));
        }
        self.foreign.text(name, path);
        put(&mut plane, "name", FieldValue::Text(unescape_bytes(name)), path, &mut self.losses);
        self.document.planes.push(plane);
        self.layers.push(layer);
    }

    fn image_set(&mut self, plane: &mut Plane, id: TileSetId) {
        let path = format!("tile_sets[{}]", id.index());
        let name = self.scene.tile_sets.get(id).map_or("", |set| &set.name);
        self.foreign.text(name, &path);
        let mut name = unescape_bytes(name);
        if name.contains(&0) {
            self.losses.repaired(path, "a name with NUL, without it");
            name.retain(|byte| *byte != 0);
        }
        // It has no NUL.
        let _ = plane.image_sets.push(&name);
    }

    fn entity(&mut self, node: &Node, id: EntityId, below: &Above, path: &str) -> Object {
        let mut object = Object::default();
        let Some(entity) = self.scene.entities.get(id) else { return object };
        if let Some(shown) = self.entities.get_mut(id.index()) {
            *shown = true;
        }
        self.object.hear(&mut object, &entity.properties, &[], path, &mut self.foreign, &mut self.losses);
        if !entity.connections.is_empty() {
            self.losses.dropped(path, "connections of the entity");
        }
        let model = entity.model.as_deref().unwrap_or_default();
        for text in [&node.name, &entity.class, model] {
            self.foreign.text(text, path);
        }
        object.name = unescape_bytes(&node.name);
        object.logic = unescape_bytes(&entity.class);
        object.image_set = unescape_bytes(model);
        let [x, y, z] = AXES.apply(below.transform.origin()).map(|number| self.places.whole(number, path));
        (object.x, object.y, object.z) = (x, y, z);
        if below.transform.linear() != Transform::IDENTITY.linear() {
            self.turned.add(path);
        }
        if !below.visible {
            object.draw_flags = object.draw_flags.with(DrawFlags::NO_DRAW, true);
        }
        object
    }

    /// Puts what stands on no plane on the main plane.
    fn homeless(&mut self) {
        if self.homeless.is_empty() {
            return;
        }
        let index = self.document.main_plane_index().unwrap_or_default();
        let count = self.homeless.len();
        match self.document.planes.get_mut(index) {
            Some(plane) => {
                plane.objects.append(&mut self.homeless);
                self.losses.approximated("", format!("{count} entities on no tile layer, on plane {index}"));
            }
            None => self.losses.dropped("", format!("{count} entities on no tile layer: there is no plane for them")),
        }
    }

    fn tile_properties(&mut self) {
        let planes: Vec<_> = self.layers.iter().zip(&self.document.planes).collect();
        let kinds: Vec<_> =
            planes.iter().map(|(layer, plane)| (plane.is_main(), !layer.tile_sets.is_empty())).collect();
        let owner = tiles::owner(&kinds).and_then(|index| planes.get(index));
        let usual = owner.map_or([TILE; 2], |(_, plane)| [plane.tile_w, plane.tile_h].map(pixels));
        // A set that no plane has can only be there for the table.
        let set = owner.and_then(|(layer, _)| layer.tile_sets.first().copied());
        let set = set.or_else(|| self.scene.tile_sets.ids().next());
        for (id, tiles) in self.scene.tile_sets.iter() {
            let path = format!("tile_sets[{}]", id.index());
            if Some(id) == set {
                self.document.tile_properties = tiles::hear(tiles, usual, &path, &mut self.losses);
            } else {
                tiles::report(tiles, &path, &mut self.losses);
            }
        }
    }

    /// Keeps a checksum of no usual kind, if the main block still is the one that it was stored with.
    fn keep_checksum(&mut self, options: &ExportOptions) {
        let said = self.scene.properties.get(CHECKSUM_BLOCK).and_then(number).filter(|_| options.style.is_none());
        let document = &mut self.document;
        if said.is_some() && document.main_block_adler32().ok() == said {
            // What cannot be written fails when it is.
            let _ = document.store(document.style);
        }
    }

    /// Reports what was counted.
    fn report(&mut self) {
        let Self { places, foreign, turned, losses, .. } = self;
        if let Some((path, count)) = places.counted() {
            losses.approximated(path, format!("{count} numbers, as whole ones of 32 bits"));
        }
        if let Some((path, count)) = foreign.counted() {
            let text = "texts with letters beyond ASCII, as UTF-8: the games show them in a code page of Windows";
            losses.approximated(path, format!("{count} {text}"));
        }
        if let Some((path, count)) = turned.counted() {
            losses.dropped(path, format!("rotation and scale of {count} entities"));
        }
        for (kind, shown) in [("entities", &self.entities), ("tile_layers", &self.tile_layers)] {
            let unused = shown.iter().filter(|shown| !**shown).count();
            if unused > 0 {
                losses.dropped(kind, format!("{unused} that no node shows"));
            }
        }
    }
}

/// Whether the games take tiles of that size.
fn is_usual(width: i32, height: i32) -> bool {
    width == height && width > 0 && width.cast_unsigned().is_power_of_two()
}

//! Conversion from scenes to levels.

use mapwright_io::Error;
use mapwright_scene::{
    Content, EntityId, Estimate, Export, Losses, Node, NodeId, Scene, TileLayer, TileLayerId, TileSetId, Transform,
};

use super::count::LossCount;
use super::fields::{Fields, bytes, is_true, number, set_field};
use super::to::{CHECKSUM_BLOCK, DEFAULT_TILE, PLANE_FLAGS, pixels};
use super::{AXES, ExportOptions, capabilities, images, new, tiles};
use crate::{
    Document, DrawFlags, FieldValue, Header, Object, Plane, WriteError, WriteErrorKind, WriterProfile, unescape_bytes,
};

/// Fields of a header, plane and object that are not read from properties.
const HEADER: &[&str] = &["name"];
const PLANE: &[&str] = &["name", "tiles_wide", "tiles_high", "movement_x", "movement_y", "fill_color", "z_coord"];
const OBJECT: &[&str] = &["x", "y", "z", "name", "logic", "image_set"];

/// The reason why references of the scene exist.
const CHECKED: &str = "the scene was checked";

/// Converts a scene.
pub(super) fn convert(scene: &Scene, options: &ExportOptions) -> Result<Export<Document>, WriteError> {
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
        unparented: Vec::new(),
        has_start: false,
        plane: Fields::new(&Plane::default(), PLANE),
        object: Fields::new(&Object::default(), OBJECT),
        places: LossCount::default(),
        turned: LossCount::default(),
        foreign: LossCount::default(),
        entities: vec![false; scene.entities.len()],
        tile_layers: vec![false; scene.tile_layers.len()],
    };
    writer.header(options);
    writer.nodes();
    // A foreign scene gets its planes before objects without a plane are placed on the main plane.
    let is_foreign = scene.properties.get("format").and_then(|format| format.as_text()) != Some("wwd");
    if is_foreign {
        new::ensure_planes(&mut writer.document, &writer.unparented, &mut writer.losses);
    }
    writer.adopt_unparented_objects();
    writer.tile_properties();
    // The defaults of header and tile properties depend on the main plane.
    if is_foreign {
        new::ensure_header(&mut writer.document, writer.has_start, &mut writer.losses);
        new::ensure_tile_properties(&mut writer.document, &mut writer.losses);
    }
    images::report(scene, &mut writer.losses);
    writer.report();
    // Last: the checksum belongs to the finished main block.
    writer.restore_checksum(options);
    Ok(Export { document: writer.document, losses: writer.losses })
}

/// Returns `true` if a node is the start of the player.
pub(super) fn is_start(node: &Node) -> bool {
    matches!(node.content, Content::Marker) && node.name == "start"
}

struct Writer<'a> {
    scene: &'a Scene,
    document: Document,
    losses: Losses,
    /// The tile layer of each plane.
    layers: Vec<&'a TileLayer>,
    /// Objects without a plane.
    unparented: Vec<Object>,
    has_start: bool,
    plane: Fields,
    object: Fields,
    /// Numbers that were rounded.
    places: LossCount,
    turned: LossCount,
    /// Texts with letters beyond ASCII.
    foreign: LossCount,
    /// Entities and tile layers that a node refers to.
    entities: Vec<bool>,
    tile_layers: Vec<bool>,
}

/// State inherited from the ancestors of a node, up to its plane.
#[derive(Clone, Copy)]
struct Inherited {
    plane: Option<usize>,
    transform: Transform,
    visible: bool,
}

impl<'a> Writer<'a> {
    fn header(&mut self, options: &ExportOptions) {
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

    fn nodes(&mut self) {
        let top = Inherited { plane: None, transform: Transform::IDENTITY, visible: true };
        let mut stack: Vec<(NodeId, Inherited)> = self.scene.roots.iter().rev().map(|id| (*id, top)).collect();
        while let Some((id, inherited)) = stack.pop() {
            let node = self.scene.nodes.get(id).expect(CHECKED);
            let own = self.node(id, node, inherited);
            stack.extend(node.children.iter().rev().map(|child| (*child, own)));
        }
    }

    fn node(&mut self, id: NodeId, node: &'a Node, inherited: Inherited) -> Inherited {
        let transform = inherited.transform.then(&node.transform);
        let own = Inherited { plane: inherited.plane, transform, visible: inherited.visible && node.visible };
        let path = format!("nodes[{}]", id.index());
        match &node.content {
            Content::TileLayer(id) => {
                if inherited.plane.is_some() {
                    self.losses.approximated(&path, "tile layer inside another one: converted to a separate plane");
                }
                if !own.transform.is_identity() {
                    self.losses.dropped(&path, "transform of the tile layer");
                }
                let layer = self.tile_layer(*id);
                let index = self.document.planes.len();
                self.layer(node, layer, own.visible, &path);
                return Inherited { plane: Some(index), transform: Transform::IDENTITY, visible: true };
            }
            Content::Entity(entity) => {
                let object = self.entity(node, *entity, &own, &path);
                match inherited.plane.and_then(|index| self.document.planes.get_mut(index)) {
                    Some(plane) => plane.objects.push(object),
                    None => self.unparented.push(object),
                }
                if !node.children.is_empty() {
                    self.losses.approximated(&path, "children of an entity: moved beside it");
                }
            }
            Content::Group => self.losses.dropped(&path, "group: its children are kept"),
            Content::Marker if is_start(node) && !self.has_start => {
                let [x, y, _] = AXES.apply(transform.origin());
                self.has_start = true;
                let header = &mut self.document.header;
                (header.start_x, header.start_y) = (self.places.round(x, &path), self.places.round(y, &path));
            }
            Content::Marker => self.losses.dropped(&path, "marker: levels store only the start"),
            // The capabilities report the other contents.
            _ => {}
        }
        own
    }

    fn tile_layer(&mut self, id: TileLayerId) -> &'a TileLayer {
        *self.tile_layers.get_mut(id.index()).expect(CHECKED) = true;
        self.scene.tile_layers.get(id).expect(CHECKED)
    }

    fn layer(&mut self, node: &Node, layer: &'a TileLayer, visible: bool, path: &str) {
        let mut plane = Plane::default();
        let [columns, rows] = layer.size.map(|count| i32::try_from(count).unwrap_or(i32::MAX));
        if layer.size != [columns, rows].map(i32::cast_unsigned) {
            self.losses.repaired(path, "size of an empty grid reduced to 32 bits");
        }
        (plane.tiles_wide, plane.tiles_high) = (columns, rows);
        let [tile_w, tile_h] = layer.tile_size.map(|pixels| i32::try_from(pixels).ok().filter(|pixels| *pixels > 0));
        if tile_w.is_none() || tile_h.is_none() {
            self.losses.repaired(path, format!("invalid tile size {:?}: replaced by {DEFAULT_TILE}", layer.tile_size));
        }
        (plane.tile_w, plane.tile_h) =
            (tile_w.unwrap_or(DEFAULT_TILE.cast_signed()), tile_h.unwrap_or(DEFAULT_TILE.cast_signed()));
        self.plane.apply_properties(
            &mut plane,
            &layer.properties,
            &["main"],
            path,
            &mut self.foreign,
            &mut self.losses,
        );
        if layer.properties.get("width_px").is_none() {
            plane.width_px = plane.tile_w.saturating_mul(columns);
        }
        if layer.properties.get("height_px").is_none() {
            plane.height_px = plane.tile_h.saturating_mul(rows);
        }
        if !is_playable_size(plane.tile_w, plane.tile_h) {
            let text =
                format!("tiles of {}×{} pixels: the games need squares of a power of two", plane.tile_w, plane.tile_h);
            self.losses.preserved(path, text);
        }
        let is_main = layer.properties.get("main").is_some_and(is_true);
        for (flag, set) in PLANE_FLAGS.into_iter().zip([is_main, !visible, layer.wrap[0], layer.wrap[1]]) {
            plane.flags = plane.flags.with(flag, set);
        }
        let [movement_x, movement_y] = layer.parallax.map(|parallax| self.places.round_percent(parallax, path));
        (plane.movement_x, plane.movement_y) = (movement_x, movement_y);
        (plane.fill_color, plane.z_coord) = (layer.fill.unwrap_or_default(), layer.z);
        plane.tiles = layer.cells.clone().into();
        for set in &layer.tile_sets {
            self.image_set(&mut plane, *set);
        }
        let name = if layer.name.is_empty() { &node.name } else { &layer.name };
        if name != &node.name {
            self.losses.dropped(path, format!("name {:?} of the node: the tile layer has another one", node.name));
        }
        self.foreign.check_text(name, path);
        set_field(&mut plane, "name", FieldValue::Text(unescape_bytes(name)), path, &mut self.losses);
        self.document.planes.push(plane);
        self.layers.push(layer);
    }

    fn image_set(&mut self, plane: &mut Plane, id: TileSetId) {
        let path = format!("tile_sets[{}]", id.index());
        let name = &self.scene.tile_sets.get(id).expect(CHECKED).name;
        self.foreign.check_text(name, &path);
        let mut name = unescape_bytes(name);
        if name.contains(&0) {
            self.losses.repaired(path, "NUL removed from the name");
            name.retain(|byte| *byte != 0);
        }
        plane.image_sets.push(&name).expect("the NULs were removed");
    }

    fn entity(&mut self, node: &Node, id: EntityId, own: &Inherited, path: &str) -> Object {
        let mut object = Object::default();
        let entity = self.scene.entities.get(id).expect(CHECKED);
        *self.entities.get_mut(id.index()).expect(CHECKED) = true;
        self.object.apply_properties(&mut object, &entity.properties, &[], path, &mut self.foreign, &mut self.losses);
        if !entity.connections.is_empty() {
            self.losses.dropped(path, "connections of the entity");
        }
        let model = entity.model.as_deref().unwrap_or_default();
        for text in [&node.name, &entity.class, model] {
            self.foreign.check_text(text, path);
        }
        object.name = unescape_bytes(&node.name);
        object.logic = unescape_bytes(&entity.class);
        object.image_set = unescape_bytes(model);
        let [x, y, z] = AXES.apply(own.transform.origin()).map(|number| self.places.round(number, path));
        (object.x, object.y, object.z) = (x, y, z);
        if own.transform.linear() != Transform::IDENTITY.linear() {
            self.turned.add(path);
        }
        if !own.visible {
            object.draw_flags = object.draw_flags.with(DrawFlags::NO_DRAW, true);
        }
        object
    }

    /// Places objects without a plane on the main plane.
    fn adopt_unparented_objects(&mut self) {
        if self.unparented.is_empty() {
            return;
        }
        let index = self.document.main_plane_index().unwrap_or_default();
        let count = self.unparented.len();
        match self.document.planes.get_mut(index) {
            Some(plane) => {
                plane.objects.append(&mut self.unparented);
                self.losses.approximated("", format!("{count} entities without a tile layer: placed on plane {index}"));
            }
            None => self.losses.dropped("", format!("{count} entities without a tile layer: the level has no plane")),
        }
    }

    fn tile_properties(&mut self) {
        let planes: Vec<_> = self.layers.iter().zip(&self.document.planes).collect();
        let kinds: Vec<_> =
            planes.iter().map(|(layer, plane)| (plane.is_main(), !layer.tile_sets.is_empty())).collect();
        let owner = tiles::find_owner(&kinds).and_then(|index| planes.get(index));
        let default_size = owner.map_or([DEFAULT_TILE; 2], |(_, plane)| [plane.tile_w, plane.tile_h].map(pixels));
        // A set that no plane uses exists only for the tile properties.
        let set = owner.and_then(|(layer, _)| layer.tile_sets.first().copied());
        let set = set.or_else(|| self.scene.tile_sets.ids().next());
        for (id, tiles) in self.scene.tile_sets.iter() {
            let path = format!("tile_sets[{}]", id.index());
            if Some(id) == set {
                self.document.tile_properties = tiles::from_tile_set(tiles, default_size, &path, &mut self.losses);
            } else {
                tiles::report_lost_collision(tiles, &path, &mut self.losses);
            }
        }
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
        if let Some((path, count)) = places.summary() {
            losses.approximated(path, format!("{count} numbers rounded to 32-bit integers"));
        }
        if let Some((path, count)) = foreign.summary() {
            let text = "texts with letters beyond ASCII, written as UTF-8: the games use a Windows code page";
            losses.approximated(path, format!("{count} {text}"));
        }
        if let Some((path, count)) = turned.summary() {
            losses.dropped(path, format!("rotation and scale of {count} entities"));
        }
        for (kind, shown) in [("entities", &self.entities), ("tile_layers", &self.tile_layers)] {
            let unused = shown.iter().filter(|shown| !**shown).count();
            if unused > 0 {
                losses.dropped(kind, format!("{unused} unused: no node refers to them"));
            }
        }
    }
}

/// Returns `true` if the games can draw tiles of that size.
fn is_playable_size(width: i32, height: i32) -> bool {
    width == height && width > 0 && width.cast_unsigned().is_power_of_two()
}

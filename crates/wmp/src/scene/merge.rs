//! Scene → document: into the one that it came from, or into an empty one.

use std::borrow::Cow;
use std::collections::VecDeque;

use hashbrown::{HashMap, HashSet};
use mapwright_scene::{
    ColorSpace, Content, Estimate, Export, GrowthCheck, LightKind, Losses, Node, NodeId, Rejections, Scene, Transform,
};

use super::entities::{self, Thing};
use super::solids::{Form, Hearing, texture_name};
use super::values::unspelled;
use super::{AXES, capabilities, level, to};
use crate::document::Part;
use crate::resolve::is_reversed;
use crate::resolve::transform::{Matrix, entity_angles, object_angles};
use crate::tree::{Place, Tree};
use crate::{
    Block, BlockFlags, Dialect, Document, Entity, EntityKind, Face, Member, MemberKind, Mesh, Name, Object, Shape,
    WriteError, WriteErrorKind,
};

/// The document of a scene.
pub(super) fn write(scene: &Scene, dialect: Dialect, max_bytes: u64) -> Result<Export<Document>, WriteError> {
    let (scene, losses) = accepted(scene, max_bytes)?;
    let mut document = Document::new(dialect);
    let (losses, _) = Merger::new(&mut document, &scene, None, losses).run(max_bytes)?;
    document.renumber();
    Ok(Export { document, losses })
}

/// Puts a changed scene back.
pub(super) fn merge(document: &mut Document, scene: &Scene, max_bytes: u64) -> Result<Losses, WriteError> {
    let before = to::read(document).scene;
    if before == *scene {
        return Ok(Losses::new());
    }
    let (scene, losses) = accepted(scene, max_bytes)?;
    let mut changed = document.clone();
    let (losses, arranged) = Merger::new(&mut changed, &scene, Some(&before), losses).run(max_bytes)?;
    match arranged {
        Arranged::Not => {}
        // Numbers that were never those of the tree stay: what is new has the next ones.
        Arranged::Held if !is_numbered(document) => changed.recount(),
        Arranged::Held | Arranged::Removed => changed.renumber(),
    }
    // Nothing is half done: what cannot be written is not taken.
    changed.to_bytes()?;
    *document = changed;
    Ok(losses)
}

/// Whether a document has the numbers that its tree gives it.
fn is_numbered(document: &Document) -> bool {
    let mut again = document.clone();
    again.renumber();
    again == *document
}

/// What became of what objects hold.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Arranged {
    /// Nothing.
    Not,
    /// They hold other things, or in another order.
    Held,
    /// Parts are gone.
    Removed,
}

/// The scene as files have it, and what is lost of it; refuses one that contradicts itself.
fn accepted(scene: &Scene, max_bytes: u64) -> Result<(Cow<'_, Scene>, Losses), WriteError> {
    if let Some(finding) = scene.first_error() {
        return Err(WriteError::on_path(WriteErrorKind::Scene(finding.message), finding.path));
    }
    let counts = scene.occurrences().counts(scene);
    let names = counts.names.saturating_add(counts.material_names);
    check(estimate(counts.brush_sides).with(counts.nodes, 0, 400).with(names, 0, 1), max_bytes)?;
    let mut losses = capabilities().losses(scene);
    let scene = for_screens(scene, &mut losses);
    Ok((scene, losses))
}

/// The least text for faces of blocks, and the memory for them: the shape of the scene, and the face with its mapping and axes.
fn estimate(faces: u64) -> Estimate {
    Estimate::default().with(faces, 40, size_of::<Face>() as u64).with(faces, 0, 200)
}

fn check(estimate: Estimate, max_bytes: u64) -> Result<(), WriteError> {
    estimate.check(max_bytes).map_err(|excess| WriteError::without_position(excess.into()))
}

/// The scene with the colours of its lights as files have them: made for screens.
fn for_screens<'a>(scene: &'a Scene, losses: &mut Losses) -> Cow<'a, Scene> {
    if scene.color_space == ColorSpace::Srgb || scene.lights.is_empty() {
        return Cow::Borrowed(scene);
    }
    losses.approximated("color_space", "colours, computed for a screen");
    let mut scene = scene.clone();
    let space = std::mem::replace(&mut scene.color_space, ColorSpace::Srgb);
    for (_, light) in scene.lights.iter_mut() {
        light.color = space.color_to_srgb(light.color);
    }
    Cow::Owned(scene)
}

/// What a key says.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
enum Key {
    Group(usize),
    Part(Place),
}

impl Key {
    fn read(key: &str) -> Option<Self> {
        let (kind, at) = key.split_once('/')?;
        let at = at.parse().ok()?;
        match kind {
            "object" => Some(Self::Group(at)),
            "block" => Some(Self::Part(Place::Block(at))),
            "entity" => Some(Self::Part(Place::Entity(at))),
            _ => None,
        }
    }
}

/// A node on the way.
struct Visit {
    node: NodeId,
    /// The object around it.
    above: usize,
    /// What groups around it would have done that have no turn and scale in the file.
    around: Transform,
}

struct Merger<'a> {
    document: &'a mut Document,
    dialect: Dialect,
    scene: &'a Scene,
    before: Option<&'a Scene>,
    /// The nodes of the document by what their keys say.
    known: HashMap<Key, NodeId>,
    tree: Tree,
    seen: HashSet<Key>,
    /// What objects hold now, in the order of the scene.
    held: HashMap<usize, Vec<Place>>,
    losses: Losses,
    /// Whether the level has its sun and its ambient light.
    lights: [bool; 2],
    /// For blocks, entities and objects that are added.
    free: [Free; 3],
    /// Meshes that are not convex bodies.
    rejections: Rejections,
    /// Faces of the blocks that were added.
    faces: u64,
}

/// Numbers that nothing has, nor is said to have.
struct Free {
    taken: HashSet<u32>,
    next: u32,
}

impl Free {
    /// Behind all of these.
    fn new(taken: impl Iterator<Item = u32>) -> Self {
        let taken: HashSet<u32> = taken.collect();
        let next = taken.iter().max().map_or(0, |last| last.wrapping_add(1));
        Self { taken, next }
    }

    fn take(&mut self) -> u32 {
        // Behind the last of all numbers are those that were left free.
        while !self.taken.insert(self.next) {
            self.next = self.next.wrapping_add(1);
        }
        self.next
    }
}

impl<'a> Merger<'a> {
    fn new(document: &'a mut Document, scene: &'a Scene, before: Option<&'a Scene>, losses: Losses) -> Self {
        let format = |scene: &Scene| scene.properties.get("format").cloned();
        let own = before.filter(|before| format(before) == format(scene));
        let nodes = own.into_iter().flat_map(|before| before.nodes.iter());
        let known = nodes.filter_map(|(id, node)| Some((Key::read(node.key.as_deref()?)?, id))).collect();
        let tree = Tree::of(document);
        let dialect = document.dialect;
        let (seen, held) = (HashSet::new(), HashMap::new());
        // Nor a number that an object holds and that nothing has: what gets it would be held there.
        let said = |wanted: fn(MemberKind) -> bool| {
            let members = document.objects.iter().flat_map(|object| &object.members);
            members.filter(move |member| wanted(member.kind)).map(|member| member.number)
        };
        let is_entity = |kind| !matches!(kind, MemberKind::Object | MemberKind::Block);
        let free = [
            Free::new(document.blocks.iter().map(|it| it.number).chain(said(|kind| kind == MemberKind::Block))),
            Free::new(document.entities.iter().map(|it| it.number).chain(said(is_entity))),
            Free::new(document.objects.iter().map(|it| it.number).chain(said(|kind| kind == MemberKind::Object))),
        ];
        let (rejections, faces) = (Rejections::new(scene), 0);
        let lights = [false; 2];
        Self { document, dialect, scene, before, known, tree, seen, held, losses, lights, free, rejections, faces }
    }

    fn run(mut self, max_bytes: u64) -> Result<(Losses, Arranged), WriteError> {
        for (id, material) in self.scene.materials.iter() {
            let name = texture_name(&material.name);
            if name != material.name {
                self.losses
                    .approximated(format!("materials[{}]", id.index()), format!("a name with blanks, as {name}"));
            }
        }
        level::hear(self.document, &self.scene.properties, &mut self.losses);
        let root = self.root();
        self.held.insert(root, Vec::new());
        let mut queue: VecDeque<Visit> = self
            .scene
            .roots
            .iter()
            .map(|node| Visit { node: *node, above: root, around: Transform::IDENTITY })
            .collect();
        // The number of faces is not known before meshes are converted.
        let mut growth = GrowthCheck::default();
        while let Some(visit) = queue.pop_front() {
            if growth.is_due(self.faces) {
                check(estimate(self.faces), max_bytes)?;
            }
            let Some(node) = self.scene.nodes.get(visit.node) else { continue };
            let below = self.node(node, &visit);
            queue.extend(node.children.iter().map(|&node| Visit { node, ..below }));
        }
        // A map without objects gets none that holds nothing.
        if self.tree.order.is_empty() && self.held.get(&root).is_some_and(Vec::is_empty) {
            self.document.objects.pop();
        }
        let arranged = self.arrange();
        self.rejections.report_skipped(self.scene, "a closed convex body", &mut self.losses);
        Ok((self.losses, arranged))
    }

    fn root(&mut self) -> usize {
        if let Some(root) = self.tree.order.first().filter(|_| self.tree.rooted > 0) {
            return *root;
        }
        let [_, _, free] = &mut self.free;
        // Objects that are added to it get other numbers.
        let number = free.take();
        self.document.objects.push(Part::new(Object::new(number)));
        self.document.objects.len().saturating_sub(1)
    }

    /// Takes a node into the document; where what is below it goes.
    fn node(&mut self, node: &'a Node, visit: &Visit) -> Visit {
        let key = node.key.as_deref().and_then(Key::read);
        let old = key.and_then(|key| Some((key, self.before?.nodes.get(*self.known.get(&key)?)?)));
        // A copy of a node is a new one.
        let old = old.filter(|(key, old)| self.is_same_kind(*key, node, old) && !self.seen.contains(key));
        let below = |above, around| Visit { node: visit.node, above, around };
        if let Content::Light(id) = node.content
            && let Some(light) = self.scene.lights.get(id)
            && let Some(slot) = self.level_light(&light.kind)
        {
            let world = visit.around.then(&node.transform);
            level::hear_light(self.document, (self.before, node, light), &world, &mut self.losses);
            if let Some(taken) = self.lights.get_mut(slot) {
                *taken = true;
            }
            return below(visit.above, world);
        }
        match (old, &node.content) {
            (Some((key @ Key::Group(at), old)), _) => {
                self.seen.insert(key);
                self.hold(visit.above, Place::Object(at));
                self.held.entry(at).or_default();
                self.group(at, node, old, visit);
                below(at, Transform::IDENTITY)
            }
            (Some((key @ Key::Part(place), old)), _) => {
                self.seen.insert(key);
                self.part(place, node, old, visit);
                below(visit.above, visit.around.then(&node.transform))
            }
            (None, Content::Group) => {
                let (position, matrix) = self.split(node, &visit.around);
                if !matrix.is_identity() {
                    let path = format!("nodes[{}]", visit.node.index());
                    self.losses.preserved(path, "turn and scale of a group, worked into what is in it");
                }
                let at = self.add_object(&node.name, position);
                self.hold(visit.above, Place::Object(at));
                self.held.entry(at).or_default();
                below(at, matrix)
            }
            (None, _) => {
                self.add(node, visit);
                below(visit.above, visit.around.then(&node.transform))
            }
        }
    }

    /// Which light of the level a light is to be: the first of its kind.
    fn level_light(&mut self, kind: &LightKind) -> Option<usize> {
        let slot = match kind {
            LightKind::Directional => 0,
            LightKind::Ambient => 1,
            _ => return None,
        };
        (self.lights.get(slot) == Some(&false) && self.document.level().is_some()).then_some(slot)
    }

    /// Whether a node can still be what its key says.
    fn is_same_kind(&self, key: Key, node: &Node, old: &Node) -> bool {
        match key {
            Key::Group(_) => node.content == Content::Group,
            Key::Part(Place::Block(_)) => {
                [node, old].iter().all(|node| matches!(node.content, Content::Brush(_) | Content::Mesh(_)))
            }
            Key::Part(Place::Entity(at)) => {
                let kind = self.document.entities.get(at).map(|entity| &entity.kind);
                kind.zip(Thing::of(self.scene, node)).is_some_and(|(kind, thing)| thing.fits(kind))
            }
            Key::Part(Place::Object(_)) => false,
        }
    }

    fn hold(&mut self, above: usize, place: Place) {
        self.held.entry(above).or_default().push(place);
    }

    /// The place of a node that the file says without a turn, and the rest of its transform.
    fn split(&mut self, node: &Node, around: &Transform) -> ([f64; 3], Transform) {
        let whole = around.then(&node.transform);
        let position = AXES.inverse().apply(whole.origin()).map(|part| part + 0.0);
        let rest = match whole {
            Transform::Trs { rotation, scale, .. } => Transform::Trs { translation: [0.0; 3], rotation, scale },
            Transform::Matrix([x, y, z, _]) => Transform::Matrix([x, y, z, [0.0, 0.0, 0.0, 1.0]]),
        };
        (position, rest)
    }

    fn add_object(&mut self, name: &str, position: [f64; 3]) -> usize {
        let [_, _, free] = &mut self.free;
        let number = free.take();
        // Resolved maps have no objects, and no names for them.
        let name = if self.dialect == Dialect::Resolved { Name::NONE } else { unspelled(name) };
        let object = Object { name, position, ..Object::new(number) };
        self.document.objects.push(Part::new(object));
        self.document.objects.len().saturating_sub(1)
    }

    /// A group that was there before.
    fn group(&mut self, at: usize, node: &Node, old: &Node, visit: &Visit) {
        if node.name != old.name
            && let Some(object) = self.document.objects.get_mut(at)
        {
            object.name = unspelled(&node.name);
        }
        self.place(at, node, old, visit, None);
    }

    /// Puts an object where its node stands now; `entity`: what it holds.
    fn place(&mut self, at: usize, node: &Node, old: &Node, visit: &Visit, entity: Option<usize>) {
        let whole = visit.around.then(&node.transform);
        if whole == old.transform {
            return;
        }
        let path = node.key.clone().unwrap_or_default();
        if self.dialect == Dialect::Resolved && entity.is_none() {
            self.losses.dropped(path, "another place than that of its vertices");
            return;
        }
        let Some((position, rotation, scale)) = AXES.inverse().transform(&whole).to_trs() else {
            self.losses.dropped(path, "a transform that is no move, turn and scale");
            return;
        };
        let was = AXES.inverse().transform(&old.transform).to_trs();
        let reversed = entity.and_then(|at| self.document.entities.get(at)).map(|e| is_reversed(self.dialect, e));
        let Some(object) = self.document.objects.get_mut(at) else { return };
        if was.is_none_or(|(was, ..)| was != position) {
            object.position = position.map(|part| part + 0.0);
        }
        if was.is_none_or(|(_, was, _)| was != rotation) {
            let turn = rows(rotation);
            object.angles = match reversed {
                Some(reversed) => entity_angles(self.dialect, &turn, reversed),
                None => object_angles(self.dialect, &turn),
            };
        }
        if was.is_none_or(|(_, _, was)| was != scale) {
            let model = match entity.and_then(|at| self.document.entities.get_mut(at)).map(|entity| &mut entity.kind) {
                Some(EntityKind::Model(model)) => Some(model),
                _ => None,
            };
            // Of a resolved map models alone have one.
            if model.is_some() || self.dialect != Dialect::Resolved {
                object.scale = scale;
            }
            if let Some(model) = model {
                model.scale = scale;
            }
        }
    }

    /// A block or an entity that was there before.
    fn part(&mut self, place: Place, node: &Node, old: &Node, visit: &Visit) {
        let holder = self.tree.holder(place);
        let members = holder.map_or(&[][..], |holder| self.tree.held_by(holder));
        let is_leaf = holder.is_some_and(|holder| Some(&holder) != self.tree.order.first())
            && to::role(self.document, members) == to::Role::Leaf(place);
        let entity = match place {
            Place::Entity(at) => Some(at),
            _ => None,
        };
        match holder {
            Some(holder) if is_leaf => {
                self.hold(visit.above, Place::Object(holder));
                self.rename(place, Some(holder), node, old);
                self.place(holder, node, old, visit, entity);
            }
            _ => {
                // One of several that a group holds. It has no place of its own.
                self.rename(place, None, node, old);
                if holder == Some(visit.above) && visit.around.then(&node.transform) == old.transform {
                    self.hold(visit.above, place);
                } else {
                    let at = self.add_object(&node.name, [0.0; 3]);
                    self.hold(visit.above, Place::Object(at));
                    self.held.insert(at, vec![place]);
                    self.place(at, node, &Node::default(), visit, entity);
                }
            }
        }
        match place {
            Place::Block(at) => self.block(at, node, old),
            Place::Entity(at) => {
                let path = node.key.clone().unwrap_or_default();
                let was = self.before.and_then(|before| Thing::of(before, old));
                if let (Some(now), Some(was)) = (Thing::of(self.scene, node), was)
                    && !now.is(was)
                    && let Some(entity) = self.document.entities.get_mut(at)
                {
                    entities::hear(&mut entity.kind, now, self.dialect, &path, &mut self.losses);
                }
            }
            Place::Object(_) => {}
        }
    }

    fn block(&mut self, at: usize, node: &Node, old: &Node) {
        let before = self.before.and_then(|before| Form::of(before, &old.content));
        let (Some(now), Some(before)) = (Form::of(self.scene, &node.content), before) else { return };
        if now == before {
            return;
        }
        let Some(block) = self.document.blocks.get_mut(at) else { return };
        let path = node.key.clone().unwrap_or_default();
        let now = if matches!(block.shape, Shape::Mesh(_)) { now.with_polygons(&path, &mut self.losses) } else { now };
        let mut hearing = Hearing { dialect: self.dialect, path: &path, losses: &mut self.losses };
        hearing.block(block, &before, &now);
        if !now.is_convex() {
            if !block.flags.has(BlockFlags::CONCAVE) && matches!(self.dialect, Dialect::Binary | Dialect::Resolved) {
                block.flags.0 |= BlockFlags::CONCAVE.0;
            } else if self.dialect != Dialect::Binary && self.dialect != Dialect::Resolved {
                self.losses.preserved(path, "a body that is not convex, which the editor may not take");
            }
        }
    }

    /// Hears of a new name.
    fn rename(&mut self, place: Place, holder: Option<usize>, node: &Node, old: &Node) {
        if node.name != old.name {
            let name = unspelled(&node.name);
            let was = unspelled(&old.name);
            let mut own = true;
            if let Place::Entity(at) = place
                && let Some(entity) = self.document.entities.get_mut(at)
            {
                own = !set_name(&mut entity.kind, &name);
                if entity.comment == was && !was.is_empty() {
                    entity.comment = name.clone();
                }
            }
            if let Some(object) = holder.and_then(|holder| self.document.objects.get_mut(holder))
                && (own || (object.name == was && !was.is_empty()))
            {
                object.name = name;
            }
        }
        let said = |node: &Node| node.properties.get("object_name").and_then(super::values::name);
        if said(node) != said(old)
            && let Some(object) = holder.and_then(|holder| self.document.objects.get_mut(holder))
        {
            object.name = said(node).unwrap_or_else(|| unspelled(&node.name));
        }
    }

    /// A node that was not there before.
    fn add(&mut self, node: &Node, visit: &Visit) {
        if let Content::Mesh(id) = node.content
            && self.rejections.skips(id)
        {
            return;
        }
        let path = format!("nodes[{}]", visit.node.index());
        let (position, rest) = self.split(node, &visit.around);
        if let Some(form) = Form::of(self.scene, &node.content) {
            self.add_block(form, node, position, &rest, visit, &path);
        } else if let Some(thing) = Thing::of(self.scene, node) {
            self.add_entity(thing, node, position, &rest, visit, &path);
        } else if !node.children.is_empty() || node.content != Content::Group {
            self.losses.dropped(path, "something that maps have not");
        }
    }

    fn add_block(
        &mut self,
        mut form: Form,
        node: &Node,
        position: [f64; 3],
        rest: &Transform,
        visit: &Visit,
        path: &str,
    ) {
        let turn = AXES.inverse().transform(rest);
        if !turn.is_identity() {
            self.losses.preserved(path, "turn and scale, worked into the vertices");
            form.bake(&turn);
        }
        let planes_only = self.dialect == Dialect::A4;
        if !planes_only {
            form = form.with_polygons(path, &mut self.losses);
        }
        let is_convex = form.is_convex();
        let holds_concave = matches!(self.dialect, Dialect::Binary | Dialect::Resolved);
        if !is_convex && !holds_concave {
            if let Content::Mesh(id) = node.content {
                self.rejections.reject(id, form.sides.len());
            }
            self.losses.dropped(path, "a mesh that is not a closed convex body");
            return;
        }
        if form.sides.is_empty() {
            self.losses.dropped(path, "a body without faces");
            return;
        }
        if let Content::Mesh(id) = node.content {
            self.rejections.accept(id);
        }
        self.faces = self.faces.saturating_add(form.sides.len() as u64);
        let [free, _, _] = &mut self.free;
        let number = free.take();
        let mut block = Block::new(number, Mesh::default());
        if planes_only {
            (block.shape, block.index) = (Shape::Planes(Vec::new()), None);
        }
        Hearing { dialect: self.dialect, path, losses: &mut self.losses }.block(&mut block, &Form::default(), &form);
        if !is_convex {
            block.flags.0 |= BlockFlags::CONCAVE.0;
        }
        let at = self.document.blocks.len();
        self.document.blocks.push(Part::new(block));
        let object = self.add_object(&node.name, position);
        self.hold(visit.above, Place::Object(object));
        self.held.insert(object, vec![Place::Block(at)]);
    }

    fn add_entity(
        &mut self,
        thing: Thing<'_>,
        node: &Node,
        position: [f64; 3],
        rest: &Transform,
        visit: &Visit,
        path: &str,
    ) {
        if let Thing::Entity(entity) = thing
            && entity.class != "region"
            && entity.class != "model"
            && entity.model.is_none()
        {
            self.losses.dropped(path, format!("an entity of class {} without a model", entity.class));
            return;
        }
        let [_, free, _] = &mut self.free;
        let number = free.take();
        let mut kind = thing.empty(self.dialect);
        entities::hear(&mut kind, thing, self.dialect, path, &mut self.losses);
        let name = unspelled(&node.name);
        let has_name = set_name(&mut kind, &name);
        let mut entity = Entity::new(number, kind);
        if has_name && self.dialect != Dialect::Binary {
            entity.comment = name;
        }
        let object_name = node.properties.get("object_name").and_then(super::values::name);
        let at = self.document.entities.len();
        let object = self.add_object(&node.name, position);
        if let (Some(name), Some(object)) = (object_name, self.document.objects.get_mut(object)) {
            object.name = name;
        }
        self.document.entities.push(Part::new(entity));
        self.hold(visit.above, Place::Object(object));
        self.held.insert(object, vec![Place::Entity(at)]);
        self.turn(object, at, rest, path);
    }

    /// Turns and scales the object of a new entity.
    fn turn(&mut self, at: usize, entity: usize, rest: &Transform, path: &str) {
        let Some((_, rotation, scale)) = AXES.inverse().transform(rest).to_trs() else {
            self.losses.dropped(path, "a transform that is no move, turn and scale");
            return;
        };
        let Some(entity) = self.document.entities.get_mut(entity) else { return };
        let reversed = is_reversed(self.dialect, entity);
        let mut has_scale = self.dialect != Dialect::Resolved;
        if let EntityKind::Model(model) = &mut entity.kind {
            (model.scale, has_scale) = (scale, true);
        }
        if let Some(object) = self.document.objects.get_mut(at) {
            object.angles = entity_angles(self.dialect, &rows(rotation), reversed);
            if has_scale {
                object.scale = scale;
            }
        }
    }

    /// Lets objects hold what they hold now, and drops what no node stands for any more.
    fn arrange(&mut self) -> Arranged {
        let gone: HashSet<Key> = self.known.keys().filter(|key| !self.seen.contains(*key)).copied().collect();
        let mut arranged = Arranged::Not;
        let own = |merger: &Self, at: usize| -> Vec<Place> {
            let members = merger.tree.held_by(at);
            // Those that stand for something in the scene.
            parts_first(members).filter(|place| merger.is_shown(*place)).collect()
        };
        let held = std::mem::take(&mut self.held);
        for (at, places) in held {
            let before = own(self, at);
            let mut now: Vec<Place> = parts_first(&places).collect();
            if before == now {
                continue;
            }
            arranged = Arranged::Held;
            let members = self.tree.members.get(at).cloned().unwrap_or_default();
            let is_gone = |place: &Place| self.gone(*place, &gone);
            now.extend(members.into_iter().filter(|place| !self.is_shown(*place) && !is_gone(place)));
            // Objects come first, and the level of the root last.
            now.sort_by_key(|place| !matches!(place, Place::Object(_)));
            let members = now.iter().filter_map(|place| self.member(*place)).collect();
            if let Some(object) = self.document.objects.get_mut(at) {
                object.members = members;
            }
        }
        if !gone.is_empty() {
            self.remove(&gone);
            arranged = Arranged::Removed;
        }
        arranged
    }

    /// Whether a member has a node in the scene of the document.
    fn is_shown(&self, place: Place) -> bool {
        let key = match place {
            Place::Object(at) => {
                let members = self.tree.held_by(at);
                match to::role(self.document, members) {
                    to::Role::Leaf(place) => Key::Part(place),
                    to::Role::Group => Key::Group(at),
                }
            }
            place => Key::Part(place),
        };
        self.known.contains_key(&key)
    }

    fn gone(&self, place: Place, gone: &HashSet<Key>) -> bool {
        match place {
            Place::Object(at) => gone.contains(&Key::Group(at)),
            place => gone.contains(&Key::Part(place)),
        }
    }

    fn member(&self, place: Place) -> Option<Member> {
        Some(match place {
            Place::Block(at) => Member { kind: MemberKind::Block, number: self.document.blocks.get(at)?.number },
            Place::Entity(at) => {
                let entity = self.document.entities.get(at)?;
                Member { kind: entity.member_kind(), number: entity.number }
            }
            Place::Object(at) => Member { kind: MemberKind::Object, number: self.document.objects.get(at)?.number },
        })
    }

    /// Takes parts out of the document, with the objects that were their places.
    fn remove(&mut self, gone: &HashSet<Key>) {
        let (mut blocks, mut entities, mut objects) = (HashSet::new(), HashSet::new(), HashSet::new());
        for key in gone {
            match *key {
                Key::Group(at) => {
                    objects.insert(at);
                }
                Key::Part(place) => {
                    match place {
                        Place::Block(at) => blocks.insert(at),
                        Place::Entity(at) => entities.insert(at),
                        Place::Object(_) => false,
                    };
                    let holder = self.tree.holder(place);
                    let members = holder.map_or(&[][..], |at| self.tree.held_by(at));
                    if to::role(self.document, members) == to::Role::Leaf(place)
                        && holder != self.tree.order.first().copied()
                    {
                        objects.extend(holder);
                    }
                }
            }
        }
        retain(&mut self.document.blocks, &blocks);
        retain(&mut self.document.entities, &entities);
        retain(&mut self.document.objects, &objects);
    }
}

/// Members in the order of their nodes: objects behind the others.
fn parts_first(places: &[Place]) -> impl Iterator<Item = Place> {
    let (objects, parts): (Vec<Place>, Vec<Place>) = places.iter().partition(|place| matches!(place, Place::Object(_)));
    parts.into_iter().chain(objects)
}

/// Keeps parts but for those at these places.
fn retain<T>(parts: &mut Vec<T>, gone: &HashSet<usize>) {
    let mut at = 0_usize;
    parts.retain(|_| {
        let keep = !gone.contains(&at);
        at = at.saturating_add(1);
        keep
    });
}

/// Names an entity; whether it has a name.
fn set_name(kind: &mut EntityKind, name: &Name) -> bool {
    let slot = match kind {
        EntityKind::Start(start) => &mut start.name,
        EntityKind::Model(model) => &mut model.name,
        EntityKind::Path(path) => &mut path.name,
        EntityKind::Region(region) => &mut region.name,
        EntityKind::Level(_) | EntityKind::Light(_) | EntityKind::Sound(_) => return false,
    };
    slot.clone_from(name);
    true
}

/// The rows of a turn in the axes of files.
fn rows(rotation: [f64; 4]) -> Matrix {
    let turn = Transform::Trs { translation: [0.0; 3], rotation, scale: [1.0; 3] };
    let [[a, d, g], [b, e, h], [c, f, i]] = turn.linear();
    [[a, b, c], [d, e, f], [g, h, i]]
}

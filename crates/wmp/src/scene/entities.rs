//! Entities ⇄ what stands at nodes.

use std::sync::Arc;

use mapwright_io::FormattedNumber;
use mapwright_scene as scene;
use mapwright_scene::{Content, LightKind, Losses, Node, PathEdge, PathPoint, Properties, Scene, Value};

use super::AXES;
use super::values::{
    array, changes, list, name, neat, number, numbers, push_name, push_number, push_word, text, unspelled, word,
};
use crate::resolve::colour;
use crate::{
    Dialect, Edge, EntityKind, Light, LightFlags, Model, ModelFlags, Name, Path, PathNode, Region, Sound, SoundFlags,
    Start,
};

/// The names behind a model, as properties call them.
const TAIL: [&str; 5] = ["path", "target", "material", "string_1", "string_2"];

/// Whether entities of a kind have a name of their own.
pub(super) const fn has_name(kind: &EntityKind) -> bool {
    matches!(kind, EntityKind::Start(_) | EntityKind::Model(_) | EntityKind::Path(_) | EntityKind::Region(_))
}

/// The content of a node for an entity; none if a number is not finite.
pub(super) fn say(kind: &EntityKind, dialect: Dialect, scene: &mut Scene) -> Option<Content> {
    Some(match kind {
        EntityKind::Level(_) => return None,
        EntityKind::Start(_) => Content::Marker,
        EntityKind::Light(light) => Content::Light(scene.lights.push(say_light(light, dialect)?)),
        EntityKind::Sound(sound) => Content::Sound(scene.sounds.push(say_sound(sound))),
        EntityKind::Model(model) => Content::Entity(scene.entities.push(say_model(model))),
        EntityKind::Path(path) => Content::Path(scene.paths.push(say_path(path, dialect)?)),
        EntityKind::Region(region) => Content::Entity(scene.entities.push(say_region(region))),
    })
}

fn say_light(light: &Light, dialect: Dialect) -> Option<scene::Light> {
    let [red, green, blue] = colour::of_light(dialect, light.colour).map(|part| part / 100.0);
    let mut properties = Properties::new();
    if let Some(flags) = light.flags {
        push_word(&mut properties, "flags", flags.0);
    }
    let finite = [red, green, blue, light.range].iter().all(|number| number.is_finite());
    let color = [red, green, blue, 1.0];
    finite.then(|| scene::Light { color, range: Some(light.range), properties, ..scene::Light::default() })
}

fn say_sound(sound: &Sound) -> scene::Sound {
    let [volume, pitch, time, range] = sound.numbers;
    let mut properties = Properties::new();
    push_word(&mut properties, "flags", sound.flags.0);
    push_number(&mut properties, "pitch", pitch, 0.0);
    push_number(&mut properties, "time", time, 0.0);
    let finite = |number: f64| Some(number).filter(|number| number.is_finite());
    scene::Sound { reference: text(&sound.file), volume: finite(volume / 100.0), range: finite(range), properties }
}

fn say_model(model: &Model) -> scene::Entity {
    let mut properties = Properties::new();
    push_name(&mut properties, "action", &model.action);
    properties.push("skills", list(model.skills.iter().map(|skill| *skill.get())));
    push_word(&mut properties, "flags", model.flags.0);
    push_number(&mut properties, "ambient", model.ambient, 0.0);
    push_number(&mut properties, "albedo", model.albedo.unwrap_or(Model::ALBEDO), Model::ALBEDO);
    for (key, name) in TAIL.iter().zip(&model.tail) {
        push_name(&mut properties, key, name);
    }
    let file = (!model.file.is_empty()).then(|| text(&model.file));
    scene::Entity { class: "model".to_owned(), model: file, properties, connections: Vec::new() }
}

fn say_region(region: &Region) -> scene::Entity {
    let mut properties = Properties::new();
    let ([x, y, z], [a, b, c]) = (region.minimum, region.maximum);
    // The axis that turns over takes its ends from the other corner.
    properties.push("min", list([x, z, -b]));
    properties.push("max", list([a, c, -y]));
    scene::Entity { class: "region".to_owned(), properties, ..scene::Entity::default() }
}

fn say_path(path: &Path, dialect: Dialect) -> Option<scene::Path> {
    let mut properties = Properties::new();
    push_number(&mut properties, "number", path.number, 0.0);
    if path.edges.iter().any(|edge| edge.numbers.iter().any(|number| number.to_bits() != 0)) {
        properties.push("edges", list(path.edges.iter().flat_map(|edge| edge.numbers)));
    }
    let point = |node: &PathNode| {
        let mut properties = Properties::new();
        if node.skills.iter().any(|skill| skill.to_bits() != 0) {
            properties.push("skills", list(node.skills));
        }
        PathPoint { position: AXES.apply(node.point), tangents: None, properties }
    };
    let count = path.nodes.len();
    let base = u32::from(dialect != Dialect::Binary);
    let edge = |edge: &Edge| {
        let (from, to) = (edge.from.checked_sub(base)?, edge.to.checked_sub(base)?);
        let known = |node: u32| usize::try_from(node).is_ok_and(|node| node < count);
        (known(from) && known(to)).then_some(PathEdge { from, to, weight: edge.weight })
    };
    let points: Vec<PathPoint> = path.nodes.iter().map(point).collect();
    let edges: Option<Vec<PathEdge>> = path.edges.iter().map(edge).collect();
    let finite = points.iter().flat_map(|point| point.position).all(f64::is_finite);
    let path = scene::Path { name: text(&path.name), points, edges: edges?, closed: false, properties };
    finite.then_some(path)
}

/// What stands at a node, for those kinds of things that become entities.
#[derive(Clone, Copy)]
pub(super) enum Thing<'a> {
    Marker,
    Light(&'a scene::Light),
    Sound(&'a scene::Sound),
    Path(&'a scene::Path),
    Entity(&'a scene::Entity),
}

impl<'a> Thing<'a> {
    pub(super) fn of(scene: &'a Scene, node: &Node) -> Option<Self> {
        Some(match node.content {
            Content::Marker => Self::Marker,
            Content::Light(id) => Self::Light(scene.lights.get(id)?),
            Content::Sound(id) => Self::Sound(scene.sounds.get(id)?),
            Content::Path(id) => Self::Path(scene.paths.get(id)?),
            Content::Entity(id) => Self::Entity(scene.entities.get(id)?),
            _ => return None,
        })
    }

    /// An entity of this kind that says nothing yet.
    pub(super) fn empty(self, dialect: Dialect) -> EntityKind {
        match self {
            Self::Marker => EntityKind::Start(Start::default()),
            Self::Light(_) => EntityKind::Light(Light { flags: Some(LightFlags(0)), ..Light::default() }),
            Self::Sound(_) => EntityKind::Sound(Sound::default()),
            Self::Path(_) => EntityKind::Path(Path::default()),
            Self::Entity(entity) if entity.class == "region" => EntityKind::Region(Region::default()),
            Self::Entity(_) => EntityKind::Model(Model {
                scale: [1.0; 3],
                file: Name::NONE,
                name: Name::NONE,
                action: Name::NONE,
                skills: Arc::new(vec![FormattedNumber::new(0.0); if dialect == Dialect::A4 { 8 } else { 20 }]),
                flags: ModelFlags(0),
                ambient: 0.0,
                albedo: Some(Model::ALBEDO),
                tail: if dialect == Dialect::A7 { vec![Name::NONE; 2] } else { Vec::new() },
                media: None,
                flag_digits: None,
            }),
        }
    }

    /// Whether an entity of this kind can be changed into what this says.
    pub(super) fn fits(self, kind: &EntityKind) -> bool {
        match (self, kind) {
            (Self::Marker, EntityKind::Start(_))
            | (Self::Light(_), EntityKind::Light(_))
            | (Self::Sound(_), EntityKind::Sound(_))
            | (Self::Path(_), EntityKind::Path(_)) => true,
            (Self::Entity(entity), EntityKind::Region(_)) => entity.class == "region",
            (Self::Entity(entity), EntityKind::Model(_)) => entity.class != "region",
            _ => false,
        }
    }

    /// Whether nothing is different.
    pub(super) fn is(self, other: Self) -> bool {
        match (self, other) {
            (Self::Marker, Self::Marker) => true,
            (Self::Light(a), Self::Light(b)) => a == b,
            (Self::Sound(a), Self::Sound(b)) => a == b,
            (Self::Path(a), Self::Path(b)) => a == b,
            (Self::Entity(a), Self::Entity(b)) => a == b,
            _ => false,
        }
    }
}

/// Takes into an entity what a thing says now and did not say before.
pub(super) fn hear(kind: &mut EntityKind, now: Thing<'_>, dialect: Dialect, path: &str, losses: &mut Losses) {
    let mut before = Scene::default();
    let Some(content) = say(kind, dialect, &mut before) else {
        losses.dropped(path, "changes of something with numbers that are not finite");
        return;
    };
    let node = Node { content, ..Node::default() };
    let Some(before) = Thing::of(&before, &node) else { return };
    let mut ear = Ear { dialect, path, losses };
    match (kind, before, now) {
        (EntityKind::Light(light), Thing::Light(before), Thing::Light(now)) => ear.light(light, before, now),
        (EntityKind::Sound(sound), Thing::Sound(before), Thing::Sound(now)) => ear.sound(sound, before, now),
        (EntityKind::Path(path), Thing::Path(before), Thing::Path(now)) => ear.path(path, before, now),
        (EntityKind::Model(model), Thing::Entity(before), Thing::Entity(now)) => ear.model(model, before, now),
        (EntityKind::Region(region), Thing::Entity(before), Thing::Entity(now)) => ear.region(region, before, now),
        _ => {}
    }
}

struct Ear<'a> {
    dialect: Dialect,
    path: &'a str,
    losses: &'a mut Losses,
}

impl Ear<'_> {
    /// Hands on each property that changed; `take` says whether it understood it.
    fn properties(
        &mut self,
        before: &Properties,
        now: &Properties,
        mut take: impl FnMut(&str, Option<&Value>) -> Option<()>,
    ) {
        for (key, value) in changes(before, now) {
            if take(key, value).is_none() {
                self.losses.dropped(self.path, format!("property {key}"));
            }
        }
    }

    fn light(&mut self, light: &mut Light, before: &scene::Light, now: &scene::Light) {
        if now.kind != LightKind::Point {
            self.losses.approximated(self.path, "a light that is no point, as one");
        }
        let colour = |light: &scene::Light| {
            let [red, green, blue, _] = light.color;
            [red, green, blue].map(|part| part * light.intensity)
        };
        if colour(before) != colour(now) {
            light.colour = self.percent(colour(now), 2.55);
        }
        if before.range != now.range {
            // As far as a map reaches.
            light.range = now.range.unwrap_or(10_000.0);
        }
        self.properties(&before.properties, &now.properties, |key, value| {
            let flags = value.map_or(Some(0), word).filter(|_| key == "flags")?;
            light.flags = Some(LightFlags(flags));
            Some(())
        });
    }

    /// A colour in the unit of the dialect.
    fn percent(&mut self, colour: [f64; 3], byte: f64) -> [f64; 3] {
        let percent = colour.map(|part| neat(part * 100.0));
        if self.dialect != Dialect::Binary {
            return percent;
        }
        let bytes = percent.map(|part| (part * byte).round().clamp(0.0, 255.0));
        if bytes.iter().zip(percent).any(|(whole, part)| (whole - part * byte).abs() > 1e-4) {
            self.losses.approximated(self.path, "a colour, in steps of 255");
        }
        bytes
    }

    fn sound(&mut self, sound: &mut Sound, before: &scene::Sound, now: &scene::Sound) {
        if before.reference != now.reference {
            sound.file = unspelled(&now.reference);
        }
        let [volume, pitch, time, range] = &mut sound.numbers;
        if before.volume != now.volume {
            *volume = neat(now.volume.unwrap_or(1.0) * 100.0);
        }
        if before.range != now.range {
            *range = now.range.unwrap_or(0.0);
        }
        let flags = &mut sound.flags;
        self.properties(&before.properties, &now.properties, |key, value| {
            match key {
                "flags" => *flags = SoundFlags(value.map_or(Some(0), word)?),
                "pitch" => *pitch = value.map_or(Some(0.0), number)?,
                "time" => *time = value.map_or(Some(0.0), number)?,
                _ => return None,
            }
            Some(())
        });
        if self.dialect == Dialect::Binary {
            let whole = sound.numbers.map(|number| number.round().clamp(0.0, f64::from(u32::MAX)));
            if whole != sound.numbers {
                self.losses.approximated(self.path, "volume, pitch, time and range, as whole numbers");
                sound.numbers = whole;
            }
        }
    }

    fn model(&mut self, model: &mut Model, before: &scene::Entity, now: &scene::Entity) {
        if now.class != "model" {
            self.losses.dropped(self.path, format!("the class {}", now.class));
        }
        if !now.connections.is_empty() {
            self.losses.dropped(self.path, "connections");
        }
        if before.model != now.model {
            model.file = unspelled(now.model.as_deref().unwrap_or_default());
            model.media = None;
        }
        self.properties(&before.properties, &now.properties, |key, value| {
            match key {
                "action" => model.action = value.map_or(Some(Name::NONE), name)?,
                "skills" => {
                    let skills = value.map_or(Some(vec![0.0; model.skills.len()]), numbers)?;
                    let own = Arc::make_mut(&mut model.skills);
                    own.resize(skills.len(), FormattedNumber::new(0.0));
                    for (old, new) in own.iter_mut().zip(skills) {
                        if old.get().to_bits() != new.to_bits() {
                            old.set(new);
                        }
                    }
                }
                "flags" => model.flags = ModelFlags(value.map_or(Some(0), word)?),
                "ambient" => model.ambient = value.map_or(Some(0.0), number)?,
                "albedo" => model.albedo = Some(value.map_or(Some(Model::ALBEDO), number)?),
                _ => {
                    let slot = TAIL.iter().position(|known| *known == key)?;
                    let name = value.map_or(Some(Name::NONE), name)?;
                    let needed = slot.saturating_add(1);
                    if model.tail.len() < needed && !name.is_empty() {
                        // In text all five names are written as soon as one of the last three is.
                        let count = if slot < 2 { 2 } else { TAIL.len() };
                        model.tail.resize(count, Name::NONE);
                    }
                    if let Some(old) = model.tail.get_mut(slot) {
                        *old = name;
                    }
                }
            }
            Some(())
        });
    }

    fn region(&mut self, region: &mut Region, before: &scene::Entity, now: &scene::Entity) {
        self.properties(&before.properties, &now.properties, |key, value| {
            let [x, y, z] = value.map_or(Some([0.0; 3]), array::<3>)?;
            let (same, turned) = match key {
                "min" => (&mut region.minimum, &mut region.maximum),
                "max" => (&mut region.maximum, &mut region.minimum),
                _ => return None,
            };
            (same[0], same[2], turned[1]) = (x, y, -z);
            Some(())
        });
    }

    fn path(&mut self, path: &mut Path, before: &scene::Path, now: &scene::Path) {
        if now.closed {
            self.losses.dropped(self.path, "that the path is closed");
        }
        path.nodes.resize(now.points.len(), PathNode::default());
        for (place, (node, point)) in path.nodes.iter_mut().zip(&now.points).enumerate() {
            let old = before.points.get(place);
            if old.is_none_or(|old| old.position != point.position) {
                node.point = AXES.inverse().apply(point.position);
            }
            if point.tangents.is_some() {
                self.losses.dropped(self.path, "tangents of points");
            }
            let empty = Properties::new();
            let old = old.map_or(&empty, |old| &old.properties);
            self.properties(old, &point.properties, |key, value| {
                node.skills = value.map_or(Some([0.0; 6]), array).filter(|_| key == "skills")?;
                Some(())
            });
        }
        let base = u32::from(self.dialect != Dialect::Binary);
        path.edges.resize(now.edges.len(), Edge::default());
        for (place, (edge, new)) in path.edges.iter_mut().zip(&now.edges).enumerate() {
            if before.edges.get(place) != Some(new) {
                edge.from = new.from.saturating_add(base);
                edge.to = new.to.saturating_add(base);
                edge.weight = new.weight;
            }
        }
        self.properties(&before.properties, &now.properties, |key, value| {
            match key {
                "number" => path.number = value.map_or(Some(0.0), number)?,
                "edges" => {
                    let all = value.map_or(Some(Vec::new()), numbers)?;
                    let mut rows = all.chunks_exact(3).map(<[f64; 3]>::try_from);
                    path.edges.iter_mut().for_each(|edge| {
                        edge.numbers = rows.next().and_then(Result::ok).unwrap_or_default();
                    });
                }
                _ => return None,
            }
            Some(())
        });
    }
}

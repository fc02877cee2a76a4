//! Edits of objects.

use std::borrow::Cow;
use std::ops::Range;

use mapwright_io::{Losses, format_count};
use mapwright_query::{Assigner, Assignment, EditObjects, Edited, Glob, Objects, QueryError, Text, Words};

use super::objects::{ENTITY, EntityObject, KINDS, PRIMITIVE, PrimitiveObject};
use super::{Edit, escape_text};
use crate::document::editor::Containers;
use crate::geometry::snap_planes;
use crate::{Document, EditorRole, Entity, Face, Plane, Primitive, WriteError};

/// An object: an entity, or a primitive with its entity and its number in it.
#[derive(Clone, Copy)]
enum Object<'a> {
    Entity(Entity<'a>),
    Primitive(Entity<'a>, (usize, Primitive<'a>)),
}

impl Object<'_> {
    fn range(&self) -> Range<usize> {
        match self {
            Self::Entity(entity) => entity.range(),
            Self::Primitive(_, (_, primitive)) => primitive.range(),
        }
    }
}

impl Document {
    /// Returns the objects with the given numbers, in the order of the text.
    fn objects_at<'a>(&'a self, numbers: &[usize]) -> impl Iterator<Item = Object<'a>> + use<'a> {
        let all = self.entities().flat_map(|entity| {
            let primitives = entity.primitives().enumerate().map(move |primitive| Object::Primitive(entity, primitive));
            std::iter::once(Object::Entity(entity)).chain(primitives)
        });
        let mut numbers = numbers.to_vec();
        numbers.sort_unstable();
        numbers.dedup();
        let mut numbers = numbers.into_iter().peekable();
        all.enumerate().filter_map(move |(number, object)| numbers.next_if_eq(&number).map(|_| object))
    }

    /// Replaces the map by an edited one.
    fn replace_by(&mut self, edited: Result<Self, WriteError>) -> Result<(), QueryError> {
        *self = edited.map_err(QueryError::refused)?;
        Ok(())
    }
}

/// Assigns values to objects of a map.
struct AssignmentRun<'a, 'b> {
    edit: Edit<'a>,
    containers: &'a Containers<'a>,
    assigner: Assigner<'b>,
    losses: Losses,
    /// The number of objects with a field that has another value.
    changed: usize,
}

impl<'a, 'b> AssignmentRun<'a, 'b> {
    fn new(map: &'a Document, containers: &'a Containers<'a>, assignments: &'b [Assignment], create: bool) -> Self {
        let assigner = Assigner::new(assignments, create);
        Self { edit: Edit::new(map), containers, assigner, losses: Losses::new(), changed: 0 }
    }

    fn assign(&mut self, object: Object<'a>) -> Result<(), QueryError> {
        let is_changed = match object {
            Object::Entity(entity) => {
                let mut object = EntityObject::new(entity, self.containers);
                let is_changed = self.assigner.apply(&mut object)?;
                for (key, value) in &object.changes {
                    self.edit.set(entity, key, value).map_err(QueryError::refused)?;
                    if escape_text(value) != *value {
                        let path = format!("entities[{}]", entity.index());
                        let text = format!("backslashes are added to the value of {:?}", crate::decode_text(key));
                        self.losses.approximated(path, text);
                    }
                }
                is_changed
            }
            Object::Primitive(entity, primitive) => {
                let mut object = PrimitiveObject::new(entity, primitive);
                let is_changed = self.assigner.apply(&mut object)?;
                if let Some(texture) = &object.texture {
                    set_textures(&mut self.edit, object.primitive, texture).map_err(QueryError::refused)?;
                }
                set_extra(&mut self.edit, object.primitive, &object.extra).map_err(QueryError::refused)?;
                is_changed
            }
        };
        self.changed = self.changed.saturating_add(usize::from(is_changed));
        Ok(())
    }

    fn finish(self) -> Result<(Document, Losses), QueryError> {
        Ok((self.edit.apply().map_err(QueryError::refused)?, self.losses))
    }
}

fn set_textures<'a>(edit: &mut Edit<'a>, primitive: Primitive<'a>, texture: &[u8]) -> Result<(), WriteError> {
    for face in primitive.faces() {
        edit.set_texture(face, texture)?;
    }
    primitive.patch().map_or(Ok(()), |patch| edit.set_patch_texture(&patch, texture))
}

/// Changes contents, flags and value of all faces. Faces without these numbers get all three.
fn set_extra<'a>(edit: &mut Edit<'a>, primitive: Primitive<'a>, new: &[Option<String>; 3]) -> Result<(), WriteError> {
    if new.iter().all(Option::is_none) {
        return Ok(());
    }
    for face in primitive.faces() {
        let mut words: Vec<Cow<'_, str>> = face.extra().map(crate::decode_text).collect();
        words.resize(words.len().max(new.len()), "0".into());
        for (word, new) in words.iter_mut().zip(new) {
            if let Some(new) = new {
                *word = new.into();
            }
        }
        edit.set_extra(face, &words.iter().map(|word| &**word).collect::<Vec<_>>())?;
    }
    Ok(())
}

impl EditObjects for Document {
    fn set(&mut self, objects: &[usize], assignments: &[Assignment], create: bool) -> Result<Edited, QueryError> {
        let containers = Containers::new(self);
        let mut assigning = AssignmentRun::new(self, &containers, assignments, create);
        for object in self.objects_at(objects) {
            assigning.assign(object)?;
        }
        let edited = Edited::objects(assigning.changed, objects.len());
        let (map, losses) = assigning.finish()?;
        *self = map;
        Ok(Edited { losses, ..edited })
    }

    fn set_document(&mut self, assignments: &[Assignment], create: bool) -> Result<Edited, QueryError> {
        let world = self.worldspawn().ok_or_else(|| QueryError::refused("the map has no entity worldspawn"))?;
        let containers = Containers::new(self);
        let mut assigning = AssignmentRun::new(self, &containers, assignments, create);
        assigning.assign(Object::Entity(world))?;
        let changed = assigning.changed;
        let (map, losses) = assigning.finish()?;
        *self = map;
        let text = if changed > 0 { "the world changed" } else { "the world has these values already" };
        Ok(Edited { losses, ..Edited::new(changed, text) })
    }

    fn delete(&mut self, objects: &[usize]) -> Result<Edited, QueryError> {
        let (mut edit, mut entities, mut primitives) = (Edit::new(self), 0_usize, 0_usize);
        let mut deleted_to = 0;
        for object in self.objects_at(objects) {
            match object {
                Object::Entity(entity) => {
                    edit.remove_entity(entity);
                    primitives = primitives.saturating_add(entity.primitives().count());
                    (entities, deleted_to) = (entities.saturating_add(1), entity.range().end);
                }
                // An entity is deleted with its primitives.
                Object::Primitive(_, (_, primitive)) if primitive.range().end <= deleted_to => {}
                Object::Primitive(_, (_, primitive)) => {
                    edit.remove_primitive(primitive);
                    primitives = primitives.saturating_add(1);
                }
            }
        }
        let edited = edit.apply();
        self.replace_by(edited)?;
        let text =
            format!("{} and {} deleted", format_count(entities, "entity"), format_count(primitives, "primitive"));
        Ok(Edited { matched: Some(objects.len()), ..Edited::new(entities.saturating_add(primitives), text) })
    }

    fn duplicate(&mut self, objects: &[usize], assignments: &[Assignment]) -> Result<Edited, QueryError> {
        // The copies are blocks of an edited map, so that their fields are set as those of other objects.
        let containers = Containers::new(self);
        let mut assigning = AssignmentRun::new(self, &containers, assignments, true);
        let has_id = assignments.iter().any(|assignment| assignment.field.eq_ignore_ascii_case("_tb_id"));
        let mut next_id = self.entities().filter_map(Entity::editor_id).max().unwrap_or(0);
        for object in self.objects_at(objects) {
            // Ids of layers and groups are unique.
            if let Object::Entity(entity) = object
                && entity.editor_role() != EditorRole::Entity
                && !has_id
            {
                next_id = next_id.saturating_add(1);
                assigning.edit.set(entity, "_tb_id", next_id.to_string()).map_err(QueryError::refused)?;
            }
            assigning.assign(object)?;
        }
        let (changed, losses) = assigning.finish()?;
        let mut edit = Edit::new(self);
        let mut copied_to = 0;
        for (object, copy) in self.objects_at(objects).zip(changed.objects_at(objects)) {
            // An entity is copied with its primitives.
            if object.range().end > copied_to {
                edit.insert_copy(object.range(), mapwright_io::splice::slice(changed.as_bytes(), copy.range()));
                copied_to = object.range().end;
            }
        }
        let edited = edit.apply();
        self.replace_by(edited)?;
        let text = format!("{} duplicated", format_count(objects.len(), "object"));
        Ok(Edited { matched: Some(objects.len()), losses, ..Edited::new(objects.len(), text) })
    }

    fn add(&mut self, kind: &str, assignments: &[Assignment]) -> Result<Edited, QueryError> {
        // The class is the kind, unless that is the general word. Other kinds are no classes.
        let class = Some(kind).filter(|kind| !kind.eq_ignore_ascii_case(ENTITY.kind));
        if class.is_some_and(|class| KINDS.iter().chain([&PRIMITIVE.kind]).any(|word| word.eq_ignore_ascii_case(class)))
        {
            let text = "expected entity or a class; to add a brush or patch, duplicate one";
            return Err(QueryError::refused(format_args!("cannot add {kind}: {text}")));
        }
        let mut edit = Edit::new(self);
        edit.insert_entity(class.map(|class| ("classname", class))).map_err(QueryError::refused)?;
        let added = edit.apply().map_err(QueryError::refused)?;
        let containers = Containers::new(&added);
        let mut assigning = AssignmentRun::new(&added, &containers, assignments, true);
        let entity = added.entities().next_back().ok_or_else(|| QueryError::refused("the entity was not added"))?;
        assigning.assign(Object::Entity(entity))?;
        let (map, losses) = assigning.finish()?;
        if map.entities().next_back().is_none_or(|entity| entity.class().is_none()) {
            return Err(QueryError::refused("a new entity needs a class, such as: add entity class=light"));
        }
        *self = map;
        Ok(Edited { losses, ..Edited::new(1, format!("1 {} added", ENTITY.kind)) })
    }

    fn rename(&mut self, what: &str, from: &Text, to: &Text) -> Result<Edited, QueryError> {
        if !["texture", "material"].iter().any(|word| word.eq_ignore_ascii_case(what)) {
            return Err(QueryError::refused(format_args!("cannot rename {what}: expected texture or material")));
        }
        let (from, to) = (Glob::from(from), to.as_bytes());
        let (mut edit, mut face_count, mut patch_count) = (Edit::new(self), 0_usize, 0_usize);
        let matches = |texture: &Cow<'_, [u8]>| from.matches(texture) && **texture != *to;
        for primitive in self.primitives() {
            let faces = primitive.faces().filter(|face: &Face<'_>| matches(&face.texture()));
            for face in faces {
                edit.set_texture(face, to).map_err(QueryError::refused)?;
                face_count = face_count.saturating_add(1);
            }
            if let Some(patch) = primitive.patch().filter(|patch| matches(&patch.texture())) {
                edit.set_patch_texture(&patch, to).map_err(QueryError::refused)?;
                patch_count = patch_count.saturating_add(1);
            }
        }
        let edited = edit.apply();
        self.replace_by(edited)?;
        let text = format!(
            "texture of {} and {} renamed",
            format_count(face_count, "face"),
            format_count(patch_count, "patch")
        );
        Ok(Edited::new(face_count.saturating_add(patch_count), text))
    }

    fn apply_own(&mut self, edit: &Words) -> Result<Edited, QueryError> {
        if edit.to_strs().first() != Some(&"snap") {
            return Err(edit.unknown(&["snap QUERY: STEP"]));
        }
        let (query, words) = edit.query_and_words()?;
        let step = match words.to_strs()[..] {
            [step] => step.parse().ok().filter(|step: &f64| *step > 0.0 && step.is_finite()),
            _ => None,
        };
        let step =
            step.ok_or_else(|| QueryError::refused("expected the step of the grid after `:`, such as 1 or 0.125"))?;
        let objects = self.select(&query)?;
        query.check_match_count(objects.len())?;
        self.snap(&objects, step)
    }
}

impl Document {
    /// Snaps the brushes among objects, and those of entities among them.
    fn snap(&mut self, objects: &[usize], step: f64) -> Result<Edited, QueryError> {
        let (mut edit, mut losses) = (Edit::new(self), Losses::new());
        let (mut brushes, mut changed, mut next) = (0_usize, 0_usize, 0_usize);
        let snapped = self.objects_at(objects).flat_map(|object| match object {
            Object::Entity(entity) => entity.primitives().enumerate().map(|primitive| (entity, primitive)).collect(),
            Object::Primitive(entity, primitive) => vec![(entity, primitive)],
        });
        for (entity, (index, primitive)) in snapped {
            // A brush of an entity that matches may match, too.
            if !primitive.kind().is_brush() || primitive.index() < next {
                continue;
            }
            next = primitive.index().saturating_add(1);
            brushes = brushes.saturating_add(1);
            let planes: Vec<Plane> = primitive.faces().map(Face::plane).collect();
            let has_points = planes.iter().all(|plane| matches!(plane, Plane::Points(_)));
            match snap_planes(&planes, step).filter(|_| has_points) {
                Some(points) => {
                    let is_changed = points.iter().zip(&planes).any(|(new, old)| Plane::Points(*new) != *old);
                    changed = changed.saturating_add(usize::from(is_changed));
                    for (face, points) in primitive.faces().zip(points) {
                        edit.set_points(face, points).map_err(QueryError::refused)?;
                    }
                }
                None => {
                    let path = format!("entities[{}].primitives[{index}]", entity.index());
                    losses.approximated(
                        path,
                        format!("a brush whose corners are not near a grid of {step}: it is unchanged"),
                    );
                }
            }
        }
        let edited = edit.apply();
        self.replace_by(edited)?;
        let text = format!("{changed} of {} snapped", format_count(brushes, "brush"));
        Ok(Edited { matched: Some(objects.len()), losses, ..Edited::new(changed, text) })
    }
}

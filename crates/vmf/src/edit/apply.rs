//! Edits of objects.

use std::ops::Range;
use std::rc::Rc;

use mapwright_io::format_count;
use mapwright_keyvalues::kv1::Item;
use mapwright_query::{Assigner, Assignment, EditObjects, Edited, Glob, QueryError, Text, Words};

use super::Edit;
use super::objects::{ENTITY, EntityObject, Owner, SolidObject, VisGroups};
use crate::document::value;
use crate::{Document, Entity, Side, Solid, WriteError};

/// An object: an entity, or a solid with its entity.
#[derive(Clone, Copy)]
pub(super) enum Object<'a> {
    Entity(Entity<'a>),
    Solid(Entity<'a>, Solid<'a>),
}

impl<'a> Object<'a> {
    /// Returns the block that exists only for the object.
    fn outer(self) -> Item<'a> {
        match self {
            Self::Entity(entity) => entity.outer(),
            Self::Solid(_, solid) => solid.outer(),
        }
    }

    fn range(self) -> Range<usize> {
        self.outer().range()
    }
}

impl Document {
    /// Returns the objects with the given numbers, in the order of the text.
    pub(super) fn objects_at<'a>(&'a self, numbers: &[usize]) -> impl Iterator<Item = Object<'a>> + use<'a> {
        let all = self.all_entities().flat_map(|entity| {
            let solids = entity.solids().map(move |solid| Object::Solid(entity, solid));
            std::iter::once(Object::Entity(entity)).chain(solids)
        });
        let mut numbers = numbers.to_vec();
        numbers.sort_unstable();
        numbers.dedup();
        let mut numbers = numbers.into_iter().peekable();
        all.enumerate().filter_map(move |(number, object)| numbers.next_if_eq(&number).map(|_| object))
    }

    /// Replaces the map by an edited one.
    pub(super) fn replace_by(&mut self, edited: Result<Self, WriteError>) -> Result<(), QueryError> {
        *self = edited.map_err(QueryError::refused)?;
        Ok(())
    }
}

/// Assigns values to objects of a map.
struct Assigning<'a, 'b> {
    edit: Edit<'a>,
    visgroups: &'a VisGroups<'a>,
    assigner: Assigner<'b>,
    /// The entity of the last solid, by the start of its block.
    owner: Option<(usize, Rc<Owner<'a>>)>,
    /// The number of objects with a field that has another value.
    changed: usize,
}

impl<'a, 'b> Assigning<'a, 'b> {
    fn new(map: &'a Document, visgroups: &'a VisGroups<'a>, assignments: &'b [Assignment], create: bool) -> Self {
        Self { edit: Edit::new(map), visgroups, assigner: Assigner::new(assignments, create), owner: None, changed: 0 }
    }

    fn owner_of(&mut self, entity: Entity<'a>) -> Rc<Owner<'a>> {
        let start = entity.item().range().start;
        match &self.owner {
            Some((at, owner)) if *at == start => Rc::clone(owner),
            _ => {
                let owner = Rc::new(Owner::new(entity));
                self.owner = Some((start, Rc::clone(&owner)));
                owner
            }
        }
    }

    fn assign(&mut self, object: Object<'a>) -> Result<(), QueryError> {
        let is_changed = match object {
            Object::Entity(entity) => {
                let mut object = EntityObject::new(entity, self.visgroups);
                let is_changed = self.assigner.apply(&mut object)?;
                for (key, value) in &object.changes {
                    self.edit.set(entity.item(), key, value).map_err(QueryError::refused)?;
                }
                is_changed
            }
            Object::Solid(entity, solid) => {
                let mut object = SolidObject::new(self.owner_of(entity), solid, self.visgroups);
                let is_changed = self.assigner.apply(&mut object)?;
                if let Some(material) = &object.material {
                    for side in solid.sides() {
                        self.edit.set(side.item(), "material", material).map_err(QueryError::refused)?;
                    }
                }
                is_changed
            }
        };
        self.changed = self.changed.saturating_add(usize::from(is_changed));
        Ok(())
    }
}

impl EditObjects for Document {
    fn set(&mut self, objects: &[usize], assignments: &[Assignment], create: bool) -> Result<Edited, QueryError> {
        let visgroups = self.visgroup_names();
        let mut assigning = Assigning::new(self, &visgroups, assignments, create);
        for object in self.objects_at(objects) {
            assigning.assign(object)?;
        }
        let report = Edited::objects(assigning.changed, objects.len());
        let edited = assigning.edit.apply();
        self.replace_by(edited)?;
        Ok(report)
    }

    fn set_document(&mut self, assignments: &[Assignment], create: bool) -> Result<Edited, QueryError> {
        let world = self.world().ok_or_else(|| QueryError::refused("the map has no world"))?;
        let visgroups = self.visgroup_names();
        let mut assigning = Assigning::new(self, &visgroups, assignments, create);
        assigning.assign(Object::Entity(world))?;
        let changed = assigning.changed;
        let edited = assigning.edit.apply();
        self.replace_by(edited)?;
        Ok(Edited::new(changed, if changed > 0 { "the world changed" } else { "the world has these values already" }))
    }

    fn delete(&mut self, objects: &[usize]) -> Result<Edited, QueryError> {
        let (mut edit, mut entities, mut solids, mut deleted_to) = (Edit::new(self), 0_usize, 0_usize, 0);
        for object in self.objects_at(objects) {
            match object {
                Object::Entity(entity) => {
                    edit.remove_entity(entity).map_err(QueryError::refused)?;
                    solids = solids.saturating_add(entity.solids().count());
                    (entities, deleted_to) = (entities.saturating_add(1), object.range().end);
                }
                // An entity is deleted with its solids.
                Object::Solid(..) if object.range().end <= deleted_to => {}
                Object::Solid(_, solid) => {
                    edit.remove_solid(solid);
                    solids = solids.saturating_add(1);
                }
            }
        }
        let edited = edit.apply();
        self.replace_by(edited)?;
        let text = format!("{} and {} deleted", format_count(entities, "entity"), format_count(solids, "solid"));
        Ok(Edited { matched: Some(objects.len()), ..Edited::new(entities.saturating_add(solids), text) })
    }

    fn duplicate(&mut self, objects: &[usize], assignments: &[Assignment]) -> Result<Edited, QueryError> {
        // The copies are blocks of an edited map, so that their fields are set as those of other objects.
        let visgroups = self.visgroup_names();
        let mut assigning = Assigning::new(self, &visgroups, assignments, true);
        for object in self.objects_at(objects) {
            if let Object::Entity(entity) = object
                && entity.is_world()
            {
                return Err(QueryError::refused("the world cannot be duplicated"));
            }
            assigning.assign(object)?;
        }
        let changed = assigning.edit.apply().map_err(QueryError::refused)?;
        let mut edit = Edit::new(self);
        let mut copied_to = 0;
        for (object, copy) in self.objects_at(objects).zip(changed.objects_at(objects)) {
            // An entity is copied with its solids.
            if object.range().end > copied_to {
                edit.insert_copy(object.outer(), copy.outer()).map_err(QueryError::refused)?;
                copied_to = object.range().end;
            }
        }
        let edited = edit.apply();
        self.replace_by(edited)?;
        let text = format!("{} duplicated", format_count(objects.len(), "object"));
        Ok(Edited { matched: Some(objects.len()), ..Edited::new(objects.len(), text) })
    }

    fn add(&mut self, kind: &str, assignments: &[Assignment]) -> Result<Edited, QueryError> {
        if ["world", "solid"].iter().any(|other| kind.eq_ignore_ascii_case(other)) {
            return Err(QueryError::refused(format_args!("cannot add a {kind}: expected an entity or its class")));
        }
        // The class is the kind, unless that is the general word.
        let class = Some(kind).filter(|kind| !kind.eq_ignore_ascii_case("entity"));
        let mut edit = Edit::new(self);
        let id = edit.insert_entity(class.map(|class| ("classname", class))).map_err(QueryError::refused)?;
        let added = edit.apply().map_err(QueryError::refused)?;
        let entity = || added.entities().filter(|entity| entity.id() == Some(id)).last();
        let visgroups = added.visgroup_names();
        let mut assigning = Assigning::new(&added, &visgroups, assignments, true);
        entity().map_or(Ok(()), |entity| assigning.assign(Object::Entity(entity)))?;
        let map = assigning.edit.apply().map_err(QueryError::refused)?;
        let has_class = map.entities().any(|entity| entity.id() == Some(id) && entity.class().is_some());
        if !has_class {
            return Err(QueryError::refused("a new entity needs a class, such as: add entity class=light"));
        }
        *self = map;
        Ok(Edited::new(1, format!("1 {} added", ENTITY.kind)))
    }

    fn rename(&mut self, what: &str, from: &Text, to: &Text) -> Result<Edited, QueryError> {
        let is = |words: &[&str]| words.iter().any(|word| word.eq_ignore_ascii_case(what));
        let keys: Vec<Item<'_>> = if is(&["material", "texture"]) {
            let sides = self.solids().flat_map(Solid::sides).map(Side::item);
            let overlays = self.all_entities().filter(|entity| entity.as_overlay().is_some()).map(Entity::item);
            let materials = sides.chain(overlays).filter_map(|block| value::key(block, "material"));
            let is_decal = |entity: &Entity<'_>| entity.is_class("infodecal");
            let decals = self.all_entities().filter(is_decal).filter_map(|entity| entity.key("texture"));
            materials.chain(decals).collect()
        } else if is(&["model"]) {
            self.all_entities().filter_map(|entity| entity.key("model")).collect()
        } else {
            return Err(QueryError::refused(format_args!("cannot rename {what}: expected material or model")));
        };
        let (from, to) = (Glob::from(from), to.as_bytes());
        let (mut edit, mut count) = (Edit::new(self), 0_usize);
        for key in keys {
            if key.value().is_some_and(|old| from.matches(&old) && *old != *to) {
                edit.set_value(key, to).map_err(QueryError::refused)?;
                count = count.saturating_add(1);
            }
        }
        let edited = edit.apply();
        self.replace_by(edited)?;
        let of = if is(&["model"]) { "entity" } else { "side" };
        Ok(Edited::new(count, format!("{what} of {} renamed", format_count(count, of))))
    }

    fn apply_own(&mut self, edit: &Words) -> Result<Edited, QueryError> {
        super::outputs::apply(self, edit)
    }
}

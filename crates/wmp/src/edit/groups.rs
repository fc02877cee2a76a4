//! Extracts groups as maps, and merges maps as groups.

use hashbrown::HashSet;

use super::delete::DeletionSet;
use super::items::Placements;
use super::names::check_name;
use super::transform::{Motion, check};
use super::{EditError, PartIndex};
use crate::resolve::transform::add;
use crate::tree::Tree;
use crate::{Dialect, Document, EntityKind, Member, MemberKind, Name, Object, Part, TextureSource, Wed};

/// Counts of parts that a merge added.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct Merged {
    /// Number of blocks.
    pub blocks: usize,
    /// Number of entities.
    pub entities: usize,
    /// Number of groups, without the new one around all of them.
    pub groups: usize,
    /// Number of texture files and folders.
    pub sources: usize,
}

impl Document {
    /// Returns a group as a map: with the settings and the level of this map, and the groups around the group, so that its contents
    /// keep their positions.
    ///
    /// # Errors
    /// If the part is not a group.
    pub fn extract(&self, group: PartIndex) -> Result<Self, EditError> {
        let PartIndex::Object(group) = group else {
            let placement = Placements::new(self).placement(group);
            return Err(EditError::NotGroup { kind: placement.kind, name: placement.name });
        };
        let tree = Tree::new(self);
        let mut kept = DeletionSet::none(self);
        let levels = self.entities.iter().enumerate().filter(|(_, entity)| matches!(entity.kind, EntityKind::Level(_)));
        let levels: Vec<PartIndex> = levels.map(|(level, _)| PartIndex::Entity(level)).collect();
        for place in levels.iter().copied().chain([PartIndex::Object(group)]) {
            kept.mark(place);
            let around = match place {
                PartIndex::Object(object) => Some(object),
                place => tree.holder(place),
            };
            for object in around.into_iter().flat_map(|around| tree.chain(around)) {
                kept.mark(PartIndex::Object(object));
            }
        }
        let mut open = vec![group];
        while let Some(object) = open.pop() {
            for &place in tree.members.get(object).into_iter().flatten() {
                kept.mark(place);
                if let PartIndex::Object(object) = place {
                    open.push(object);
                }
            }
        }
        // All other parts are deleted.
        for flags in [&mut kept.blocks, &mut kept.entities, &mut kept.objects] {
            flags.iter_mut().for_each(|flag| *flag = !*flag);
        }
        let mut map = self.clone();
        map.remove(&kept);
        Ok(map)
    }

    /// Adds another map as a group with a name and a position. Its level is not added. Its texture files and folders are added to
    /// those of this map. Resolved maps have no groups: their blocks and entities are added after the others.
    ///
    /// # Errors
    /// If the other map has another dialect, the name is invalid, or the position is not finite.
    pub fn merge(&mut self, other: &Self, name: &[u8], at: [f64; 3]) -> Result<Merged, EditError> {
        if self.dialect != other.dialect {
            return Err(EditError::Dialect { own: self.dialect, other: other.dialect });
        }
        check_name(self.dialect, name)?;
        check(&Motion::shift(at))?;
        let mut edited = self.clone();
        let merged = edited.add_map(other, &name.into(), at)?;
        *self = edited;
        Ok(merged)
    }

    fn add_map(&mut self, other: &Self, name: &Name, at: [f64; 3]) -> Result<Merged, EditError> {
        let other = other.without_levels();
        self.renumber();
        let count = |count: usize| u32::try_from(count).unwrap_or(u32::MAX);
        let (blocks, entities) = (count(self.blocks.len()), count(self.entities.len()));
        let paths = self.path_numbers().len();
        if self.objects.is_empty() {
            self.objects.push(Part::new(Object::new(0)));
        }
        let objects = count(self.objects.len());
        let mut merged = Merged { blocks: other.blocks.len(), entities: other.entities.len(), ..Merged::default() };
        let groups = (1..other.objects.len()).filter(|&object| other.is_group(object)).count();
        merged.groups = groups;
        merged.sources = self.add_sources(other.wed.as_deref());
        // Numbers of the other map continue those of this one. Its root becomes the group.
        for block in other.blocks {
            let mut block = block.into_inner();
            block.number = block.number.saturating_add(blocks);
            self.blocks.push(Part::new(block));
        }
        for entity in other.entities {
            let mut entity = entity.into_inner();
            entity.number = entity.number.saturating_add(entities);
            if let (Dialect::Resolved, EntityKind::Model(model)) = (self.dialect, &mut entity.kind)
                && let Some(path) = model.tail.first_mut()
                && let Some(place) =
                    std::str::from_utf8(path.as_bytes()).ok().and_then(|text| text.parse::<usize>().ok())
                && place > 0
            {
                *path = place.saturating_add(paths).to_string().as_str().into();
            }
            self.entities.push(Part::new(entity));
        }
        let mut roots = Vec::new();
        for object in other.objects {
            let mut object = object.into_inner();
            object.number = object.number.saturating_add(objects);
            for member in &mut object.members {
                let from = match member.kind {
                    MemberKind::Object => objects,
                    MemberKind::Block => blocks,
                    _ => entities,
                };
                member.number = member.number.saturating_add(from);
            }
            if object.number == objects && self.dialect == Dialect::Resolved {
                roots.extend(&std::mem::take(&mut object.members));
                continue;
            }
            if object.number == objects {
                (object.name, object.position) = (name.clone(), add(object.position, at));
                roots.push(Member { kind: MemberKind::Object, number: objects });
            }
            self.objects.push(Part::new(object));
        }
        let new: Vec<PartIndex> =
            (usize::try_from(objects).unwrap_or(usize::MAX)..self.objects.len()).map(PartIndex::Object).collect();
        if let Some(root) = self.objects.first_mut() {
            let after = root.members.iter().rposition(|member| member.kind == MemberKind::Object);
            let after = after.map_or(0, |last| last.saturating_add(1));
            root.members.inner_mut().insert_many(after, roots);
        }
        if self.dialect == Dialect::Resolved && at != [0.0; 3] {
            self.transform_parts(&new, &Motion::shift(at))?;
        }
        self.renumber();
        Ok(merged)
    }

    /// Returns a copy without level entities, numbered again.
    fn without_levels(&self) -> Self {
        let mut map = self.clone();
        let mut deleted = DeletionSet::none(&map);
        let tree = Tree::new(&map);
        for (place, entity) in map.entities.iter().enumerate() {
            if matches!(entity.kind, EntityKind::Level(_)) {
                deleted.mark(PartIndex::Entity(place));
                let holder = tree.holder(PartIndex::Entity(place));
                let alone = holder.filter(|&holder| tree.holder(PartIndex::Object(holder)).is_some());
                if let Some(holder) =
                    alone.filter(|&holder| tree.members.get(holder).is_some_and(|held| held.len() == 1))
                {
                    deleted.mark(PartIndex::Object(holder));
                }
            }
        }
        map.remove(&deleted);
        map
    }

    /// Adds missing texture files and folders. Returns their number.
    fn add_sources(&mut self, other: Option<&Wed>) -> usize {
        let Some(other) = other else { return 0 };
        let missing = |own: &[TextureSource], theirs: &[TextureSource]| -> Vec<TextureSource> {
            let lower = |source: &TextureSource| source.path.as_bytes().to_ascii_lowercase();
            let own: HashSet<Vec<u8>> = own.iter().map(lower).collect();
            theirs.iter().filter(|source| !own.contains(&lower(source))).cloned().collect()
        };
        let empty = Wed::default();
        let own = self.wed.as_deref().unwrap_or(&empty);
        let (wads, folders) = (missing(&own.wads, &other.wads), missing(&own.folders, &other.folders));
        let count = wads.len().saturating_add(folders.len());
        if count > 0 {
            let wed = self.wed.get_or_insert_default();
            if wed.wad_head.is_none() && !wads.is_empty() {
                wed.wad_head.clone_from(&other.wad_head);
            }
            wed.wads.extend(wads);
            wed.folders.extend(folders);
        }
        count
    }
}

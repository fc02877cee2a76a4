//! Entities and primitives as objects with fields.

use std::borrow::Cow;
use std::collections::BTreeSet;

use mapwright_query::{FieldType, FieldValue as _, Fields, Objects, Value, ValueError, Vocabulary, fields};

use crate::document::editor::Containers;
use crate::document::number::format_number;
use crate::{Contents, Document, EditorRole, Entity, Primitive, PrimitiveKind, SurfaceFlags};

/// The words for kinds of entities and primitives.
pub(super) const KINDS: [&str; 9] = ["world", "layer", "group", "solid", "point", "entity", "brush", "patch", "other"];

/// An entity with new values of keys.
pub(super) struct EntityObject<'a> {
    pub(super) entity: Entity<'a>,
    containers: &'a Containers<'a>,
    /// Keys with new values, which are not written yet.
    pub(super) changes: Vec<(Vec<u8>, Vec<u8>)>,
}

impl<'a> EntityObject<'a> {
    pub(super) fn new(entity: Entity<'a>, containers: &'a Containers<'a>) -> Self {
        Self { entity, containers, changes: Vec::new() }
    }

    fn kind_value(&self) -> Value<'static> {
        let entity = self.entity;
        let kind = match entity.editor_role() {
            EditorRole::Layer => "layer",
            EditorRole::Group => "group",
            EditorRole::Entity if entity.is_class("worldspawn") => "world",
            EditorRole::Entity if entity.primitives().len() > 0 => "solid",
            EditorRole::Entity => "point",
        };
        Value::Word(kind, &["entity"])
    }

    /// Returns the value of a key, with changes.
    fn bytes(&self, key: &[u8]) -> Option<&[u8]> {
        let changed = self.changes.iter().find(|(name, _)| name == key);
        changed.map(|(_, value)| &**value).or_else(|| self.entity.get(key))
    }

    /// Returns the value of a key as text, or as bytes if it is not UTF-8.
    fn value(&self, key: &[u8]) -> Option<Value<'_>> {
        let bytes = self.bytes(key)?;
        Some(match str::from_utf8(bytes) {
            Ok(text) => Value::Text(Cow::Borrowed(text)),
            Err(_) => Value::Bytes(Cow::Borrowed(bytes)),
        })
    }

    fn set_key(&mut self, key: &[u8], value: Vec<u8>) -> Result<(), ValueError> {
        if key.is_empty() || self.entity.is_fragment() {
            return Err(ValueError::new("an entity with keys"));
        }
        match self.changes.iter_mut().find(|(name, _)| name == key) {
            Some((_, old)) => *old = value,
            None => self.changes.push((key.to_vec(), value)),
        }
        Ok(())
    }

    fn set_value(&mut self, key: &[u8], value: &Value<'_>) -> Result<(), ValueError> {
        let text = match value {
            Value::Bytes(bytes) => bytes.to_vec(),
            Value::Float(number) => format_number(*number).into_bytes(),
            value => value.to_string().into_bytes(),
        };
        self.set_key(key, text)
    }

    /// Returns the key that the field `name` refers to.
    fn name_key(&self) -> &'static [u8] {
        let keys = self.entity.name_keys().map(str::as_bytes);
        let [first, ..] = keys;
        keys.into_iter().find(|key| self.bytes(key).is_some()).unwrap_or(first)
    }

    fn origin(&self) -> Option<[f64; 3]> {
        let mut words = str::from_utf8(self.bytes(b"origin")?).ok()?.split_ascii_whitespace();
        let mut next = || words.next()?.parse().ok().filter(|number: &f64| number.is_finite());
        Some([next()?, next()?, next()?])
    }

    fn coordinate(&self, axis: usize) -> Option<Value<'_>> {
        self.origin()?.get(axis).map(|&part| part.into())
    }

    /// Changes one number of the origin. The others keep their formatting, or are zeros if there is no origin.
    fn set_coordinate(&mut self, axis: usize, value: &Value<'_>) -> Result<(), ValueError> {
        let number = value.as_f64().ok_or_else(|| ValueError::new("a number"))?;
        let mut words: Vec<String> = match self.bytes(b"origin") {
            None => vec!["0".to_owned(); 3],
            Some(text) if self.origin().is_some() => {
                String::from_utf8_lossy(text).split_ascii_whitespace().map(str::to_owned).collect()
            }
            Some(_) => return Err(ValueError::new("an entity whose origin is three numbers")),
        };
        if let Some(word) = words.get_mut(axis) {
            *word = format_number(number);
        }
        self.set_key(b"origin", words.join(" ").into_bytes())
    }

    /// Returns the names of the layers or groups around the entity.
    fn container(&self, role: EditorRole) -> Option<Value<'_>> {
        let names = self.containers.names(self.entity, role);
        let names: Vec<Value<'_>> = names.map(|name| Value::Text(Cow::Borrowed(name))).collect();
        (!names.is_empty()).then_some(Value::Any(names))
    }

    fn count(&self, is_counted: fn(PrimitiveKind) -> bool) -> Value<'static> {
        self.entity.primitives().filter(|primitive| is_counted(primitive.kind())).count().into()
    }

    pub(super) fn free_key(&self, key: &str) -> Option<Value<'_>> {
        self.value(self.find_key(key).unwrap_or(key.as_bytes()))
    }

    /// Returns the key as the entity has it: in the same case, or else in another one.
    fn find_key(&self, key: &str) -> Option<&'a [u8]> {
        let same = self.entity.pair(key);
        let other = || self.entity.pairs().find(|pair| pair.key().eq_ignore_ascii_case(key.as_bytes()));
        same.or_else(other).map(crate::KeyValue::key)
    }

    fn set_free_key(&mut self, key: &str, value: &Value<'_>) -> Result<(), ValueError> {
        let key = self.find_key(key).map_or_else(|| key.as_bytes().to_vec(), <[u8]>::to_vec);
        self.set_value(&key, value)
    }
}

fields! {
    /// Fields of entities.
    pub(super) static ENTITY: #[free] "entity" = EntityObject<'_> {
        /// Kind of the entity: the world, a layer or group of TrenchBroom, one with brushes, or one without. All are also `entity`.
        kind: String { of: FieldType::Choice(&KINDS) } => get(|object| Some(object.kind_value()));
        /// The path of the entity in the file, which its node in a scene has as key.
        key: String => get(|object| Some(Value::Text(Cow::Owned(format!("entities[{}]", object.entity.index())))));
        /// Number of the entity in the file, from 0.
        number: i64 => get(|object| Some(object.entity.index().into()));
        /// Class of the entity.
        class | classname: Vec<u8> => get(|object| object.value(b"classname")) set(|object, value| object.set_value(b"classname", value));
        /// Name to which other entities refer; of a layer or group, its name in the editor.
        name: Vec<u8> => get(|object| object.value(object.name_key()))
            set(|object, value| object.set_value(object.name_key(), value));
        /// Name of the entities that this one triggers.
        target: Vec<u8> => get(|object| object.value(b"target")) set(|object, value| object.set_value(b"target", value));
        /// Model file, or the number of a model of brushes in a compiled map.
        model: Vec<u8> => get(|object| object.value(b"model")) set(|object, value| object.set_value(b"model", value));
        /// Position.
        origin | position: [f64; 3] { unit: "units" } => get(|object| Some(object.origin()?.to_vec().into()))
            set(|object, value| object.set_value(b"origin", value));
        /// Position to the east.
        x: f64 { unit: "units" } => get(|object| object.coordinate(0)) set(|object, value| object.set_coordinate(0, value));
        /// Position to the north.
        y: f64 { unit: "units" } => get(|object| object.coordinate(1)) set(|object, value| object.set_coordinate(1, value));
        /// Height.
        z: f64 { unit: "units" } => get(|object| object.coordinate(2)) set(|object, value| object.set_coordinate(2, value));
        /// Layer of TrenchBroom that the entity is in. Entities of the default layer have none.
        layer: String => get(|object| object.container(EditorRole::Layer));
        /// Groups of TrenchBroom that the entity is in, from the inside to the outside.
        group: String => get(|object| object.container(EditorRole::Group));
        /// Number of brushes.
        brushes: i64 => get(|object| Some(object.count(PrimitiveKind::is_brush)));
        /// Number of patches.
        patches: i64 => get(|object| Some(object.count(PrimitiveKind::is_patch)));
    }
}

/// A brush, patch or other primitive with new values of its faces.
pub(super) struct PrimitiveObject<'a> {
    pub(super) primitive: Primitive<'a>,
    entity: Entity<'a>,
    index: usize,
    /// The new texture of all faces, which is not written yet.
    pub(super) texture: Option<Vec<u8>>,
    /// The new contents, flags and value of all faces, as words.
    pub(super) extra: [Option<String>; 3],
}

impl<'a> PrimitiveObject<'a> {
    pub(super) fn new(entity: Entity<'a>, (index, primitive): (usize, Primitive<'a>)) -> Self {
        Self { primitive, entity, index, texture: None, extra: [None, None, None] }
    }

    fn kind_value(&self) -> Value<'static> {
        let kind = self.primitive.kind();
        Value::Word(
            if kind.is_brush() {
                "brush"
            } else if kind.is_patch() {
                "patch"
            } else {
                "other"
            },
            &[],
        )
    }

    /// Returns the textures of the faces, each once.
    fn textures(&self) -> Option<Value<'_>> {
        if let Some(texture) = &self.texture {
            return Some(Value::Any(vec![Value::Bytes(Cow::Borrowed(texture))]));
        }
        let patch = self.primitive.patch();
        let all = self.primitive.faces().map(crate::Face::texture).chain(patch.map(|patch| patch.texture()));
        let mut textures: Vec<Cow<'_, [u8]>> = Vec::new();
        for texture in all {
            // Most faces of a brush have the texture of the face before.
            if textures.last() != Some(&texture) {
                textures.push(texture);
            }
        }
        textures.sort_unstable();
        textures.dedup();
        (!textures.is_empty()).then(|| Value::Any(textures.into_iter().map(Value::Bytes).collect()))
    }

    /// Returns contents, flags or value of the faces: each different one.
    fn extra_value(&self, place: usize, to_value: fn(f64) -> Value<'static>) -> Option<Value<'static>> {
        let number = |word: &str| word.parse().ok().filter(|number: &f64| number.is_finite());
        let mut numbers: Vec<f64> = match self.extra.get(place)? {
            Some(word) => vec![number(word)?],
            None => {
                let faces = self.primitive.faces().filter_map(crate::Face::surface_flags);
                faces.filter_map(|numbers| numbers.get(place).copied()).collect()
            }
        };
        numbers.sort_by(f64::total_cmp);
        numbers.dedup();
        match numbers[..] {
            [] => None,
            [number] => Some(to_value(number)),
            _ => Some(Value::Any(numbers.into_iter().map(to_value).collect())),
        }
    }

    fn set_extra(&mut self, place: usize, word: String) -> Result<(), ValueError> {
        if self.primitive.faces().len() == 0 {
            return Err(ValueError::new("a brush with faces"));
        }
        if let Some(extra) = self.extra.get_mut(place) {
            *extra = Some(word);
        }
        Ok(())
    }

    fn set_flags(&mut self, place: usize, value: &Value<'_>) -> Result<(), ValueError> {
        match value {
            // Files have signed numbers.
            Value::Flags(bits, _) => self.set_extra(place, bits.cast_signed().to_string()),
            _ => Err(ValueError::new("flags")),
        }
    }

    fn set_texture(&mut self, value: &Value<'_>) -> Result<(), ValueError> {
        if self.primitive.faces().len() == 0 && self.primitive.patch().is_none() {
            return Err(ValueError::new("a brush or patch"));
        }
        let mut texture = Vec::new();
        texture.set_value(value)?;
        self.texture = Some(texture);
        Ok(())
    }
}

fields! {
    /// Fields of brushes, patches and other primitives.
    pub(super) static PRIMITIVE: "primitive" = PrimitiveObject<'_> {
        /// Kind: `brush`, `patch` or `other`.
        kind: String { of: FieldType::Choice(&KINDS) } => get(|object| Some(object.kind_value()));
        /// The path of the primitive in the file, which its node in a scene has as key.
        key: String => get(|object| {
            let (entity, index) = (object.entity.index(), object.index);
            Some(Value::Text(Cow::Owned(format!("entities[{entity}].primitives[{index}]"))))
        });
        /// Number of the entity that has the primitive.
        entity: i64 => get(|object| Some(object.entity.index().into()));
        /// Number of the primitive in its entity, from 0.
        index: i64 => get(|object| Some(object.index.into()));
        /// Class of the entity that has the primitive.
        class | classname: Vec<u8> => get(|object| object.entity.class().map(Value::from));
        /// Textures of the faces. A new one is the texture of all faces.
        texture | material: Vec<u8> => get(|object| object.textures()) set(|object, value| object.set_texture(value));
        /// Contents of the faces, with the names of Quake 2.
        contents: Contents => get(|object| object.extra_value(0, |number| Value::Flags(to_bits(number), Contents::NAMES)))
            set(|object, value| object.set_flags(0, value));
        /// Flags of the faces, with the names of Quake 2.
        flags: SurfaceFlags => get(|object| object.extra_value(1, |number| Value::Flags(to_bits(number), SurfaceFlags::NAMES)))
            set(|object, value| object.set_flags(1, value));
        /// Number after the flags of the faces: in Quake 2 the brightness of faces with `LIGHT`.
        value: f64 => get(|object| object.extra_value(2, Value::Float))
            set(|object, value| object.set_extra(2, format_number(value.as_f64().unwrap_or_default())));
        /// Number of faces.
        faces: i64 => get(|object| Some(object.primitive.faces().len().into()));
    }
}

/// Returns the bits of a number of 32 bits, which may be signed.
fn to_bits(number: f64) -> u32 {
    #[expect(clippy::cast_possible_truncation, reason = "other numbers become the nearest one, or 0")]
    let whole = number as i64;
    u32::try_from(whole).or_else(|_| i32::try_from(whole).map(i32::cast_unsigned)).unwrap_or(0)
}

impl Objects for Document {
    fn vocabulary(&self) -> Vocabulary {
        let keys: BTreeSet<&[u8]> = self.entities().flat_map(Entity::pairs).map(crate::KeyValue::key).collect();
        Vocabulary::new([&ENTITY, &PRIMITIVE]).with_free_keys(keys.into_iter().map(crate::decode_text))
    }

    fn visit(&self, visitor: &mut dyn FnMut(&dyn Fields)) {
        let containers = Containers::new(self);
        for entity in self.entities() {
            visitor(&EntityObject::new(entity, &containers));
            for primitive in entity.primitives().enumerate() {
                visitor(&PrimitiveObject::new(entity, primitive));
            }
        }
    }
}

//! The language, as a format uses it.

mod edits;
mod hostile;
mod queries;

use std::borrow::Cow;

use mapwright_query::{
    Assigner, Assignment, EditObjects, Edited, Fields, Objects, QueryError, Schema, SetFields, Value, ValueError,
    Vocabulary, fields, named_words,
};

#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
struct LightFlags(u32);
named_words!(LightFlags: Flags(&[(1, "STATIC"), (2, "SHADOW"), (4, "HALO")]));

#[derive(Debug, Clone, PartialEq, Default)]
struct Light {
    name: Vec<u8>,
    range: f64,
    count: i32,
    flags: LightFlags,
    position: [f64; 3],
    albedo: Option<f64>,
}

fields! {
    /// Fields of lights.
    static LIGHT: "light" = Light {
        /// Name in the editor.
        name: Vec<u8>;
        /// Radius of what it lights.
        range | radius: f64 { unit: "m", default: "5" };
        /// Unknown. Observed values: 0.
        count: i32;
        /// Drawing flags.
        flags: LightFlags;
        /// Position.
        position | origin: [f64; 3];
        /// Reflected share.
        albedo: Option<f64>;
        /// Distance east.
        x: f64 => get(|light| Some(light.position[0].into()))
            set(|light, value| { light.position[0] = value.as_f64().unwrap_or_default(); Ok(()) });
        /// Kind of the object.
        kind: Kind => get(|_| Some("light".into()));
    }
}

/// A type for the field `kind`.
struct Kind;

impl mapwright_query::FieldValue for Kind {
    const TYPE: mapwright_query::FieldType = mapwright_query::FieldType::Choice(&["light", "entity"]);

    fn to_value(&self) -> Option<Value<'_>> {
        None
    }

    fn set_value(&mut self, _: &Value<'_>) -> Result<(), ValueError> {
        Err(ValueError::new("nothing"))
    }
}

/// A light and the group around it.
struct Placed<'a> {
    light: &'a Light,
    group: &'a str,
    number: i64,
}

fields! {
    view static PLACED: "light" = Placed<'_>, extends LIGHT via light {
        /// Names of the groups around it.
        group: String => get(|placed| Some(Value::Any(vec![placed.group.into(), "root".into()])));
        /// Number in the file.
        number: i64;
    }
}

/// An entity with keys of any name.
#[derive(Debug, Clone, Default)]
struct Entity {
    class: String,
    keys: Vec<(String, String)>,
}

fields! {
    /// Fields of entities.
    static ENTITY: #[free] "entity" = Entity {
        /// Class of the entity.
        class | classname: String;
        /// Kind of the object.
        kind: Kind => get(|_| Some("entity".into()));
    }
}

impl Entity {
    fn free_key(&self, key: &str) -> Option<Value<'_>> {
        let found = self.keys.iter().find(|(name, _)| name.eq_ignore_ascii_case(key));
        found.map(|(_, value)| value.as_str().into())
    }

    fn set_free_key(&mut self, key: &str, value: &Value<'_>) -> Result<(), ValueError> {
        match self.keys.iter_mut().find(|(name, _)| name.eq_ignore_ascii_case(key)) {
            Some((_, old)) => *old = value.to_string(),
            None => self.keys.push((key.to_owned(), value.to_string())),
        }
        Ok(())
    }
}

#[derive(Debug, Clone, Default)]
struct Level {
    lights: Vec<Light>,
    entities: Vec<Entity>,
}

impl Level {
    fn sample() -> Self {
        let light = |name: &[u8], range, count, flags, albedo| Light {
            name: name.to_vec(),
            range,
            count,
            flags: LightFlags(flags),
            position: [range, 0.0, -1.0],
            albedo,
        };
        let keys = |pairs: &[(&str, &str)]| pairs.iter().map(|(key, value)| ((*key).into(), (*value).into())).collect();
        Self {
            lights: vec![
                light(b"Hall", 4.0, 0, 1, None),
                light(b"Door 1", 9.5, 7, 3, Some(50.0)),
                light(b"T\xb3o", 0.0, -7, 0, Some(0.0)),
            ],
            entities: vec![
                Entity { class: "prop_static".into(), keys: keys(&[("angles", "0 90 0"), ("skin", "2")]) },
                Entity { class: "info_\u{141}".into(), keys: keys(&[("Model", "models\\a.mdl"), ("range", "10")]) },
            ],
        }
    }

    fn names(&self, query: &str) -> Vec<String> {
        let found = self.select(&query.parse().unwrap()).unwrap();
        let lights = self.lights.iter().map(|light| String::from_utf8_lossy(&light.name).into_owned());
        let names: Vec<String> = lights.chain(self.entities.iter().map(|entity| entity.class.clone())).collect();
        found.into_iter().map(|index| names[index].clone()).collect()
    }
}

impl Objects for Level {
    fn vocabulary(&self) -> Vocabulary {
        let schemas: [&'static Schema; 2] = [&PLACED, &ENTITY];
        let keys = self.entities.iter().flat_map(|entity| &entity.keys).map(|(key, _)| Cow::Borrowed(key.as_str()));
        Vocabulary::new(schemas).with_free_keys(keys)
    }

    fn visit(&self, visitor: &mut dyn FnMut(&dyn Fields)) {
        for (light, number) in self.lights.iter().zip(1..) {
            visitor(&Placed { light, group: "Tower", number });
        }
        self.entities.iter().for_each(|entity| visitor(entity));
    }
}

impl EditObjects for Level {
    fn set(&mut self, objects: &[usize], assignments: &[Assignment], create: bool) -> Result<Edited, QueryError> {
        let (mut new, mut assigner, mut changed) = (self.clone(), Assigner::new(assignments, create), 0);
        let lights = self.lights.len();
        for &index in objects {
            let record: &mut dyn SetFields =
                if index < lights { &mut new.lights[index] } else { &mut new.entities[index - lights] };
            changed += usize::from(assigner.apply(record)?);
        }
        *self = new;
        Ok(Edited::objects(changed, objects.len()))
    }
}

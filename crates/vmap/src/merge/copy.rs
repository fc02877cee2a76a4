//! Elements and values of theirs, for the result.

use std::collections::HashMap;

use mapwright_dmx::{Attribute, ElementId, Reference, StringId, Value};

use super::Side;
use super::plan::Plan;
use super::records::Kind;
use super::trio::{Trio, attributes_of};
use crate::Editor;
use crate::document::Node;

pub(super) struct Copier<'t, 'a> {
    trio: &'t Trio<'a>,
    /// The element of the result for each of theirs.
    known: Vec<Option<ElementId>>,
    strings: HashMap<StringId, StringId>,
    /// The numbers that nodes of theirs have in the result; none for those that are not in it.
    numbers: HashMap<i32, Option<i32>>,
    /// New elements without attributes.
    next: Vec<(ElementId, ElementId)>,
}

impl<'t, 'a> Copier<'t, 'a> {
    /// Makes the records that only theirs has.
    pub(super) fn new(trio: &'t Trio<'a>, plan: &Plan, editor: &mut Editor<'_>) -> Self {
        let theirs = &trio.sides.theirs;
        let mut copier = Self {
            trio,
            known: vec![None; theirs.kinds.len()],
            strings: HashMap::new(),
            numbers: HashMap::new(),
            next: Vec::new(),
        };
        for (who, item) in trio.items.iter().enumerate() {
            let Some(id) = item.in_.theirs else { continue };
            let is_new = item.kind.is_placed() && plan.has(who);
            match item.in_.ours {
                Some(ours) => copier.know(id, ours),
                None if is_new => copier.make(editor, id),
                None => {}
            }
        }
        let numbers = theirs.all(Kind::Node).into_iter().filter_map(|id| Some((id, theirs.map.graph().element(id)?)));
        for (id, element) in numbers {
            if let Some(number) = Node(element).node_id() {
                let now = copier.of(id).map(|now| {
                    match trio.who(Side::Theirs, id).and_then(|who| trio.element(Side::Ours, who)) {
                        Some(_) => {
                            editor.map().graph().element(now).and_then(|node| node.int("nodeID")).unwrap_or(number.0)
                        }
                        None => editor.claim_number(number.0),
                    }
                });
                copier.numbers.entry(number.0).or_insert(now);
            }
        }
        copier.fill(editor);
        copier
    }

    /// The element of the result for one of theirs.
    pub(super) fn of(&self, id: ElementId) -> Option<ElementId> {
        self.known.get(id.index()).copied().flatten()
    }

    /// The element of a record in the result.
    pub(super) fn of_record(&self, who: usize) -> Option<ElementId> {
        let item = self.trio.items.get(who)?;
        item.in_.ours.or_else(|| item.in_.theirs.and_then(|id| self.of(id)))
    }

    fn know(&mut self, id: ElementId, now: ElementId) {
        if let Some(known) = self.known.get_mut(id.index()) {
            *known = Some(now);
        }
    }

    fn make(&mut self, editor: &mut Editor<'_>, id: ElementId) {
        let Some(element) = self.trio.sides.theirs.map.graph().element(id) else { return };
        let guid = editor.claim_guid(element.guid());
        let now = editor.graph_mut().push(element.class(), element.name(), guid);
        self.know(id, now);
        self.next.push((id, now));
    }

    /// Gives new elements their attributes.
    fn fill(&mut self, editor: &mut Editor<'_>) {
        while let Some((id, now)) = self.next.pop() {
            let kind = self.trio.sides.theirs.kind(id);
            let mut attributes = Vec::new();
            for attribute in attributes_of(self.trio.sides.theirs.map, id) {
                attributes.push(self.attribute(editor, kind, attribute));
            }
            let name = (kind == Some(Kind::Light)).then(|| self.light(id)).flatten();
            let graph = editor.graph_mut();
            let name = name.map(|name| graph.intern(name));
            if let Some(element) = graph.elements.get_mut(now.index()) {
                element.attributes = attributes;
                element.name = name.unwrap_or(element.name);
            }
        }
    }

    /// The path to a node whose number is another one in the result.
    fn light(&self, id: ElementId) -> Option<Vec<u8>> {
        let theirs = &self.trio.sides.theirs;
        let light = theirs.map.graph().element(id)?;
        let node = theirs.map.graph().element(theirs.lit(light).0?)?;
        let number = Node(node).node_id()?;
        let now = self.numbers.get(&number.0).copied().flatten().filter(|now| *now != number.0)?;
        let end = light.name().iter().position(|&byte| byte == b'.').unwrap_or(light.name().len());
        Some([now.to_string().as_bytes(), light.name().get(end..).unwrap_or_default()].concat())
    }

    /// An attribute of an element that is new in the result.
    fn attribute(&mut self, editor: &mut Editor<'_>, kind: Option<Kind>, attribute: &Attribute) -> Attribute {
        let name = self.trio.sides.theirs.map.graph().string(attribute.name);
        let is_list = kind.and_then(Kind::list).is_some_and(|list| list.as_bytes() == name);
        let value = match (kind, name, &attribute.value) {
            // What stands below is added when all of it is there.
            (_, _, Value::ElementArray(_)) if is_list => Value::ElementArray(Box::default()),
            (Some(Kind::Manager), b"nodes", Value::ElementArray(_)) => Value::ElementArray(Box::default()),
            (Some(Kind::Manager), b"hiddenFlags", Value::IntArray(_)) => Value::IntArray(Box::default()),
            (Some(Kind::Node), b"nodeID", Value::Int(number)) => {
                Value::Int(self.numbers.get(number).copied().flatten().unwrap_or(*number))
            }
            (Some(Kind::Node), b"referenceID", Value::UInt64(reference)) => {
                Value::UInt64(editor.claim_reference(*reference).unwrap_or_else(|| editor.reference()))
            }
            (_, _, value) => self.one(editor, name, value),
        };
        Attribute { name: self.string(editor, attribute.name), value }
    }

    /// A value of theirs, with all that is in it.
    pub(super) fn value(&mut self, editor: &mut Editor<'_>, name: &[u8], value: &Value) -> Value {
        let value = self.one(editor, name, value);
        self.fill(editor);
        value
    }

    fn one(&mut self, editor: &mut Editor<'_>, name: &[u8], value: &Value) -> Value {
        match value {
            Value::Element(reference) => Value::Element(self.reference(editor, *reference).unwrap_or(Reference::Null)),
            Value::ElementArray(references) => {
                Value::ElementArray(references.iter().filter_map(|one| self.reference(editor, *one)).collect())
            }
            Value::String(id) => Value::String(self.string(editor, *id)),
            Value::StringArray(ids) => Value::StringArray(ids.iter().map(|id| self.string(editor, *id)).collect()),
            // Nodes by their numbers; what is no number of a node of theirs stays what it is.
            Value::IntArray(numbers) if name == b"projectionTargets" => {
                let now = |number: &i32| self.numbers.get(number).copied().unwrap_or(Some(*number));
                Value::IntArray(numbers.iter().filter_map(now).collect())
            }
            value => value.clone(),
        }
    }

    /// What a reference of theirs leads to in the result; `None` if that is not there.
    pub(super) fn reference(&mut self, editor: &mut Editor<'_>, reference: Reference) -> Option<Reference> {
        match reference {
            Reference::Null => Some(Reference::Null),
            Reference::External(id) => Some(Reference::External(self.string(editor, id))),
            Reference::Element(id) => {
                let is_placed = self.trio.sides.theirs.kind(id).is_some_and(Kind::is_placed);
                if self.of(id).is_none() && !is_placed {
                    self.make(editor, id);
                }
                self.of(id).map(Reference::Element)
            }
        }
    }

    pub(super) fn string(&mut self, editor: &mut Editor<'_>, id: StringId) -> StringId {
        *self.strings.entry(id).or_insert_with(|| {
            let string = self.trio.sides.theirs.map.graph().string(id);
            editor.graph_mut().intern(string)
        })
    }
}

//! Copies elements and values of theirs into the result.

use std::collections::HashMap;

use mapwright_dmx::{Attribute, ElementId, Reference, StringId, Value};

use super::Side;
use super::plan::Plan;
use super::records::Kind;
use super::three_way::{ThreeWayDiff, attributes_of};
use crate::Editor;
use crate::document::Node;

/// Copies elements of theirs.
pub(super) struct Copier<'t, 'a> {
    diff: &'t ThreeWayDiff<'a>,
    /// Element of the result for each element of theirs.
    known: Vec<Option<ElementId>>,
    strings: HashMap<StringId, StringId>,
    /// Number in the result for each node of theirs; `None` for nodes that it does not have.
    numbers: HashMap<i32, Option<i32>>,
    /// New elements that still need their attributes.
    next: Vec<(ElementId, ElementId)>,
}

impl<'t, 'a> Copier<'t, 'a> {
    /// Creates the records that only theirs has.
    pub(super) fn new(diff: &'t ThreeWayDiff<'a>, plan: &Plan, editor: &mut Editor<'_>) -> Self {
        let theirs = &diff.sides.theirs;
        let mut copier = Self {
            diff,
            known: vec![None; theirs.kinds.len()],
            strings: HashMap::new(),
            numbers: HashMap::new(),
            next: Vec::new(),
        };
        for (record, versions) in diff.records.iter().enumerate() {
            // The result begins as our side, which needs no copies.
            let Some(id) = versions.elements.theirs else { continue };
            let is_new = versions.kind.is_in_tree() && plan.has(record);
            match versions.elements.ours {
                Some(ours) => copier.set_result(id, ours),
                None if is_new => copier.create(editor, id),
                None => {}
            }
        }
        let numbers =
            theirs.with_kind(Kind::Node).into_iter().filter_map(|id| Some((id, theirs.map.graph().element(id)?)));
        for (id, element) in numbers {
            if let Some(number) = Node(element).node_id() {
                let now = copier.result_of(id).map(|now| {
                    match diff.record_of(Side::Theirs, id).and_then(|record| diff.element(Side::Ours, record)) {
                        Some(_) => {
                            editor.map().graph().element(now).and_then(|node| node.int("nodeID")).unwrap_or(number.0)
                        }
                        None => editor.claim_number(number.0),
                    }
                });
                copier.numbers.entry(number.0).or_insert(now);
            }
        }
        copier.set_attributes(editor);
        copier
    }

    /// Returns the element of the result for an element of theirs.
    pub(super) fn result_of(&self, id: ElementId) -> Option<ElementId> {
        self.known[id.index()]
    }

    /// Returns the element of a record in the result.
    pub(super) fn result_of_record(&self, record: usize) -> Option<ElementId> {
        let versions = &self.diff.records[record];
        versions.elements.ours.or_else(|| versions.elements.theirs.and_then(|id| self.result_of(id)))
    }

    fn set_result(&mut self, id: ElementId, now: ElementId) {
        self.known[id.index()] = Some(now);
    }

    fn create(&mut self, editor: &mut Editor<'_>, id: ElementId) {
        let element = self.diff.sides.theirs.map.graph().element(id).expect("records refer to elements");
        let guid = editor.claim_guid(element.guid());
        let now = editor.graph_mut().push(element.class(), element.name(), guid);
        self.set_result(id, now);
        self.next.push((id, now));
    }

    /// Gives new elements their attributes.
    fn set_attributes(&mut self, editor: &mut Editor<'_>) {
        while let Some((id, now)) = self.next.pop() {
            let kind = self.diff.sides.theirs.kind(id);
            let mut attributes = Vec::new();
            for attribute in attributes_of(self.diff.sides.theirs.map, id) {
                attributes.push(self.attribute(editor, kind, attribute));
            }
            let name = (kind == Some(Kind::Light)).then(|| self.renumbered_path(id)).flatten();
            let graph = editor.graph_mut();
            let name = name.map(|name| graph.intern(name));
            if let Some(element) = graph.elements.get_mut(now.index()) {
                element.attributes = attributes;
                element.name = name.unwrap_or(element.name);
            }
        }
    }

    /// Returns the new path of baked light if its node has another number in the result.
    fn renumbered_path(&self, id: ElementId) -> Option<Vec<u8>> {
        let theirs = &self.diff.sides.theirs;
        let light = theirs.map.graph().element(id)?;
        let node = theirs.map.graph().element(theirs.lit_node(light).0?)?;
        let number = Node(node).node_id()?;
        let now = self.numbers.get(&number.0).copied().flatten().filter(|now| *now != number.0)?;
        let end = light.name().iter().position(|&byte| byte == b'.').unwrap_or(light.name().len());
        Some([now.to_string().as_bytes(), light.name().get(end..).unwrap_or_default()].concat())
    }

    /// Copies an attribute of an element that is new in the result.
    fn attribute(&mut self, editor: &mut Editor<'_>, kind: Option<Kind>, attribute: &Attribute) -> Attribute {
        let name = self.diff.sides.theirs.map.graph().string(attribute.name);
        let is_list = kind.and_then(Kind::list_attribute).is_some_and(|list| list.as_bytes() == name);
        let value = match (kind, name, &attribute.value) {
            // Children are added when all nodes exist.
            (_, _, Value::ElementArray(_)) if is_list => Value::ElementArray(Box::default()),
            (Some(Kind::Manager), b"nodes", Value::ElementArray(_)) => Value::ElementArray(Box::default()),
            (Some(Kind::Manager), b"hiddenFlags", Value::IntArray(_)) => Value::IntArray(Box::default()),
            (Some(Kind::Node), b"nodeID", Value::Int(number)) => {
                Value::Int(self.numbers.get(number).copied().flatten().unwrap_or(*number))
            }
            (Some(Kind::Node), b"referenceID", Value::UInt64(reference)) => {
                Value::UInt64(editor.claim_reference(*reference).unwrap_or_else(|| editor.new_reference()))
            }
            (_, _, value) => self.copy_value(editor, name, value),
        };
        Attribute { name: self.copy_string(editor, attribute.name), value }
    }

    /// Copies a value of theirs with all elements in it.
    pub(super) fn copy_value_with_parts(&mut self, editor: &mut Editor<'_>, name: &[u8], value: &Value) -> Value {
        let value = self.copy_value(editor, name, value);
        self.set_attributes(editor);
        value
    }

    fn copy_value(&mut self, editor: &mut Editor<'_>, name: &[u8], value: &Value) -> Value {
        match value {
            Value::Element(reference) => {
                Value::Element(self.copy_reference(editor, *reference).unwrap_or(Reference::Null))
            }
            Value::ElementArray(references) => {
                Value::ElementArray(references.iter().filter_map(|one| self.copy_reference(editor, *one)).collect())
            }
            Value::String(id) => Value::String(self.copy_string(editor, *id)),
            Value::StringArray(ids) => Value::StringArray(ids.iter().map(|id| self.copy_string(editor, *id)).collect()),
            // Numbers of nodes. A number without a node of theirs stays unchanged.
            Value::IntArray(numbers) if name == b"projectionTargets" => {
                let now = |number: &i32| self.numbers.get(number).copied().unwrap_or(Some(*number));
                Value::IntArray(numbers.iter().filter_map(now).collect())
            }
            value => value.clone(),
        }
    }

    /// Copies a reference of theirs; `None` if the result does not have its target.
    pub(super) fn copy_reference(&mut self, editor: &mut Editor<'_>, reference: Reference) -> Option<Reference> {
        match reference {
            Reference::Null => Some(Reference::Null),
            Reference::External(id) => Some(Reference::External(self.copy_string(editor, id))),
            Reference::Element(id) => {
                let is_in_tree = self.diff.sides.theirs.kind(id).is_some_and(Kind::is_in_tree);
                if self.result_of(id).is_none() && !is_in_tree {
                    self.create(editor, id);
                }
                self.result_of(id).map(Reference::Element)
            }
        }
    }

    pub(super) fn copy_string(&mut self, editor: &mut Editor<'_>, id: StringId) -> StringId {
        *self.strings.entry(id).or_insert_with(|| {
            let string = self.diff.sides.theirs.map.graph().string(id);
            editor.graph_mut().intern(string)
        })
    }
}

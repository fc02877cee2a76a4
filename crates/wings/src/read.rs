//! Bytes → [`Document`] → [`Model`].

#![deny(
    clippy::arithmetic_side_effects,
    clippy::indexing_slicing,
    clippy::unwrap_used,
    clippy::expect_used,
    clippy::panic
)]

mod duplicates;
mod edge;
mod legacy;
mod mesh;

pub(crate) use duplicates::find_replaced_elements;
pub(crate) use edge::{AttributeSource, EdgeScan, vertex_slot};

use std::cell::Cell;
use std::sync::Arc;

use mapwright_etf as etf;
use mapwright_etf::Term;
use mapwright_io::{Category, Context, Error, FaultKind, Frame, Input, Position};

use crate::document::{MAGIC, item_tree, value_tree};
use crate::{
    Document, Material, MaterialEntry, Model, Name, Object, Opaque, PropList, ReadError, ReadErrorKind, ReadOptions,
    Shape,
};

mapwright_io::read_functions! {
    /// The content of the term is not checked; see [`model`](Self::model).
    "a Wings 3D scene"
}

impl Document {
    /// Reads a file with the given options.
    ///
    /// # Errors
    /// If the header, the compression or the term is invalid, with its offset, or if a limit is exceeded.
    pub fn from_bytes_with(bytes: &[u8], options: &ReadOptions) -> Result<Self, ReadError> {
        let mut input = Input::new(bytes);
        let known = bytes.iter().zip(MAGIC).take_while(|(a, b)| a == b).count();
        if known < MAGIC.len().min(bytes.len()) {
            return Err(Error::new(ReadErrorKind::Magic, Position::file(known as u64)));
        }
        input.take(MAGIC.len()).in_field("header")?;
        let at = input.position();
        let declared = input.u32_be().in_field("header")?;
        let found = input.remaining() as u64;
        if u64::from(declared) != found {
            return Err(Error::new(ReadErrorKind::Length { declared, found }, at).wrap(Frame::Field("header")));
        }
        let options = etf::ReadOptions::default().with_limits(options.limits.clone()).with_mode(options.mode);
        let payload = etf::Document::from_input(&mut input, &options);
        Ok(Self { payload: payload.map_err(|error| error.map_kind(from_term_error)).in_field("payload")? })
    }

    /// Returns the typed content. Parts with an unexpected form are opaque entries that record the reason.
    ///
    /// Versions 0 and 1 are upgraded to version 2: winged edges are built from their polygons, and their materials get an `opengl`
    /// list.
    ///
    /// # Errors
    /// If the term is not a Wings 3D scene, with its offset.
    pub fn model(&self) -> Result<Model, ReadError> {
        self.model_and_repairs().map(|(model, _)| model)
    }

    /// Returns the model, and the repairs that building winged edges made in a file of version 0 or 1.
    pub(crate) fn model_and_repairs(&self) -> Result<(Model, legacy::Repairs), ReadError> {
        ModelReader::new(self).read_model(self.payload.tree().root())
    }
}

/// Converts an error of the payload. Kinds that exist in both enums stay the same kind.
pub(crate) fn from_term_error(kind: etf::ReadErrorKind) -> ReadErrorKind {
    match kind {
        etf::ReadErrorKind::Input(fault) => fault.into(),
        kind => kind.into(),
    }
}

/// Reads parts of one document.
pub(crate) struct ModelReader<'d> {
    document: &'d Document,
    /// Remaining memory in bytes.
    memory: Cell<u64>,
}

/// Memory that a model may take in addition to a multiple of its term. Usual models take less than a third of the limit. Only
/// lists of millions of empty entries approach it.
const FREE_MEMORY: u64 = 16 << 20;
const MEMORY_PER_BYTE: u64 = 6;

fn memory_limit(document: &Document) -> u64 {
    let term = document.payload().tree().as_bytes().len() as u64;
    term.saturating_mul(MEMORY_PER_BYTE).saturating_add(FREE_MEMORY)
}

/// Approximate memory of a small tree in addition to its fields, and of a reason.
pub(crate) const TREE: usize = 48;
pub(crate) const REASON: usize = 256;

/// The three lists of a scene.
pub(crate) struct SceneLists<'t> {
    pub(crate) version: u8,
    pub(crate) shapes: Term<'t>,
    pub(crate) materials: Option<Term<'t>>,
    pub(crate) props: Option<Term<'t>>,
}

impl<'d> ModelReader<'d> {
    pub(crate) fn new(document: &'d Document) -> Self {
        Self { document, memory: Cell::new(memory_limit(document)) }
    }

    /// Charges the memory of one entry of a list. The entry counts twice, because lists grow by doubling.
    pub(crate) fn charge<T>(&self, list: Term<'d>, extra_bytes: usize) -> Result<(), ReadError> {
        if self.try_charge::<T>(extra_bytes) {
            return Ok(());
        }
        let limit = memory_limit(self.document);
        let kind = FaultKind::Limit { what: "the memory of the model", asked: limit.saturating_add(1), limit };
        Err(self.error(list, kind.into()))
    }

    /// Charges memory. Returns `false`, and leaves nothing, if too little is left.
    pub(crate) fn try_charge<T>(&self, extra_bytes: usize) -> bool {
        let bytes = size_of::<T>().saturating_mul(2).saturating_add(extra_bytes);
        let left = self.memory.get().checked_sub(bytes as u64);
        self.memory.set(left.unwrap_or(0));
        left.is_some()
    }

    /// Finds the lists of a scene of any version.
    pub(crate) fn find_lists(&self, root: Term<'d>) -> Result<SceneLists<'d>, ReadError> {
        let mut elements = root.as_tuple().ok_or_else(|| self.not_wings(root, "expected a tuple"))?;
        let arity = elements.len();
        if !elements.next().is_some_and(|first| first.is_atom("wings")) {
            return Err(self.not_wings(root, "expected the atom wings as the first element"));
        }
        let number = elements.next();
        let version = number
            .and_then(Term::as_i64)
            .ok_or_else(|| self.not_wings(root, "expected a version as the second element"))?;
        match (version, arity) {
            (2, 3) => {
                let triple = elements.next().unwrap_or(root);
                let [shapes, materials, props] = triple
                    .as_tuple_of()
                    .ok_or_else(|| self.not_wings(triple, "expected a triple of shapes, materials and properties"))?;
                Ok(SceneLists { version: 2, shapes, materials: Some(materials), props: Some(props) })
            }
            (1, 5) => {
                let [_, _, shapes, materials, props] =
                    root.as_tuple_of().ok_or_else(|| self.not_wings(root, "expected five elements"))?;
                Ok(SceneLists { version: 1, shapes, materials: Some(materials), props: Some(props) })
            }
            (0, 3) => {
                Ok(SceneLists { version: 0, shapes: elements.next().unwrap_or(root), materials: None, props: None })
            }
            (0..=2, _) => Err(self.not_wings(root, "wrong number of elements")),
            (version, _) => Err(self.error(number.unwrap_or(root), ReadErrorKind::Version(version))),
        }
    }

    fn read_model(&self, root: Term<'d>) -> Result<(Model, legacy::Repairs), ReadError> {
        let parts = self.find_lists(root)?;
        if parts.version < 2 {
            return self.read_legacy(&parts);
        }
        let mut model = Model { version: parts.version, ..Model::default() };
        let shapes = parts
            .shapes
            .as_list()
            .ok_or_else(|| self.malformed(parts.shapes, "not-a-list", "the shapes are not a list"))?;
        let mut items = shapes.items();
        for (index, item) in items.by_ref().enumerate() {
            self.charge::<Shape>(parts.shapes, REASON)?;
            let shape = match item
                .term()
                .ok_or_else(|| self.malformed(parts.shapes, "object-shape", "expected an object, found a number"))
            {
                Ok(term) => self.read_object(term).map_err(|error| (error, value_tree(term))),
                Err(error) => Err((error, item_tree(item))),
            };
            model.shapes.push(match shape {
                Ok(object) => Shape::Object(object),
                Err((error, _)) if error.category() == Category::Limit => {
                    return Err(error.wrap(Frame::Index(index)).wrap(Frame::Field("shapes")));
                }
                Err((error, term)) => Shape::Other(to_opaque(term, error, "shapes", index)),
            });
        }
        if items.tail().is_some() {
            return Err(self
                .malformed(parts.shapes, "not-a-list", "the list of shapes is improper")
                .wrap(Frame::Field("shapes")));
        }
        if let Some(term) = parts.materials {
            let list = self.read_prop_list(term, "the materials are not a proper list").in_field("materials")?;
            model.materials =
                list.items.into_iter().enumerate().map(|(index, item)| self.read_material(item, index, term)).collect();
        }
        if let Some(term) = parts.props {
            model.props = self.read_prop_list(term, "the scene properties are not a proper list").in_field("props")?;
        }
        Ok((model, Vec::new()))
    }

    /// Returns the name, mesh and properties of an object.
    pub(crate) fn object_parts(&self, term: Term<'d>) -> Result<[Term<'d>; 3], ReadError> {
        let [_, parts @ ..] =
            term.as_tuple_of().filter(|[tag, ..]: &[_; 4]| tag.is_atom("object")).ok_or_else(|| {
                self.malformed(term, "object-shape", "expected an object {object,Name,{winged,…},Properties}")
            })?;
        Ok(parts)
    }

    fn read_object(&self, term: Term<'d>) -> Result<Object, ReadError> {
        let [name, mesh, props] = self.object_parts(term)?;
        Ok(Object {
            name: Name::from_string(name),
            mesh: self.read_mesh(mesh).in_field("mesh")?,
            props: self.read_prop_list(props, "the object's properties are not a proper list").in_field("props")?,
        })
    }

    fn read_material(&self, item: etf::Tree, index: usize, list: Term<'d>) -> MaterialEntry {
        let material = item.root().as_tuple_of().and_then(|[name, props]| {
            Some(Material { name: Name::from_atom(name), props: PropList::read(props.as_list()?)? })
        });
        material.map_or_else(
            || {
                let reason = self.malformed(list, "material-shape", "expected a material {Name,Properties}");
                MaterialEntry::Other(to_opaque(item, reason, "materials", index))
            },
            MaterialEntry::Material,
        )
    }

    pub(crate) fn read_prop_list(&self, term: Term<'d>, expected: &'static str) -> Result<PropList, ReadError> {
        let list = term.as_list().ok_or_else(|| self.malformed(term, "not-a-list", expected))?;
        for item in list.items() {
            let size = item.term().map_or(0, |term| term.range().len());
            self.charge::<etf::Tree>(term, size.saturating_add(TREE))?;
        }
        PropList::read(list).ok_or_else(|| self.malformed(term, "not-a-list", expected))
    }

    pub(crate) fn malformed(&self, term: Term<'_>, code: &'static str, expected: &'static str) -> ReadError {
        self.error(term, ReadErrorKind::Part { code, expected })
    }

    fn not_wings(&self, term: Term<'_>, found: &'static str) -> ReadError {
        self.error(term, ReadErrorKind::NotWings { found })
    }

    fn error(&self, term: Term<'_>, kind: ReadErrorKind) -> ReadError {
        Error::new(kind, self.document.position(term))
    }
}

fn to_opaque(term: etf::Tree, reason: ReadError, list: &'static str, index: usize) -> Opaque {
    Opaque { term, reason: Arc::new(reason.wrap(Frame::Index(index)).wrap(Frame::Field(list))) }
}

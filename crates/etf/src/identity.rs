//! Terms that only a running system can use: pids, ports, references, exports and funs.

use mapwright_io::{Fault, Input};

use crate::scalar::parse_atom;
use crate::{Atom, Integer, Tag, Term, Value};

/// A process identifier (tags 88 and 103).
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub struct Pid<'t> {
    /// Node of the process.
    pub node: Atom<'t>,
    /// Number of the process.
    pub id: u32,
    /// High part of the process number.
    pub serial: u32,
    /// Incarnation of the node. One byte in tag 103.
    pub creation: u32,
}

/// A port identifier (tags 89, 102 and 120).
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub struct Port<'t> {
    /// Node of the port.
    pub node: Atom<'t>,
    /// Number of the port. Eight bytes in tag 120, else four.
    pub id: u64,
    /// Incarnation of the node. One byte in tag 102.
    pub creation: u32,
}

/// A reference (tags 90, 101 and 114).
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub struct Reference<'t> {
    /// Node that created the reference.
    pub node: Atom<'t>,
    /// Incarnation of the node. One byte in tags 101 and 114.
    pub creation: u32,
    /// The words in file order, four big-endian bytes each.
    words: &'t [u8],
}

impl Reference<'_> {
    /// Returns the words of the number in file order, at most five.
    pub fn words(&self) -> impl Iterator<Item = u32> + use<'_> {
        self.words.chunks_exact(4).filter_map(|word| word.first_chunk()).copied().map(u32::from_be_bytes)
    }
}

/// A reference to an exported function, `fun module:function/arity` (tag 113).
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub struct Export<'t> {
    /// The module.
    pub module: Atom<'t>,
    /// The function.
    pub function: Atom<'t>,
    /// Number of arguments. Erlang accepts 0 to 2⁵⁹ − 1 and uses 32 bits of it.
    pub arity: Integer<'t>,
}

/// A fun (tag 112). Its free variables are the [`children`](Term::children) of the term.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Fun<'t> {
    /// Module that defines the fun.
    pub module: Atom<'t>,
    /// Number of arguments.
    pub arity: u8,
    /// Number of the fun in its module.
    pub index: u32,
}

/// Parses the value of a term with a tag of this module.
pub(crate) fn parse_value(term: Term<'_>) -> Option<Value<'_>> {
    let tag = term.tag();
    let mut input = Input::new(term.as_bytes().get(1..)?);
    parse_parts(tag, &mut input).ok().flatten()
}

fn parse_parts<'t>(tag: Tag, input: &mut Input<'t>) -> Result<Option<Value<'t>>, Fault> {
    Ok(match tag {
        Tag::NEW_PID | Tag::PID => {
            let Some(node) = read_atom(input)? else { return Ok(None) };
            let (id, serial) = (input.u32_be()?, input.u32_be()?);
            Some(Value::Pid(Pid { node, id, serial, creation: read_creation(tag == Tag::NEW_PID, input)? }))
        }
        Tag::NEW_PORT | Tag::PORT | Tag::V4_PORT => {
            let Some(node) = read_atom(input)? else { return Ok(None) };
            let id = if tag == Tag::V4_PORT { input.u64_be()? } else { input.u32_be()?.into() };
            Some(Value::Port(Port { node, id, creation: read_creation(tag != Tag::PORT, input)? }))
        }
        Tag::REFERENCE => {
            let Some(node) = read_atom(input)? else { return Ok(None) };
            let words = input.take(4)?;
            Some(Value::Reference(Reference { node, creation: input.u8()?.into(), words }))
        }
        Tag::NEWER_REFERENCE | Tag::NEW_REFERENCE => {
            input.u16_be()?;
            let Some(node) = read_atom(input)? else { return Ok(None) };
            let creation = read_creation(tag == Tag::NEWER_REFERENCE, input)?;
            Some(Value::Reference(Reference { node, creation, words: input.read_to_end() }))
        }
        Tag::EXPORT => {
            let (Some(module), Some(function)) = (read_atom(input)?, read_atom(input)?) else { return Ok(None) };
            let tag = Tag(input.u8()?);
            Integer::parse(tag, input.read_to_end()).map(|arity| Value::Export(Export { module, function, arity }))
        }
        Tag::NEW_FUN => {
            input.u32_be()?;
            let arity = input.u8()?;
            input.take(16)?;
            let index = input.u32_be()?;
            input.u32_be()?;
            read_atom(input)?.map(|module| Value::Fun(Fun { module, arity, index }))
        }
        _ => None,
    })
}

fn read_atom<'t>(input: &mut Input<'t>) -> Result<Option<Atom<'t>>, Fault> {
    let Some((length, atom)) = parse_atom(input.peek()) else { return Ok(None) };
    input.take(length)?;
    Ok(Some(atom))
}

fn read_creation(wide: bool, input: &mut Input<'_>) -> Result<u32, Fault> {
    if wide { input.u32_be() } else { input.u8().map(u32::from) }
}

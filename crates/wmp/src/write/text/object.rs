//! Objects.

use super::numbers::Form;
use super::printer::Printer;
use super::unsaid;
use crate::{Member, Object, WriteError};

/// An object, and the blank line behind it.
pub(super) fn object(out: &mut Printer, object: &Object) -> Result<(), WriteError> {
    check(out, object)?;
    out.put(format!("object {} {{", object.number));
    out.comment("  // ", &object.name)?;
    out.end();
    out.indent();
    for (index, numbers) in [object.position, object.angles, object.scale].iter().enumerate() {
        out.put(if index == 0 { "(" } else { " (" });
        out.numbers(numbers, Form::Plain)?;
        out.put(b")");
    }
    out.end();
    // Ten numbers a line of what is alike.
    for like in object.members.chunk_by(|a, b| a.kind == b.kind) {
        for members in like.chunks(10) {
            line(out, members);
        }
    }
    out.put(b"}\n\n");
    Ok(())
}

/// Refuses what binary maps alone say of an object.
pub(super) fn check(out: &Printer, object: &Object) -> Result<(), WriteError> {
    let what = match () {
        () if !object.extra.is_empty() => "a chunk of a binary map",
        () if object.kind.is_some() => "a kind of an object that does not follow from what it holds",
        () if object.word_04 != 0 => "the last word of an object of a binary map",
        () => return Ok(()),
    };
    Err(unsaid(out, what))
}

fn line(out: &mut Printer, members: &[Member]) {
    out.indent();
    for (index, member) in members.iter().enumerate() {
        out.put(if index == 0 { member.kind.word() } else { "," });
        out.put(b" ");
        out.whole(member.number);
    }
    out.end();
}

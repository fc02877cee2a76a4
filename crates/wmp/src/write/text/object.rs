//! Objects.

use super::numbers::Form;
use super::printer::Printer;
use super::unsupported_error;
use crate::{Member, Object, WriteError};

/// Writes an object and a blank line.
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
    // Ten numbers per line, all of one kind.
    for like in object.members.chunk_by(|a, b| a.kind == b.kind) {
        for members in like.chunks(10) {
            line(out, members);
        }
    }
    out.put(b"}\n\n");
    Ok(())
}

/// Rejects values that only binary maps store.
pub(super) fn check(out: &Printer, object: &Object) -> Result<(), WriteError> {
    let what = match () {
        () if !object.extra.is_empty() => "a chunk of a binary map",
        () if object.kind.is_some() => "a kind of an object that does not follow from its members",
        () if object.word_04 != 0 => "the last word of an object of a binary map",
        () => return Ok(()),
    };
    Err(unsupported_error(out, what))
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

//! Where a term stands in the terms around it.

use mapwright_io::{Frame, Path};

use crate::{ReadError, Tag, Term};

impl Term<'_> {
    /// The way from the root of the tree to this term: `[2][0].key` is the key of the first pair of a map that is the third
    /// element of a tuple or list. The tail of a list is `.tail`.
    ///
    /// Found by going down from the root, in time linear in the bytes before the term.
    pub fn path(self) -> Path {
        let mut frames = Vec::new();
        let mut around = self.tree().root();
        let at = self.place().0;
        while around.place().0 != at {
            let children = around.children();
            let Some((index, child)) = children.enumerate().take_while(|(_, child)| child.place().0 <= at).last()
            else {
                break;
            };
            push(&mut frames, around.tag(), index, children.len());
            around = child;
        }
        frames.into_iter().collect()
    }
}

/// Adds the step from a term into one of those that stand in it.
pub(crate) fn push(frames: &mut Vec<Frame>, tag: Tag, index: usize, children: usize) {
    match tag {
        Tag::LIST if index.checked_add(1) == Some(children) => frames.push(Frame::Field("tail")),
        Tag::MAP => {
            let part = if index.is_multiple_of(2) { "key" } else { "value" };
            frames.extend([Frame::Index(index / 2), Frame::Field(part)]);
        }
        _ => frames.push(Frame::Index(index)),
    }
}

/// The error with a path.
pub(crate) fn on(error: ReadError, path: &Path) -> ReadError {
    path.frames().rev().cloned().fold(error, ReadError::wrap)
}

//! Paths of terms.

use mapwright_io::{Frame, Path};

use crate::{ReadError, Tag, Term};

impl Term<'_> {
    /// Returns the path from the root to this term. `[2][0].key` is the key of the first pair of a map that is the third
    /// element of a tuple or list. The tail of a list is `.tail`.
    ///
    /// Searches from the root, in time linear in the number of bytes before the term.
    pub fn path(self) -> Path {
        let mut frames = Vec::new();
        let mut ancestor = self.tree().root();
        let at = self.location().0;
        while ancestor.location().0 != at {
            let children = ancestor.children();
            let Some((index, child)) = children.enumerate().take_while(|(_, child)| child.location().0 <= at).last()
            else {
                break;
            };
            push_frame(&mut frames, ancestor.tag(), index, children.len());
            ancestor = child;
        }
        frames.into_iter().collect()
    }
}

/// Adds the frame of a child of a term.
pub(crate) fn push_frame(frames: &mut Vec<Frame>, tag: Tag, index: usize, children: usize) {
    match tag {
        Tag::LIST if index.checked_add(1) == Some(children) => frames.push(Frame::Field("tail")),
        Tag::MAP => {
            let part = if index.is_multiple_of(2) { "key" } else { "value" };
            frames.extend([Frame::Index(index / 2), Frame::Field(part)]);
        }
        _ => frames.push(Frame::Index(index)),
    }
}

/// Adds a path to an error.
pub(crate) fn with_path(error: ReadError, path: &Path) -> ReadError {
    path.frames().rev().cloned().fold(error, ReadError::wrap)
}

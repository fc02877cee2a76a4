//! Flags that lock a texture to its block, in the dialects where they have an effect.

use crate::{BlockFlags, Dialect, FaceFlags};

/// The flag of blocks with locked textures, or 0.
pub(super) const fn block_lock(dialect: Dialect) -> u32 {
    if has_lock(dialect) { BlockFlags::TEXTURE_LOCK.0 } else { 0 }
}

/// The flag of faces with locked textures, or 0.
pub(super) const fn face_lock(dialect: Dialect) -> u32 {
    if has_lock(dialect) { FaceFlags::LOCAL.0 } else { 0 }
}

const fn has_lock(dialect: Dialect) -> bool {
    matches!(dialect, Dialect::A7 | Dialect::Binary)
}

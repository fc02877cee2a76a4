//! Maps as scenes.
#![cfg(feature = "scene")]

#[path = "scene/bits.rs"]
mod bits;
#[path = "scene/corpus.rs"]
mod corpus;
#[path = "scene/hostile.rs"]
mod hostile;
#[path = "scene/laws.rs"]
mod laws;
#[path = "scene/maps.rs"]
mod maps;
#[path = "scene/merge.rs"]
mod merge;
#[path = "scene/new.rs"]
mod new;
#[path = "scene/scenes.rs"]
mod scenes;
#[path = "scene/shear.rs"]
mod shear;
#[path = "scene/stated.rs"]
mod stated;

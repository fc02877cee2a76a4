//! All tests that share a process: one program is built and linked faster than one for each.

mod brushes;
mod gltf;
mod images;
mod obj;

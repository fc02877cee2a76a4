//! Half-edge meshes.

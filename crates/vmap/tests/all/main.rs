//! All tests in one program, which builds and links faster than one program per file.

mod changes;
mod constants;
mod diff;
mod edit_meshes;
mod edits;
mod fixtures;
mod hostile;
mod maps;
mod merge;
mod mesh;
mod mesh_build;
mod mesh_check;
mod mesh_polygons;
mod mesh_projection;
mod mesh_subdivision;
mod properties;
mod rescue;
mod scene;
mod shapes;
mod spec;
mod speed;
mod validate;
mod variables;
mod witness;

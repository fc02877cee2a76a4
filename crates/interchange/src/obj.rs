//! Wavefront OBJ with its material library MTL, in and out.
//!
//! ```
//! use mapwright_interchange::{obj, NoFiles};
//!
//! let file = b"o Quad\nv 0 0 0\nv 1 0 0\nv 1 1 0\nv 0 1 0\nf 1 2 3 4\n";
//! let import = obj::to_scene(file, &NoFiles, &obj::ImportOptions::default())?;
//! let export = obj::from_scene(&import.scene, &obj::ExportOptions::default())?;
//! assert!(export.document.main.ends_with(b"o Quad\nv 0.0 0.0 0.0\nv 1.0 0.0 0.0\nv 1.0 1.0 0.0\nv 0.0 1.0 0.0\ns off\nf 1 2 3 4\n"));
//! # Ok::<(), mapwright_interchange::Error>(())
//! ```
//!
//! # What is written
//!
//! What Wings 3D writes, and more:
//!
//! | scene | OBJ |
//! |---|---|
//! | node with a mesh | `o`; vertices in the space of the scene, faces turned over where a transform mirrors |
//! | node with a brush | likewise: a flat mesh of its polygons, with the texture coordinates that its projections give |
//! | hidden node | left out, with what is below |
//! | hidden face | written |
//! | hole face, face of two corners | left out |
//! | virtual mirror | frozen |
//! | texture coordinates | the first set, as `vt` with the origin at the lower left; faces that are mapped in part lose theirs |
//! | colours of corners | the first set, as `v x y z r g b`: the mean of the corners of a vertex |
//! | hard edges | `s off` for a flat mesh without normals of its own; as `vn` otherwise |
//! | material | `usemtl`, and an MTL file with the PBR extensions `Pr`, `Pm`, `Ke`, `norm`, `map_Pr`, `map_Pm` |
//! | no material behind a face with one | `usemtl none` |
//! | image | a PNG file beside it, or the path as it stands |
//!
//! Colours are written in sRGB, as Wings does; the formats say nothing. Numbers are the shortest that read back
//! as the same. The same scene gives the same bytes.
//!
//! # What is read
//!
//! Objects by `o`, or by `g` as long as there was no `o`; polygons; negative indices, continued lines, any line ends;
//! `usemtl`, `mtllib`, texture coordinates, colours. Normals that hard edges explain become hard edges, others
//! are kept. Without normals smoothing groups count: by the specification `off` is where a file starts. Points, lines, curves, surfaces
//! and unknown statements are counted in the losses. One bad statement does not cost a file: faces that name what is not there are left
//! out, vertices, texture coordinates and normals without numbers become zero, and the losses say so. A file with lines of which none
//! is a statement of OBJ is refused.
//!
//! `Ns` is an exponent of up to 1000, as Blender writes it: a roughness of `1 - sqrt(Ns / 1000)` where there is no `Pr`. In the files
//! of Wings 3D and of this crate, known by their first line, it is shininess in hundredths.

mod mtl;
mod options;
mod read;
mod write;

pub use options::{ExportOptions, ImportOptions, Normals, ObjectOrder};
pub use read::to_scene;
pub use write::{capabilities, from_scene};

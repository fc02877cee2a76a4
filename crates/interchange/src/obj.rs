//! Reads and writes Wavefront OBJ with its material library MTL.
//!
//! ```
//! use mapwright_interchange::obj;
//! use mapwright_scene::NoFiles;
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
//! | node with a mesh | `o`; vertices in the space of the scene; faces are reversed if a transform mirrors |
//! | node with a brush | likewise: a flat mesh of its polygons, with texture coordinates from its projections |
//! | hidden node | left out, with its descendants |
//! | hidden face | written |
//! | hole face, face with 2 vertices | left out |
//! | virtual mirror | frozen |
//! | texture coordinates | the first set, as `vt` with the origin at the lower left; partly mapped faces lose theirs |
//! | vertex colours | the first set, as `v x y z r g b`: the mean of the corners of a vertex |
//! | hard edges | `s off` for a flat mesh without stored normals, `vn` otherwise |
//! | material | `usemtl`, and an MTL file with the PBR extensions `Pr`, `Pm`, `Ke`, `norm`, `map_Pr`, `map_Pm` |
//! | no material after a face with one | `usemtl none` |
//! | image | a PNG file beside the OBJ file, or the unchanged path |
//!
//! Colours are written in sRGB, as Wings does; the formats do not define this. Numbers have the fewest digits that read back the same.
//! Equal scenes give equal bytes.
//!
//! # What is read
//!
//! Objects by `o`, or by `g` if there was no `o` before; polygons; negative indices, continued lines, any line ends;
//! `usemtl`, `mtllib`, texture coordinates, colours. Normals that follow from hard edges become hard edges, and others are stored.
//! Without normals, smoothing groups apply, which are initially off by the specification. Points, lines, curves, surfaces and unknown
//! statements are counted as losses. Invalid statements do not stop the import: faces with missing vertices, or with vertices without
//! three numbers, are left out; missing texture coordinates and normals are removed from their faces; texture coordinates and normals
//! without numbers become zero. These changes are losses as well. Vertices with seven numbers have a colour with opacity. A file without
//! any statement of OBJ is rejected.
//!
//! `Ns` is an exponent of up to 1000, as in Blender: the roughness is `1 - sqrt(Ns / 1000)` if there is no `Pr`. In files of Wings 3D
//! and of this crate, recognised by their first line, it is shininess in hundredths.

mod mtl;
mod options;
mod read;
mod write;

pub use options::{ExportOptions, ImportOptions, Normals, ObjectOrder};
pub use read::to_scene;
pub use write::{capabilities, from_scene, rename_image};

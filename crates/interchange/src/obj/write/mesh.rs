//! Objects.

use std::borrow::Cow;
use std::hash::BuildHasher;

use hashbrown::{DefaultHashBuilder, HashTable, hash_table::Entry};
use mapwright_io::{format_count, parallel};
use mapwright_scene::{
    BoundedOutput, ColorSet, ColorSpace, Content, CornerColumn, FaceFlags, Losses, MaterialId, Mesh, NO_ROW, Scene,
    Smoothing, TerrainId, UvOrigin, UvSet, Visit,
};

use super::{line::Lines, one_line};
use crate::{
    Error, ErrorKind,
    obj::{ExportOptions, Normals, mtl::NO_MATERIAL},
};

/// Minimum bytes of text per height: a line with its position, and two triangles.
pub(super) const MIN_HEIGHT_BYTES: u64 = 64;

/// Memory per height: a vertex, two triangles, and their texture coordinates with their lookup.
pub(super) const MEMORY: u64 = 480;

/// Writes objects one after another. Indices and the current material continue across objects.
pub(super) struct Writer<'a> {
    scene: &'a Scene,
    names: &'a [String],
    options: &'a ExportOptions,
    /// Number of positions, texture coordinates and normals written so far.
    written: [usize; 3],
    material: Option<MaterialId>,
}

impl<'a> Writer<'a> {
    pub(super) fn new(scene: &'a Scene, names: &'a [String], options: &'a ExportOptions) -> Self {
        Self { scene, names, options, written: [0; 3], material: None }
    }

    pub(super) fn object(
        &mut self,
        visit: &Visit<'_>,
        text: &mut BoundedOutput,
        losses: &mut Losses,
    ) -> Result<(), Error> {
        let ground;
        let mesh = match visit.node.content {
            Content::Mesh(id) => self.scene.meshes.get(id),
            Content::Terrain(id) => {
                ground = self.ground(id, losses);
                Some(&ground)
            }
            _ => None,
        };
        let Some(mesh) = mesh else { return Ok(()) };
        let path = format!("nodes[{}]", visit.id.index());
        let surface = mesh.surface();
        let mesh = surface.transformed(&visit.world);
        if let Some(&bad) = mesh.positions.iter().flatten().find(|number| !number.is_finite()) {
            return Err(Error::on_path(ErrorKind::NotFinite(bad), path));
        }
        let name = one_line(&visit.node.name);
        if name != visit.node.name {
            losses.approximated(&*path, format!("the name {:?} is renamed to {name:?}", visit.node.name));
        }
        let colors = mesh.color_sets.first().and_then(|set| self.colors(&mesh, set, &path, losses));
        let (mut of_uvs, mut of_normals) = (Losses::new(), Losses::new());
        let (uvs, normals) = parallel::join(
            || mesh.uv_sets.first().map(|set| Coordinates::of_set(&mesh, set, &path, &mut of_uvs)).unwrap_or_default(),
            || self.normals(&mesh, &path, &mut of_normals),
        );
        losses.append(of_uvs);
        losses.append(of_normals);

        text.push(format!("o {name}\n").as_bytes());
        Lines::write(mesh.positions.len(), text, |lines, vertices| {
            for (vertex, &[x, y, z]) in vertices.clone().zip(mesh.positions.get(vertices).unwrap_or_default()) {
                lines.push("v").float(x).float(y).float(z);
                if let Some(&[r, g, b]) = colors.as_ref().and_then(|colors| colors.get(vertex)) {
                    lines.channel(r).channel(g).channel(b);
                }
                lines.end();
            }
        });
        uvs.write("vt", text);
        normals.write("vn", text);
        let flat = mesh.smoothing == Smoothing::Flat && normals.values.is_empty();
        text.push(if flat { b"s off\n" } else { b"s 1\n" });
        self.faces(&mesh, &uvs.places, &normals.places, text);
        let counts = [mesh.positions.len(), uvs.values.len(), normals.values.len()];
        for (written, count) in self.written.iter_mut().zip(counts) {
            *written += count;
        }
        Ok(())
    }

    /// Returns the mesh of a terrain.
    fn ground(&self, id: TerrainId, losses: &mut Losses) -> Mesh {
        let Some(terrain) = self.scene.terrains.get(id) else { return Mesh::default() };
        let path = format!("terrains[{}]", id.index());
        let heights = &terrain.heights;
        let infinite = (0..heights.len()).filter(|&vertex| !heights.get(vertex).is_some_and(f64::is_finite)).count();
        if infinite > 0 {
            losses.repaired(&path, format!("{}: set to 0", format_count(infinite, "non-finite height")));
        }
        terrain.mesh()
    }

    fn faces(&mut self, mesh: &Mesh, uvs: &[u32], normals: &[u32], text: &mut BoundedOutput) {
        let [first_vertex, first_uv, first_normal] = self.written.map(|count| count + 1);
        let index = |first: usize, place: Option<&u32>| {
            place.filter(|place| **place != NO_ROW).map(|&place| first + place as usize)
        };
        let this = &*self;
        Lines::write(mesh.faces.len(), text, |lines, faces| {
            let before = faces.start.checked_sub(1);
            let mut current = before.map_or(this.material, |face| mesh.face_material(face));
            for face in faces {
                let material = mesh.face_material(face);
                if material != current {
                    let name = material.and_then(|id| this.names.get(id.index()));
                    lines.push("usemtl ").push(name.map_or(NO_MATERIAL[0], String::as_str)).end();
                    current = material;
                }
                lines.push("f");
                let vertices = mesh.faces.get(face).unwrap_or_default();
                for (&vertex, corner) in vertices.iter().zip(mesh.faces.corner_range(face).unwrap_or_default()) {
                    lines.push(" ").index(first_vertex + vertex as usize);
                    let uv = index(first_uv, uvs.get(corner));
                    if let Some(uv) = uv {
                        lines.push("/").index(uv);
                    }
                    if let Some(normal) = index(first_normal, normals.get(corner)) {
                        lines.push(if uv.is_some() { "/" } else { "//" }).index(normal);
                    }
                }
                lines.end();
            }
        });
        if let Some(last) = mesh.faces.len().checked_sub(1) {
            self.material = mesh.face_material(last);
        }
    }

    /// Returns the colour of each vertex: the mean of its corners, white for corners without a colour.
    fn colors(&self, mesh: &Mesh, set: &ColorSet, path: &str, losses: &mut Losses) -> Option<Vec<[f32; 3]>> {
        if !set.corners.has_values() {
            return None;
        }
        let mut firsts: Vec<Option<[f32; 4]>> = vec![None; mesh.positions.len()];
        let mut sums = vec![([0.0_f64; 4], 0.0_f64); mesh.positions.len()];
        let (mut differ, mut missing, mut clear) = (false, false, false);
        for (&vertex, color) in mesh.faces.corners().iter().zip(set.corners.iter()) {
            missing |= color.is_none();
            let color = color.unwrap_or([1.0; 4]);
            clear |= color[3] != 1.0;
            let (Some(first), Some((sum, count))) = (firsts.get_mut(vertex as usize), sums.get_mut(vertex as usize))
            else {
                continue;
            };
            differ |= *first.get_or_insert(color) != color;
            sum.iter_mut().zip(color).for_each(|(sum, c)| *sum += f64::from(c));
            *count += 1.0;
        }
        let linear = self.scene.color_space == ColorSpace::Linear;
        for (found, what) in [
            (differ, "colours differ at the corners of one vertex: their mean"),
            (missing, "corners without a colour: white"),
            (clear, "colours: without their opacity"),
            (linear, "colours: from linear light to sRGB"),
        ] {
            if found {
                losses.approximated(path, what);
            }
        }
        #[allow(clippy::cast_possible_truncation)] // colours of a scene are f32
        let mean = |first: Option<[f32; 4]>, (sum, count): ([f64; 4], f64)| {
            let [r, g, b, _] = first.unwrap_or([1.0; 4]);
            let [sr, sg, sb, _] = sum;
            // If corners agree, the mean equals them exactly.
            let (exact, mean) = ([r, g, b].map(f64::from), [sr, sg, sb].map(|c| c / count));
            let color = if differ && count > 0.0 { mean } else { exact };
            self.scene.color_space.to_srgb(color).map(|c| c as f32)
        };
        Some(firsts.into_iter().zip(sums).map(|(first, sum)| mean(first, sum)).collect())
    }

    /// Returns the normals of corners, if the mesh needs them or the options request them.
    fn normals(&self, mesh: &Mesh, path: &str, losses: &mut Losses) -> Unique<3> {
        let mixed = match mesh.smoothing {
            Smoothing::Smooth => !mesh.hard_edges.is_empty(),
            Smoothing::Flat => !mesh.soft_edges.is_empty(),
            Smoothing::Angle(_) => true,
        };
        // Hidden faces tilt no normals, but other programs show them.
        let has_hidden = mesh.face_flags.iter().any(|flags| flags.contains(FaceFlags::HIDDEN));
        let needed = mixed || mesh.normals.is_some() || has_hidden && mesh.smoothing == Smoothing::Smooth;
        let write = match self.options.normals {
            Normals::Needed => needed,
            Normals::Always => true,
            Normals::Never => false,
        };
        if needed && !write {
            losses.dropped(path, "hard edges and normals");
        } else if write && mesh.smoothing != Smoothing::Smooth || mixed {
            losses.approximated(path, "hard edges: stored as normals");
        }
        if !write {
            return Unique::default();
        }
        let normals = mesh.normals.as_ref().map_or_else(|| Cow::Owned(mesh.corner_normals()), Cow::Borrowed);
        Unique::new(&normals, |normal| normal)
    }
}

/// Unique rows of numbers in the order of their first use, and the index of the row of each corner.
#[derive(Default)]
struct Unique<const N: usize> {
    values: Vec<[f64; N]>,
    places: Vec<u32>,
}

impl<const N: usize> Unique<N> {
    /// Collects the rows of a column, converted.
    fn new(column: &CornerColumn<[f64; N]>, mut convert: impl FnMut([f64; N]) -> [f64; N]) -> Self {
        let count = column.rows().len().min(column.len());
        let mut values: Vec<[f64; N]> = Vec::with_capacity(count);
        // The places of known values, by their bits, so that equal numbers with different texts stay separate.
        let (mut known, hasher) = (HashTable::with_capacity(count), DefaultHashBuilder::default());
        let hash = |value: &[f64; N]| hasher.hash_one(value.map(f64::to_bits));
        // The place of each row of the column in `values`.
        let mut of_rows = vec![NO_ROW; column.rows().len()];
        let place = |&row: &u32| {
            let (Some(place), Some(value)) = (of_rows.get_mut(row as usize), column.rows().get(row as usize)) else {
                return NO_ROW;
            };
            if *place == NO_ROW {
                let value = convert(*value);
                let at = |place: u32| values.get(place as usize).copied().unwrap_or([0.0; N]);
                let is_same = |&other: &u32| at(other).map(f64::to_bits) == value.map(f64::to_bits);
                *place = match known.entry(hash(&value), is_same, |&other| hash(&at(other))) {
                    Entry::Occupied(entry) => *entry.get(),
                    Entry::Vacant(entry) => *entry.insert(u32::try_from(values.len()).unwrap_or(NO_ROW)).get(),
                };
                if *place as usize == values.len() {
                    values.push(value);
                }
            }
            *place
        };
        let places = column.indices().iter().map(place).collect();
        Self { values, places }
    }

    /// Writes the rows as statements.
    fn write(&self, keyword: &str, text: &mut BoundedOutput) {
        Lines::write(self.values.len(), text, |lines, rows| {
            for row in self.values.get(rows).unwrap_or_default() {
                lines.push(keyword);
                row.iter().for_each(|&number| {
                    lines.float(number);
                });
                lines.end();
            }
        });
    }
}

type Coordinates = Unique<2>;

impl Coordinates {
    /// Returns the texture coordinates of faces that are mapped completely.
    fn of_set(mesh: &Mesh, set: &UvSet, path: &str, losses: &mut Losses) -> Self {
        let mut set = Cow::Borrowed(set);
        if set.has_partial_faces(&mesh.faces) {
            set.to_mut().clear_partial_faces(&mesh.faces);
        }
        let mut rounded = false;
        let unique = Self::new(&set.corners, |[u, v]| match set.origin {
            UvOrigin::LowerLeft => [u, v],
            UvOrigin::TopLeft => {
                let flipped = 1.0 - v;
                rounded |= 1.0 - flipped != v;
                [u, flipped]
            }
        });
        if rounded {
            losses.approximated(path, "texture coordinates: rounded when flipped");
        }
        unique
    }
}

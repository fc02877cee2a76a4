//! Reads MDL7.

use mapwright_io::{Budget, Context as _, Fault, FixedBytes, Input};

use super::{Bone, Model, ModelVersion};
use crate::header::count;
use crate::mesh::{Frame, Mesh, Repairs, Triangle};
use crate::options::check_parts;
use crate::skin::{error_at, read_skin, to_usize};
use crate::{PixelFormat, ReadError, ReadErrorKind, Skin};

/// The sizes of records that the header declares.
struct Sizes {
    bone: usize,
    uv: usize,
    triangle: usize,
    vertex: usize,
    frame_vertex: usize,
    bone_transform: usize,
}

/// Reads a model after its magic word.
///
/// The weights of bones follow the last group. They are not read, because this crate does not animate bones.
pub(super) fn read(input: &mut Input<'_>, budget: &mut Budget) -> Result<Model, ReadError> {
    let _version = input.u32_le()?;
    let [bones, groups] = [input.u32_le()?, input.u32_le()?];
    // The sizes of the parts of the file: model, entity data, editor data.
    input.take(12)?;
    let sizes = read_sizes(input)?;
    let bone_count = check_parts("bones", bones).map_err(|kind| input.fault(kind))?;
    let group_count = check_parts("groups", groups).map_err(|kind| input.fault(kind))?;
    let bones = (0..bone_count).map(|bone| read_bone(input, &sizes).in_item("bones", bone));
    let bones = bones.collect::<Result<_, _>>()?;
    let mut model = Model {
        version: ModelVersion::Mdl7,
        skins: Vec::new(),
        bones,
        groups: Vec::new(),
        repairs: Repairs::default(),
    };
    let mut named = 0;
    for group in 0..group_count {
        named = u64::max(named, read_group(input, &sizes, &mut model, budget).in_item("groups", group)?);
    }
    // Groups may use skins of later groups, so skins are counted at the end.
    if named > model.skins.len() as u64 {
        let skins = model.skins.len() as u64;
        let triangles = model.groups.iter().flat_map(|group| &group.triangles);
        let missing = triangles.filter(|triangle| triangle.skin.is_some_and(|skin| u64::from(skin) >= skins));
        model.repairs.skins = missing.count();
    }
    Ok(model)
}

fn read_sizes(input: &mut Input<'_>) -> Result<Sizes, ReadError> {
    let at = input.position();
    let words = input.u16s_le(10)?;
    let word = |index: usize| words.get(index).copied().unwrap_or_default();
    let size = |index, what, fits: &dyn Fn(u16) -> bool, expected| {
        let size = word(index);
        fits(size)
            .then_some(usize::from(size))
            .ok_or_else(|| error_at(at, ReadErrorKind::RecordSize { what, size, expected }))
    };
    let is_vertex = |size| matches!(size, 16 | 26 | 28);
    Ok(Sizes {
        bone: size(0, "bone", &|size| size >= 16, "16 or more")?,
        uv: size(4, "texture coordinate", &|size| size >= 8, "8 or more")?,
        triangle: size(5, "triangle", &|size| matches!(size, 12 | 16 | 26 | 44), "12, 16, 26 or 44")?,
        vertex: size(6, "vertex", &is_vertex, "16, 26 or 28")?,
        frame_vertex: size(7, "frame vertex", &is_vertex, "16, 26 or 28")?,
        bone_transform: usize::from(word(8)),
    })
}

fn read_bone(input: &mut Input<'_>, sizes: &Sizes) -> Result<Bone, ReadError> {
    let mut record = input.sub(sizes.bone)?;
    let parent = Some(record.u16_le()?).filter(|parent| *parent != u16::MAX);
    record.u16_le()?;
    let position = read_vector(&mut record)?;
    let mut name = FixedBytes { raw: [0; 20] };
    name.raw.iter_mut().zip(record.peek()).for_each(|(to, from)| *to = *from);
    Ok(Bone { parent, position, name })
}

fn read_vector(input: &mut Input<'_>) -> Result<[f32; 3], Fault> {
    Ok([input.f32_le()?, input.f32_le()?, input.f32_le()?])
}

/// Reads a group. Returns the number of skins that its triangles need.
fn read_group(input: &mut Input<'_>, sizes: &Sizes, model: &mut Model, budget: &mut Budget) -> Result<u64, ReadError> {
    let at = input.position();
    let kind = input.u8()?;
    if kind != 1 {
        return Err(error_at(at, ReadErrorKind::Type { what: "group", code: kind.into() }));
    }
    // Numbers of deformers and weights, and the size of the group, which is wrong in many files.
    input.take(7)?;
    let mut mesh = Mesh::new(FixedBytes { raw: input.array()? });
    let [skins, uvs, triangles, vertices, frames] =
        [input.u32_le()?, input.u32_le()?, input.u32_le()?, input.u32_le()?, input.u32_le()?];
    let earlier_skins = u32::try_from(model.skins.len()).unwrap_or(u32::MAX);
    let first_skin = if skins > 0 { earlier_skins } else { 0 };
    let total = earlier_skins.saturating_add(skins);
    check_parts("skins", total).map_err(|kind| input.fault(kind))?;
    for _ in 0..skins {
        let skin = model.skins.len();
        model.skins.push(read_model_skin(input).in_item("skins", skin)?);
    }
    let uv_count = count(input, uvs, sizes.uv, "texture coordinates", budget)?;
    let read_uv = |_| -> Result<[f32; 2], Fault> {
        let mut record = input.sub(sizes.uv)?;
        Ok([record.f32_le()?, record.f32_le()?])
    };
    let uvs: Vec<[f32; 2]> = (0..uv_count).map(read_uv).collect::<Result<_, _>>()?;
    let triangle_count = count(input, triangles, sizes.triangle, "triangles", budget)?;
    mesh.triangles.reserve_exact(triangle_count);
    let mut named = 0;
    for _ in 0..triangle_count {
        let record = read_triangle(input, sizes.triangle)?;
        let triangle = record.resolve(&uvs, first_skin, &mut model.repairs);
        if record.skin.is_some() {
            named = triangle.skin.map_or(named, |skin| u64::max(named, u64::from(skin).saturating_add(1)));
        }
        mesh.triangles.push(triangle);
    }
    let vertices = count(input, vertices, sizes.vertex, "vertices", budget)?;
    read_vertices(input, vertices, sizes.vertex, &mut mesh)?;
    let frames = check_parts("frames", frames).map_err(|kind| input.fault(kind))?;
    for frame in 0..frames {
        mesh.frames.push(read_frame(input, sizes, budget).in_item("frames", frame)?);
    }
    model.groups.push(mesh);
    Ok(named)
}

fn read_model_skin(input: &mut Input<'_>) -> Result<Skin, ReadError> {
    let format = PixelFormat(input.u32_le()?);
    let size = [input.u32_le()?, input.u32_le()?];
    let name = FixedBytes { raw: input.array()? };
    read_skin(input, format, size, name, true)
}

/// A triangle as the file stores it.
struct TriangleRecord {
    vertices: [u32; 3],
    uvs: [u32; 3],
    /// Index of the skin, or `None` if the record does not store one.
    skin: Option<i32>,
}

fn read_triangle(input: &mut Input<'_>, size: usize) -> Result<TriangleRecord, Fault> {
    let mut record = input.sub(size)?;
    let mut indices = [[0; 3]; 2];
    for index in indices.iter_mut().flatten() {
        // The largest number, of 16 or 32 bits, is a missing index.
        *index = if size == 44 {
            record.u32_le()?
        } else {
            match record.u16_le()? {
                u16::MAX => NONE,
                index => index.into(),
            }
        };
    }
    let [vertices, uvs] = indices;
    // A second set of texture coordinates follows, for normal maps and light maps.
    let skin = if size == 12 { None } else { Some(record.i32_le()?) };
    Ok(TriangleRecord { vertices, uvs, skin })
}

/// The index of a missing texture coordinate.
const NONE: u32 = u32::MAX;

impl TriangleRecord {
    fn resolve(&self, uvs: &[[f32; 2]], first_skin: u32, repairs: &mut Repairs) -> Triangle {
        let is_mapped = !uvs.is_empty() && !self.uvs.contains(&NONE);
        let uv = |index| {
            uvs.get(to_usize(index)).copied().unwrap_or_else(|| {
                repairs.uvs = repairs.uvs.saturating_add(1);
                [0.0; 2]
            })
        };
        let skin = match self.skin {
            Some(skin) => u32::try_from(skin).ok(),
            None => Some(first_skin),
        };
        Triangle { vertices: self.vertices, uvs: is_mapped.then(|| self.uvs.map(uv)), skin }
    }
}

/// Reads positions and, from records that store them as numbers, normals.
fn read_vertices(input: &mut Input<'_>, count: usize, size: usize, mesh: &mut Mesh) -> Result<(), Fault> {
    let has_normals = size != 16;
    mesh.positions.reserve_exact(count);
    mesh.normals.reserve_exact(if has_normals { count } else { 0 });
    for _ in 0..count {
        let mut record = input.sub(size)?;
        mesh.positions.push(read_vector(&mut record)?);
        if has_normals {
            // The bone of the vertex.
            record.take(size.saturating_sub(24))?;
            mesh.normals.push(read_vector(&mut record)?.map(|number| -number));
        }
    }
    Ok(())
}

fn read_frame(input: &mut Input<'_>, sizes: &Sizes, budget: &mut Budget) -> Result<Frame, ReadError> {
    let name = FixedBytes { raw: input.array()? };
    let [vertices, turned_bones] = [input.u32_le()?, input.u32_le()?];
    let vertices = count(input, vertices, sizes.frame_vertex, "frame vertices", budget)?;
    let mut frame =
        Frame { name, vertices: Vec::with_capacity(vertices), positions: Vec::with_capacity(vertices), turned_bones };
    for _ in 0..vertices {
        let mut record = input.sub(sizes.frame_vertex)?;
        frame.positions.push(read_vector(&mut record)?);
        frame.vertices.push(if sizes.frame_vertex == 28 { record.u32_le()? } else { record.u16_le()?.into() });
    }
    input.take(sizes.bone_transform.saturating_mul(to_usize(turned_bones)))?;
    Ok(frame)
}

//! Textures of faces, and flags of faces and blocks.

use hashbrown::HashSet;
use mapwright_io::format_count;

use super::{Report, block, face};
use crate::resolve::outward;
use crate::resolve::transform::{cross, dot};
use crate::{Block, BlockFlags, Dialect, Document, Face, FaceFlags, Mesh, Name, Shape};

/// Known bits of faces.
const FACE: u32 = 0x10FF_605F;

/// Known bits of blocks.
const BLOCK: u32 = 0x0001_0036;

/// Known bits of the second word of faces of A4.
const SECOND: u32 = 0xBF;

/// The longest name of a texture.
const TEXTURE: usize = 15;

pub(super) fn check(document: &Document, report: &mut Report) {
    let mut names: HashSet<&Name> = HashSet::new();
    for (place, part) in document.blocks.iter().enumerate() {
        let unknown = part.flags.0 & !BLOCK;
        if unknown != 0 {
            report.warning("flags", block(place), format_args!("unknown flags {unknown:#x}"));
        }
        if document.dialect == Dialect::A5 && part.flags.has(BlockFlags::TEXTURE_LOCK) {
            let message = "texture locks have no effect in this dialect";
            report.warning("lock-no-effect", block(place), message);
        }
        let mut long = |texture, at| name(texture, place, at, &mut names, report);
        match &part.shape {
            Shape::Planes(faces) => faces.iter().enumerate().for_each(|(at, face)| long(&face.texture, at)),
            Shape::Mesh(mesh) => mesh.faces.iter().enumerate().for_each(|(at, face)| long(&face.texture, at)),
        }
        faces(part, place, report);
    }
}

fn name<'a>(texture: &'a Name, place: usize, at: usize, names: &mut HashSet<&'a Name>, report: &mut Report) {
    let length = texture.as_bytes().len();
    if length > TEXTURE && names.insert(texture) {
        let message = format_args!("the name \"{texture}\" has {length} bytes, expected at most {TEXTURE}");
        report.warning("texture-long", face(place, at), message);
    }
}

fn faces(part: &Block, place: usize, report: &mut Report) {
    match &part.shape {
        Shape::Planes(planes) => {
            let mut ambiguous = 0_usize;
            for (at, plane) in planes.iter().enumerate() {
                flags(plane.flags, place, at, report);
                if plane.flags2.0 & !SECOND != 0 {
                    let message = format_args!("unknown flags {:#x} in the second word", plane.flags2.0 & !SECOND);
                    report.warning("flags", face(place, at), message);
                }
                scale(Some(&plane.mapping), place, at, report);
                let numbers = plane.mapping.iter().copied().chain(plane.light());
                numbers_are(numbers, place, at, report);
                ambiguous = ambiguous.saturating_add(usize::from(is_tie(outward(plane.points))));
            }
            report_ambiguous(ambiguous, place, report);
        }
        Shape::Mesh(mesh) => mesh_faces(mesh, place, report),
    }
}

fn mesh_faces(mesh: &Mesh, place: usize, report: &mut Report) {
    let (mut bare, mut ambiguous) = (0_usize, 0_usize);
    for (at, part) in mesh.faces.iter().enumerate() {
        if part.bare {
            bare = bare.saturating_add(1);
            continue;
        }
        flags(part.flags, place, at, report);
        scale(part.mapping.as_deref(), place, at, report);
        let numbers = part.mapping.iter().flat_map(|numbers| numbers.iter());
        let numbers = numbers.chain(part.vectors.iter().flat_map(|vectors| vectors.as_flattened()));
        let numbers = numbers.chain(part.uvs.iter().flat_map(|uvs| uvs.iter()));
        numbers_are(numbers.copied().chain(part.light()), place, at, report);
        match part.vectors.as_deref() {
            Some(vectors) => {
                if is_line(vectors) {
                    let message = "texture vectors are zero or parallel: the texture becomes a line";
                    report.warning("vectors-degenerate", face(place, at), message);
                }
            }
            None => ambiguous = ambiguous.saturating_add(usize::from(is_tie(normal(mesh, part)))),
        }
    }
    if bare > 0 {
        let message = format_args!(
            "no texture on {bare} of {}: drawn with the default texture",
            format_count(mesh.faces.len(), "face")
        );
        report.warning("face-bare", block(place), message);
    }
    report_ambiguous(ambiguous, place, report);
}

fn report_ambiguous(count: usize, place: usize, report: &mut Report) {
    if count > 0 {
        let message = format_args!(
            "{} at exactly 45° without texture vectors: the compiler's choice of axes depends on rounding",
            format_count(count, "face")
        );
        report.warning("face-ambiguous", block(place), message);
    }
}

fn normal(mesh: &Mesh, face: &Face) -> [f64; 3] {
    let points = face.corners.iter().filter_map(|corner| mesh.vertices.get(usize::try_from(*corner).ok()?).copied());
    outward(points)
}

/// Returns `true` if x and y of a normal are equal and larger than z. Otherwise z wins ties.
fn is_tie(normal: [f64; 3]) -> bool {
    let [x, y, z] = normal.map(f64::abs);
    let strongest = x.max(y) * (1.0 - 1e-6);
    x >= strongest && y >= strongest && z < strongest
}

fn is_line([u, v]: &[[f64; 4]; 2]) -> bool {
    let linear = |[x, y, z, _]: [f64; 4]| [x, y, z];
    let (u, v) = (linear(*u), linear(*v));
    let across = cross(u, v);
    // The sine of the angle between the vectors.
    let (lengths, across) = (dot(u, u) * dot(v, v), dot(across, across));
    lengths == 0.0 || across < 1e-12 * lengths
}

fn flags(flags: FaceFlags, place: usize, at: usize, report: &mut Report) {
    let unknown = flags.0 & !FACE;
    if unknown != 0 {
        report.warning("flags", face(place, at), format_args!("unknown flags {unknown:#x}"));
    }
}

fn scale(mapping: Option<&[f64; 5]>, place: usize, at: usize, report: &mut Report) {
    if let Some([.., x, y]) = mapping
        && (*x == 0.0 || *y == 0.0)
    {
        report.warning("scale-zero", face(place, at), "a texture scale of 0 is treated as 1");
    }
}

fn numbers_are(mut numbers: impl Iterator<Item = f64>, place: usize, at: usize, report: &mut Report) {
    if numbers.any(|number| !number.is_finite()) {
        report.error("number-nan", face(place, at), "a number of the texture is not finite");
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Source: "Flags", face and block bits, and "A block, part by part" for the second word of A4.
    #[test]
    fn known_bits_are_those_published() {
        let bits = |bits: &[u32]| bits.iter().fold(0_u32, |word, bit| word | 1 << bit);
        assert_eq!(FACE, bits(&[0, 1, 2, 3, 4, 6, 13, 14, 16, 17, 18, 19, 20, 21, 22, 23, 28]));
        assert_eq!(BLOCK, bits(&[1, 2, 4, 5, 16]));
        assert_eq!(SECOND, bits(&[0, 1, 2, 3, 4, 5, 7]));
        assert_eq!(TEXTURE, 15);
    }
}

//! Bodies that convert what each format reads into every other format, through the facade and without any file beside the input.

use mapwright::io::Limits;
use mapwright::scene::NoFiles;
use mapwright::wwd::HeaderSize;
use mapwright::{AnyDocument, Conversion, ConvertOptions, Format, ReadOptions, convert};

use crate::target::Target;
use crate::{dmx, gltf, heightmap, map, obj, tiled, vmap, vmf, wings, wmp, wrp, wwd};

/// The targets of conversions. Seeds are those of the bodies that read the format.
pub const TARGETS: &[Target] = &[
    Target { name: "wings_convert", body: wings_term, ..with_limits_of(&wings::TARGETS[4]) },
    Target {
        name: "vmap_convert",
        body: |bytes| convert_to_all(bytes, Format::Vmap),
        ..with_limits_of(&vmap::TARGETS[0])
    },
    Target {
        name: "vmf_convert",
        body: |bytes| convert_to_all(bytes, Format::Vmf),
        ..with_limits_of(&vmf::TARGETS[0])
    },
    Target {
        name: "dmx_convert",
        body: |bytes| convert_to_all(bytes, Format::Dmx),
        ..with_limits_of(&dmx::TARGETS[0])
    },
    Target {
        name: "wwd_convert",
        body: |bytes| convert_to_all(bytes, Format::Wwd),
        smoke: 20,
        ..with_limits_of(&wwd::TARGETS[0])
    },
    Target {
        name: "wmp_convert",
        body: |bytes| convert_to_all(bytes, Format::Wmp),
        ..with_limits_of(&wmp::TARGETS[0])
    },
    Target {
        name: "wrp_convert",
        body: |bytes| convert_to_all(bytes, Format::Wrp),
        ..with_limits_of(&wrp::TARGETS[0])
    },
    Target {
        name: "gltf_convert",
        body: |bytes| convert_to_all(bytes, Format::Glb),
        ..with_limits_of(&gltf::TARGETS[0])
    },
    Target {
        name: "obj_convert",
        body: |bytes| convert_to_all(bytes, Format::Obj),
        ..with_limits_of(&obj::TARGETS[0])
    },
    Target {
        name: "map_convert",
        body: |bytes| convert_to_all(bytes, Format::Map),
        ..with_limits_of(&map::TARGETS[0])
    },
    Target {
        name: "tiled_convert",
        body: |bytes| convert_to_all(bytes, Format::Tmx),
        ..with_limits_of(&tiled::TARGETS[0])
    },
    Target {
        name: "heightmap_convert",
        body: heights,
        cut: kind_and_heights,
        ..with_limits_of(&heightmap::TARGETS[0])
    },
];

/// The scene, the tree that it is written from, and the output are in memory together.
const fn with_limits_of(reading: &Target) -> Target {
    let Target { name, format, body, inputs, made, files, cut, memory: _, inflation, smoke: _ } = *reading;
    Target { name, format, body, inputs, made, files, cut, memory: 1024, inflation, smoke: 100 }
}

/// The formats that the first byte of the input selects.
const HEIGHTS: [Format; 7] =
    [Format::Asc, Format::Tif, Format::HeightPng, Format::Xyz, Format::CellPng, Format::R16, Format::R32];

/// The most items that a conversion may create.
const MAX_ITEMS: u64 = 50_000;

/// The most bytes that a conversion of an input of this length may write.
const fn max_output(length: usize) -> u64 {
    (4 << 20) + 64 * length as u64
}

/// Sets the limits of a conversion.
fn limits(options: ConvertOptions, length: usize) -> ConvertOptions {
    options.with_max_output(max_output(length)).with_max_items(MAX_ITEMS)
}

/// Small enough that the law of memory sees what goes beyond them.
fn reading(length: usize) -> ReadOptions {
    let length = length as u64;
    let limits = Limits::default().with_max_decompressed((1 << 20) + 16 * length).with_max_items(5_000 + length);
    let options = ReadOptions::default().with_max_objects(Some(limits.max_items));
    let options = options.with_max_expanded(Some(limits.max_decompressed));
    options.with_limits(limits).with_header_size(HeaderSize::Any)
}

/// Converts what is accepted into every format. The output is within the limit, or the conversion is refused.
fn convert_to_all(bytes: &[u8], format: Format) {
    let Ok(document) = AnyDocument::from_bytes_as(bytes, format, &reading(bytes.len())) else { return };
    let options = ConvertOptions::default().with_stem("out").with_max_pixel_bytes(1 << 20);
    let options = limits(options, bytes.len());
    for &to in Format::ALL {
        let Ok(Conversion { files, .. }) = convert(document.clone(), to, &NoFiles, &options) else { continue };
        let written = files.main.len() + files.side.iter().map(|file| file.data.len()).sum::<usize>();
        let most = max_output(bytes.len());
        assert!(written as u64 <= most, "{written} bytes of {}, at most {most} are allowed", to.name());
    }
}

/// Converts a file that contains a bare term.
fn wings_term(term: &[u8]) {
    convert_to_all(&wings::file_of(term), Format::Wings);
}

/// Converts heights or cells of the kind that the first byte selects.
fn heights(bytes: &[u8]) {
    let Some((kind, file)) = bytes.split_first() else { return };
    convert_to_all(file, HEIGHTS[usize::from(*kind) % HEIGHTS.len()]);
}

fn kind_and_heights(file: &[u8]) -> Option<Vec<u8>> {
    let format = mapwright::detect(file, None).format?;
    let kind = HEIGHTS.iter().position(|heights| *heights == format)?;
    Some([&[u8::try_from(kind).ok()?], file].concat())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_format_that_is_a_scene_is_converted() {
        // The others need a file beside them.
        let others = [Format::Gltf, Format::Tmj, Format::Bil, Format::Flt];
        let is_converted = |format: &Format| others.contains(format) || HEIGHTS.contains(format);
        for format in Format::ALL.iter().filter(|format| format.access().import && !is_converted(format)) {
            let name = if *format == Format::Glb {
                "gltf"
            } else if *format == Format::Tmx {
                "tiled"
            } else {
                format.name()
            };
            assert!(TARGETS.iter().any(|target| target.format == name), "{name} has no body that converts it");
        }
    }

    #[test]
    fn hand_made_inputs_are_read() {
        for target in TARGETS.iter().filter(|target| target.format != "wings" && target.format != "heightmap") {
            let format = mapwright::detect(target.inputs.first().copied().unwrap_or_default(), None).format;
            assert!(target.inputs.is_empty() || format.is_some() || target.format == "obj", "{}", target.name);
        }
    }
}

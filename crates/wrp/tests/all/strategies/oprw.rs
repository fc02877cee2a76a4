//! OPRW of versions 3 and 12 to 25. Version 2, whose grids are always large, has its own test.

use mapwright_wrp::{
    Entity, MapInfo, MapShape, Objects, Oprw, OprwMaterial, OprwVersion, Placements, Road, RoadPiece, RoadPoint,
};
use proptest::collection::vec;
use proptest::prelude::*;
use proptest::sample::select;

use super::{float, grid, matrix, size, text, word};

/// Returns `true` if a part exists since version `first`.
fn since(version: u32, first: u32) -> bool {
    version >= first
}

fn present_since<T: Clone + std::fmt::Debug + 'static>(
    is_there: bool,
    size: [u32; 2],
    value: impl Strategy<Value = T> + 'static,
) -> BoxedStrategy<Vec<T>> {
    // Half of the grids have few values, so that they compress well and their trees have large leaves.
    let value = value.boxed();
    let plain =
        value.clone().prop_flat_map(move |one| grid(size, prop_oneof![9 => Just(one.clone()), 1 => value.clone()]));
    if is_there { plain.boxed() } else { Just(Vec::new()).boxed() }
}

fn word_of(bits: u32) -> BoxedStrategy<u32> {
    any::<u32>().prop_map(move |word| word >> (32 - bits)).boxed()
}

pub(crate) fn oprw() -> BoxedStrategy<Oprw> {
    let versions = [3].into_iter().chain(12..=25).collect::<Vec<u32>>();
    (select(versions), size(9), prop_oneof![4 => size(9), 1 => Just([30, 20])])
        .prop_flat_map(|(version, land, vertices)| {
            let [elder, modern] = [version < 10, version > 10];
            let is = move |first| since(version, first);
            let sounds = if elder { land } else { [land[0]; 2] };
            let bits = if elder { 32 } else { 16 };
            let grids = (
                present_since(true, land, word_of(bits)),
                present_since(true, sounds, any::<u8>()),
                present_since(true, land, any::<u16>()),
                present_since(!is(21), land, word_of(bits)),
                present_since(is(18), vertices, any::<u8>()),
                present_since(is(22), vertices, any::<u8>()),
                present_since(true, vertices, float()),
                present_since(modern, land, any::<u32>()),
                present_since(modern, land, any::<u32>()),
            );
            let bytes = (present_since(modern, land, any::<u8>()), present_since(modern, vertices, any::<u8>()));
            let lists = (
                vec([float(), float(), float()], 0..3),
                vec((prop_oneof![text(30), Just(Vec::new())], any::<u8>()), 0..4),
                vec(prop_oneof![text(30), Just(Vec::new())], 0..4),
                vec((word(), word_of(if elder { 31 } else { 32 }), matrix(), word()), 0..5),
                vec((text(9), text(9), [float(), float(), float()], word()), 0..if is(15) { 3 } else { 1 }),
                roads(version, if modern { land } else { [0; 2] }),
                vec(item(), 0..if modern { 5 } else { 1 }),
            );
            // The kinds of map items end at 44.
            let rest = prop_oneof![
                Just(Vec::new()),
                vec(any::<u8>(), 0..3),
                vec(any::<u8>(), 0..9).prop_map(|rest| [vec![45, 0, 0, 0], rest].concat())
            ];
            let unusual =
                (float(), word(), prop::option::of(word()), prop::option::of(1_u32..), rest, vec(any::<u8>(), 0..4));
            (grids, bytes, lists, unusual).prop_map(move |(grids, bytes, lists, unusual)| {
                let (geography, sound, cells, random, grass, primary_texture, heights, object_offsets, map_offsets) =
                    grids;
                let (persistent, subdivision) = bytes;
                let (peaks, materials, models, rows, entities, roads, map_info) = lists;
                let (cell, number, road_size, terminator, map_rest, after) = unusual;
                let size_of_roads =
                    roads.iter().map(|road| size_of_road(version, road)).sum::<usize>() + cells.len() * 4;
                Oprw {
                    version: OprwVersion(version),
                    app_id: is(25).then_some(number),
                    land,
                    terrain: vertices,
                    cell: if elder { 50.0 } else { cell },
                    geography,
                    sound,
                    peaks,
                    cells,
                    random,
                    grass,
                    primary_texture,
                    heights,
                    materials: materials.into_iter().map(|(name, flag)| OprwMaterial { name, flag }).collect(),
                    objects: Objects {
                        models: models.into_iter().map(mapwright_wrp::Name::new).collect(),
                        model: rows.iter().map(|(model, ..)| *model).collect(),
                        placements: Placements::Matrices(rows.iter().map(|(_, _, matrix, _)| *matrix).collect()),
                        ids: rows.iter().map(|(_, id, ..)| id.cast_signed()).collect(),
                    },
                    shapes: if is(14) { rows.iter().map(|(.., shape)| *shape).collect() } else { Vec::new() },
                    entities: entities
                        .into_iter()
                        .map(|(class, shape, position, object_id)| Entity { class, shape, position, object_id })
                        .collect(),
                    object_offsets,
                    map_offsets,
                    persistent,
                    subdivision,
                    max_object_id: modern.then_some(number),
                    roads,
                    stated_road_size: road_size.filter(|size| modern && *size as usize != size_of_roads),
                    map_info,
                    map_rest: if modern { map_rest } else { Vec::new() },
                    stated_map_size: None,
                    terminator: terminator.map(|bits| (bits | 0x8000_0000).cast_signed()).filter(|_| elder),
                    after,
                    packed: Vec::new(),
                }
            })
        })
        .boxed()
}

/// Returns the size of a road in the file, in bytes.
fn size_of_road(version: u32, road: &Road) -> usize {
    let point = if since(version, 24) { 13 } else { 12 };
    let piece = road.piece.as_ref().map_or(0, |piece| piece.model.len() + 1 + 48);
    2 + point * road.points.len() + 4 + piece
}

/// Roads in the cells of a grid, in order.
fn roads(version: u32, [columns, rows]: [u32; 2]) -> BoxedStrategy<Vec<Road>> {
    if columns * rows == 0 {
        return Just(Vec::new()).boxed();
    }
    let point = ([float(), float(), float()], any::<u8>())
        .prop_map(move |(position, kind)| RoadPoint { position, kind: if since(version, 24) { kind } else { 0 } });
    let road = ([0..columns, 0..rows], vec(point, 0..3), word(), text(20), matrix()).prop_map(
        move |(cell, points, object_id, model, matrix)| Road {
            cell,
            points,
            object_id,
            piece: since(version, 16).then(|| Box::new(RoadPiece { model, matrix })),
        },
    );
    vec(road, 0..4)
        .prop_map(|mut roads| {
            roads.sort_by_key(|road| road.cell);
            roads
        })
        .boxed()
}

/// Map items of all layouts.
fn item() -> BoxedStrategy<MapInfo> {
    let numbers = [float(), float(), float(), float(), float(), float(), float(), float()];
    let kinds = select(vec![0, 17, 30, 24, 32, 25, 43, 3, 39, 34, 35, 44, 44]);
    (kinds, word(), numbers, any::<u8>(), vec([float(), float()], 0..4))
        .prop_map(|(kind, id, numbers, byte, points)| {
            let [a, b, c, d, e, f, g, h] = numbers;
            let corners = [[a, b], [c, d], [e, f], [g, h]];
            let shape = match kind {
                24 | 32 => MapShape::Outline { id, corners },
                25 | 43 => MapShape::Zone { color: id, indicator: byte.into(), numbers: [a, b, c, d] },
                3 | 39 => MapShape::Area { id, corners, color: [byte; 4] },
                34 => MapShape::Line { id, numbers: [a, b, c, d] },
                35 => MapShape::Track { id, numbers: [a, b, c, d, e, f], flag: byte },
                44 => MapShape::River { id, points },
                _ => MapShape::Point { id, position: [a, b] },
            };
            MapInfo { kind, shape }
        })
        .boxed()
}

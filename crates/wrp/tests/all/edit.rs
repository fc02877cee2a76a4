//! Edits of terrains, as methods and as text.

use mapwright_wrp::io::FixedBytes;
use mapwright_wrp::query::{Edit, EditObjects, EditOptions, Glob, Objects as _, QueryError};
use mapwright_wrp::{Builder, Document, Heading, Matrix, Name, Objects, Placements, Sentinel, Version, Wvr, Wvr8};

fn apply(document: &mut Document, edit: &str) -> String {
    let before = document.clone();
    let edit: Edit = edit.parse().unwrap_or_else(|error| panic!("{error}"));
    match document.apply(&edit, &EditOptions::default()) {
        Ok(edited) => {
            let bytes = document.to_bytes().unwrap();
            let read = Document::from_bytes(&bytes).unwrap();
            assert!(read.objects().iter().eq(document.objects().iter()));
            edited.to_string()
        }
        Err(error) => {
            assert!(*document == before, "a failed edit changes nothing");
            format!("error: {error}")
        }
    }
}

fn positions(document: &Document) -> Vec<[f32; 3]> {
    document.matrices().iter().map(|matrix| matrix.position).collect()
}

fn objects(places: &[(&str, [f32; 3])]) -> Objects {
    let mut builder = Builder::default();
    for ((name, place), id) in places.iter().zip(10..) {
        let model = builder.add_model(&Name::new(*name));
        builder.push(model, Matrix::from_position(*place), Some(id));
    }
    builder.finish()
}

fn island() -> Document {
    let mut terrain = Wvr::new([4, 4]);
    terrain.heights = (0..16).map(|vertex| vertex * 100).collect();
    terrain.textures = (0..16).collect();
    terrain.names[1] = FixedBytes::from_text(b"landtext\\pi.paa").unwrap();
    terrain.names[2] = FixedBytes { raw: *b"landtext\\pt.paa\0old.paa\0\0\0\0\0\0\0\0\0" };
    let fit = Matrix::FIT_TO_GROUND;
    terrain.objects = objects(&[
        ("data3d\\dum.p3d", [10.0, 2.0, 10.0]),
        ("data3d\\les_su.p3d", [60.0, fit, 70.0]),
        ("DATA3D\\DUM.p3d", [120.0, -3.0, 130.0]),
        ("data3d\\kasna.p3d", [-5.0, 0.0, 10.0]),
    ]);
    terrain.objects.models[2].rest = b"\0rest".to_vec();
    Document::Wvr(terrain)
}

fn wvr8() -> Document {
    let mut terrain = Wvr8::new([4, 4], 10.0, 2);
    terrain.heights = (0_u8..64).map(f32::from).collect();
    terrain.cells = (0..16).collect();
    terrain.materials = vec![vec![], vec![b"a.rvmat".to_vec()]];
    terrain.objects = objects(&[("a.p3d", [5.0, 1.0, 5.0]), ("b.p3d", [35.0, 1.0, 35.0])]);
    Document::Wvr8(terrain)
}

#[test]
fn heights_are_raised_and_clamped() {
    let mut island = island();
    assert_eq!(apply(&mut island, "heights shift -4.5"), "16 heights changed");
    let Document::Wvr(terrain) = &island else { panic!("a 4WVR") };
    assert_eq!(terrain.heights[..3], [-100, 0, 100]);
    assert_eq!(apply(&mut island, "heights clamp 0 9"), "13 heights changed");
    assert_eq!(apply(&mut island, "heights shift 1475"), "error: height is out of range: 1475 m");
    assert_eq!(apply(&mut island, "heights clamp 5 1"), "error: invalid range 5 to 1: the lower height comes first");
    let mut other = wvr8();
    assert_eq!(apply(&mut other, "sea raise 1.5"), "64 heights changed");
    assert_eq!(positions(&other)[0], [5.0, -0.5, 5.0]);
    assert_eq!(other.ground().vertex_height(1, 0), Some(-0.5));
}

#[test]
fn an_area_is_cropped() {
    let mut island = island();
    assert_eq!(apply(&mut island, "crop 1,1 2x2"), "terrain cropped; 2 objects outside removed");
    let Document::Wvr(terrain) = &island else { panic!("a 4WVR") };
    assert_eq!(
        (terrain.size, &terrain.heights[..], &terrain.textures[..]),
        ([2, 2], &[500, 600, 900, 1000][..], &[5, 6, 9, 10][..])
    );
    assert_eq!(positions(&island), [[10.0, Matrix::FIT_TO_GROUND, 20.0], [70.0, -3.0, 80.0]]);
    assert_eq!(apply(&mut island, "crop 1,1 2x2"), "error: area 1,1 2×2 exceeds the grid of 2×2 cells");
    let mut other = wvr8();
    assert_eq!(apply(&mut other, "crop 2,2 2x2"), "terrain cropped; 1 object outside removed");
    let Document::Wvr8(terrain) = &other else { panic!("an 8WVR") };
    assert_eq!((terrain.terrain, terrain.heights[0], &terrain.cells[..]), ([4, 4], 36.0, &[10, 11, 14, 15][..]));
    assert_eq!((positions(&other), terrain.sentinel), (vec![[15.0, 1.0, 15.0]], Some(Sentinel::new())));
}

#[test]
fn cells_of_4wvr_stay_50_m_large() {
    let original = island();
    let mut island = original.clone();
    for size in ["8x8", "2x2"] {
        let refused = apply(&mut island, &format!("resample {size}"));
        assert!(refused.starts_with("error") && refused.contains("`convert --variant 8wvr`"), "{refused}");
    }
    assert!(apply(&mut island, "resample 0x4").starts_with("error"));
    assert!(apply(&mut island, "resample 4294967295x4294967295").starts_with("error"));
    assert_eq!(island, original);
    // Heights of another distance, which a file does not store, become those of a file.
    let Document::Wvr(terrain) = &mut island else { panic!("a 4WVR") };
    terrain.cell = 100.0;
    assert_eq!(apply(&mut island, "resample 8x8"), "8×8 heights");
    let Document::Wvr(terrain) = &island else { panic!("a 4WVR") };
    assert_eq!(
        (terrain.cell, &terrain.heights[..4], &terrain.textures[..4]),
        (50.0, &[0, 50, 100, 150][..], &[0, 0, 1, 1][..])
    );
    assert_eq!(terrain.heights[8], 200);
}

#[test]
fn other_names_of_the_model_cannot_be_set() {
    let original = island();
    let mut island = original.clone();
    for edit in ["set *: name=foo", "set *: class=foo", "duplicate *: name=foo"] {
        let refused = apply(&mut island, edit);
        assert!(refused.contains("cannot be set") && refused.contains("set `model`"), "{edit}: {refused}");
    }
    assert_eq!(island, original);
}

/// The transform of the first object after an edit, with three decimals.
fn transform_after(document: &mut Document, edit: &str) -> [String; 3] {
    apply(document, edit);
    let Matrix { aside, up, dir, .. } = document.matrices()[0];
    // Without negative zeros.
    [aside, up, dir].map(|axis| axis.map(|number| format!("{:.3}", (number * 1000.0).round() / 1000.0 + 0.0)).join(" "))
}

#[test]
fn objects_turn_and_grow() {
    let original = island();
    let mut island = original.clone();
    for (edit, expected) in [
        // East is 90.
        ("set index=0: heading=90", ["0.000 0.000 -1.000", "0.000 1.000 0.000", "1.000 0.000 0.000"]),
        ("set index=0: scale=2", ["0.000 0.000 -2.000", "0.000 2.000 0.000", "2.000 0.000 0.000"]),
        ("set index=0: yaw=0, scale=1", ["1.000 0.000 0.000", "0.000 1.000 0.000", "0.000 0.000 1.000"]),
        ("set index=0: pitch=30", ["1.000 0.000 0.000", "0.000 0.866 -0.500", "0.000 0.500 0.866"]),
        ("set index=0: pitch=0, roll+=90", ["0.000 -1.000 0.000", "1.000 0.000 0.000", "0.000 0.000 1.000"]),
    ] {
        assert_eq!(transform_after(&mut island, edit), expected, "{edit}");
    }
    assert_eq!(positions(&island), positions(&original));
    // The same number changes no bit, and a matrix is set as a whole.
    let rows = |island: &Document| island.object_rows().map(|row| row.matrix).collect::<Vec<_>>();
    let before = rows(&island);
    assert_eq!(apply(&mut island, "set *: scale=1, yaw+=0, heading+=0"), "0 of 4 objects changed");
    assert_eq!(rows(&island), before);
    let words =
        "3f800000 00000000 00000000 00000000 3f800000 00000000 00000000 00000000 3f800000 41200000 41200000 41200000";
    apply(&mut island, &format!("set index=0: matrix=\"{words}\""));
    assert_eq!(rows(&island)[0], Matrix::from_position([10.0; 3]));
    for wrong in ["scale=0", "scale=-1", "scale=1e39", "matrix=\"3f800000\"", "yaw=nan"] {
        let refused = apply(&mut island, &format!("set *: {wrong}"));
        assert!(refused.starts_with("error"), "{wrong}: {refused}");
    }
}

#[test]
fn angles_cannot_represent_mirrored_objects() {
    let mut island = island();
    let Document::Wvr(terrain) = &mut island else { panic!("a 4WVR") };
    let Placements::Matrices(matrices) = &mut terrain.objects.placements else { panic!("4WVR has matrices") };
    matrices[1] = Matrix::from_numbers([0.0; 12]);
    matrices[0].aside = [-1.0, 0.0, 0.0];
    let refused = apply(&mut island, "set index=0: yaw=10");
    assert!(refused.contains("neither mirrored nor sheared"), "{refused}");
    let refused = apply(&mut island, "set index=1: scale=2");
    assert!(refused.contains("an object with a size"), "{refused}");
    let turned = transform_after(&mut island, "set index=0: heading=90, scale=2");
    assert_eq!(turned, ["0.000 0.000 2.000", "0.000 2.000 0.000", "2.000 0.000 0.000"]);
}

#[test]
fn names_are_renamed_in_their_tables() {
    let mut island = island();
    assert_eq!(apply(&mut island, "rename texture *PT.paa new.paa"), "1 texture renamed");
    let Document::Wvr(terrain) = &island else { panic!("a 4WVR") };
    assert_eq!(terrain.names[2], FixedBytes::from_text(b"new.paa").unwrap(), "an edited slot is clean");
    assert_eq!(apply(&mut island, "rename model data3d\\dum.p3d data3d\\dum\\x202.p3d"), "model of 2 objects renamed");
    let names: Vec<_> = island.objects().iter().map(|object| object.model.unwrap().clone()).collect();
    assert_eq!((&names[0], &names[2]), (&Name::new(*b"data3d\\dum 2.p3d"), &Name::new(*b"data3d\\dum 2.p3d")));
    let long = "a".repeat(77);
    assert!(apply(&mut island, &format!("rename model * {long}")).contains("is longer than 76 bytes"));
    assert!(apply(&mut island, &format!("rename material * {long}")).contains("is longer than 32 bytes"));
    for kind in ["model", "texture"] {
        assert!(apply(&mut island, &format!("rename {kind} * a\\x00")).ends_with(" contains a NUL"));
        assert!(apply(&mut island, &format!("rename {kind} * ''")).contains(" is empty"));
    }
    assert_eq!(apply(&mut wvr8(), "rename material a.rvmat b.rvmat"), "1 material renamed");
}

#[test]
fn objects_are_moved_set_and_deleted() {
    let mut island = island();
    assert_eq!(apply(&mut island, "move x>=0: 5,1,-5"), "3 objects moved");
    let fit = Matrix::FIT_TO_GROUND;
    assert_eq!(positions(&island)[..3], [[15.0, 3.0, 5.0], [65.0, fit, 65.0], [125.0, -2.0, 125.0]]);
    assert_eq!(
        apply(&mut island, "set model=*kasna* and ground=no: y=32768, id=-7, model=new.p3d"),
        "1 of 1 object changed"
    );
    assert_eq!(island.objects().get(3).unwrap().model, Some(&Name::new(*b"new.p3d")));
    assert_eq!((positions(&island)[3], island.objects().ids[3]), ([-5.0, fit, 10.0], -7));
    assert_eq!(apply(&mut island, "delete model=data3d\\dum.p3d and x<=20 and z<=20"), "1 object deleted");
    assert_eq!(apply(&mut island, "objects drop-outside"), "1 object deleted");
    assert_eq!(island.objects().ids, [11, 12]);
    assert_eq!(apply(&mut island, "objects renumber 100"), "2 objects renumbered");
    assert_eq!(island.objects().ids, [100, 101]);
    assert!(apply(&mut island, "objects renumber 2147483647").starts_with("error"));
    assert!(apply(&mut island, "move *: 1e300,0,0").starts_with("error"));
    assert_eq!(apply(&mut island, "set id=100 and model=*.p3d: model=\"a b.p3d\""), "1 of 1 object changed");
    assert_eq!(island.objects().get(0).unwrap().model, Some(&Name::new(*b"a b.p3d")));
    for wrong in ["set id=100", "set *: x", "delete", ""] {
        assert!(matches!(wrong.parse::<Edit>(), Err(QueryError::Syntax(_))), "{wrong}");
    }
    let rejected = |island: &mut Document, edit: &str| apply(island, edit).starts_with("error: ");
    for wrong in [
        "crop 1 2",
        "heights shift nan",
        "heights shift",
        "move *: 1,2",
        "objects remove where x=1",
        "sink",
        "set *: w=1",
        "set *: x=east",
        "set *: heading=east",
        "set model=none.p3d: x=1",
        "set terrain: cell=5",
        "rename sound a b",
        "add object x=1",
        "add light model=a.p3d",
    ] {
        assert!(rejected(&mut island, wrong), "{wrong}");
    }
}

#[test]
fn objects_are_added_and_duplicated() {
    let mut island = island();
    assert_eq!(apply(&mut island, "add object model=a.p3d, x=100, z=0"), "1 object added");
    assert_eq!(apply(&mut island, "add object model=a.p3d, x=10, Y=-2, z=20, id=99"), "1 object added");
    assert_eq!((island.objects().ids[4], island.objects().ids[5]), (14, 99));
    assert_eq!(positions(&island)[4..], [[100.0, 9.0, 0.0], [10.0, -2.0, 20.0]]);
    assert_eq!(apply(&mut island, "duplicate model=a.p3d: x+=5"), "2 objects duplicated");
    assert_eq!(positions(&island)[6..], [[105.0, 9.0, 0.0], [15.0, -2.0, 20.0]]);
    assert_eq!(island.objects().ids[6..], [100, 101]);
    assert_eq!(apply(&mut island, "set index=1: ground=true"), "0 of 1 object changed");
    assert_eq!(apply(&mut island, "set x<0: ground=true"), "1 of 1 object changed");
    assert_eq!(positions(&island)[3], [-5.0, Matrix::FIT_TO_GROUND, 10.0]);
    assert_eq!(
        apply(&mut island, "set index=1: ground=false"),
        "error: invalid value `false` for `ground`: expected true (for a fixed height, set y instead)"
    );
    assert_eq!(apply(&mut island, "set index=1: x=3e38, z=1e39").find("invalid value `1e39` for `z`"), Some(7));
    assert_eq!(apply(&mut island, "move index=1: 1e39,0,0"), "error: position is out of range: 1e39");
    let mut other = wvr8();
    assert_eq!(apply(&mut other, "set terrain: cell=12.5"), "terrain changed");
    for cell in ["0", "-1"] {
        let expected = format!("error: invalid value `{cell}` for `cell`: expected a number above 0");
        assert_eq!(apply(&mut other, &format!("set terrain: cell={cell}")), expected);
    }
    assert!(matches!(&other, Document::Wvr8(terrain) if terrain.cell == 12.5));
}

#[test]
fn queries_and_edits_select_the_same_objects() {
    let island = island();
    for (query, expected) in [
        ("model=*DUM*", &[0, 2][..]),
        ("classname=data3d\\les* or id=13", &[1, 3]),
        ("x in (10, 60)", &[0, 1]),
        ("not ground=yes and y<=0", &[2, 3]),
        ("kind=object & heading==0 && scale=1", &[0, 1, 2, 3]),
        ("index>=3", &[3]),
    ] {
        assert_eq!(island.select(&query.parse().unwrap()).unwrap(), expected, "{query}");
        let mut changed = island.clone();
        apply(&mut changed, &format!("set {query}: model=new.p3d"));
        let selected: Vec<usize> = changed.select(&"model=new.p3d".parse().unwrap()).unwrap();
        assert_eq!(selected, expected, "{query}");
    }
    for wrong in ["modle=a", "x=east", "kind=light"] {
        assert!(island.select(&wrong.parse().unwrap()).is_err(), "{wrong}");
    }
}

#[test]
fn upright_objects_move_in_cells() {
    let objects = Objects {
        models: vec![Name::new(*b"a.p3d")],
        model: vec![0],
        placements: Placements::Headings(vec![Heading { x: 1.0, y: 2.0, z: 1.0, heading: 90.0 }]),
        ids: Vec::new(),
    };
    let version = Version::Wvr2;
    let mut document = Document::Wvr(Wvr {
        version,
        objects,
        terminator: Some(vec![0; 64]),
        heights: vec![100; 4],
        ..Wvr::new([2, 2])
    });
    apply(&mut document, "move heading=90: 25,1,-50");
    let Placements::Headings(headings) = &document.objects().placements else { panic!("headings") };
    assert_eq!(headings[..], [Heading { x: 1.5, y: 3.0, z: 0.0, heading: 90.0 }]);
    assert!(apply(&mut document, "objects renumber").starts_with("error: 2WVR"));
    assert!(apply(&mut document, "set *: id=5").starts_with("error: 2WVR"));
    assert!(apply(&mut document, "set *: ground=true").starts_with("error: 2WVR"));
    // The field y is above the sea. The ground is at 4.5 m inside the grid; outside it counts as 0.
    assert_eq!(apply(&mut document, "set y=3: x=50, y=5.5"), "1 of 1 object changed");
    assert_eq!(apply(&mut document, "add object model=b.p3d, x=50, z=50"), "1 object added");
    assert_eq!(apply(&mut document, "set model=b.p3d: heading=45"), "1 of 1 object changed");
    for wrong in ["set *: pitch=5", "set *: scale=2"] {
        let refused = apply(&mut document, wrong);
        assert!(refused.starts_with("error: 2WVR") && refused.contains("upright"), "{refused}");
    }
    let Placements::Headings(headings) = &document.objects().placements else { panic!("headings") };
    assert_eq!(headings[0], Heading { x: 1.0, y: 1.0, z: 0.0, heading: 90.0 });
    assert_eq!(headings[1], Heading { x: 1.0, y: 0.0, z: 1.0, heading: 45.0 });
}

#[test]
fn a_terrain_is_pasted_onto_another() {
    let mut large = Document::Wvr(Wvr::new([8, 8]));
    let pasted = large.paste(&island(), [5, -1]).unwrap();
    assert_eq!(
        pasted.to_string(),
        "9 heights and 9 cells replaced, 2 objects added; 2 objects outside the map not added"
    );
    let Document::Wvr(terrain) = &large else { panic!("a 4WVR") };
    assert_eq!(terrain.heights[5..8], [400, 500, 600]);
    assert_eq!(terrain.textures[5..8], [4, 5, 6], "indices of empty slots are preserved");
    assert_eq!(positions(&large), [[310.0, Matrix::FIT_TO_GROUND, 20.0], [370.0, -3.0, 80.0]]);
    assert_eq!(large.objects().ids, [0, 1]);
    // Textures go into free slots.
    let mut other = Wvr::new([4, 4]);
    other.names[1] = FixedBytes::from_text(b"other.paa").unwrap();
    let mut other = Document::Wvr(other);
    other.paste(&island(), [0, 0]).unwrap();
    let Document::Wvr(terrain) = &other else { panic!("a 4WVR") };
    assert_eq!(terrain.names[2].text(), b"landtext\\pi.paa");
    assert_eq!(terrain.names[3].text(), b"landtext\\pt.paa");
    assert_eq!(terrain.textures[..4], [0, 2, 3, -1], "an index out of range does not refer to a slot");
    let mut target = wvr8();
    let pasted = target.paste(&wvr8(), [2, 2]).unwrap();
    assert_eq!((pasted.heights, pasted.cells, pasted.objects, pasted.outside), (16, 4, 1, 1));
    let Document::Wvr8(terrain) = &target else { panic!("an 8WVR") };
    assert_eq!((terrain.materials.len(), target.objects().len()), (2, 3));
    assert!(target.paste(&island(), [0, 0]).unwrap_err().to_string().contains("another variant"));
}

#[test]
fn leftover_bytes_are_cleared() {
    let mut island = island();
    assert_eq!(apply(&mut island, "clean"), "11 bytes cleared");
    assert_eq!(apply(&mut island, "clean"), "0 bytes cleared");
    assert_eq!(island.select(&"*".parse().unwrap()).unwrap().len(), 4);
    assert_eq!(island.rename_models(&Glob::new(b"*"), b"x.p3d").unwrap(), 4);
}

#[test]
fn resampled_terrains_have_a_material_grid_that_fits() {
    // 48 heights of 10 m on 12 cells of 40 m.
    let mut terrain = Wvr8::new([12, 12], 40.0, 4);
    for (cell, index) in terrain.cells.iter_mut().enumerate() {
        *index = u16::try_from(cell % 12).unwrap();
    }
    let original = Document::Wvr8(terrain);
    for (side, land, cell) in [(96, 12, 40.0), (32, 16, 30.0), (64, 16, 30.0), (12, 12, 40.0), (4, 4, 120.0)] {
        let mut document = original.clone();
        document.resample([side; 2]).unwrap();
        let Document::Wvr8(resampled) = &document else { panic!("8WVR") };
        assert_eq!((resampled.terrain, resampled.land, resampled.cell), ([side; 2], [land; 2], cell), "{side}");
        assert_eq!(resampled.cells.len(), usize::try_from(land * land).unwrap());
        // The last cell is at the same place.
        assert_eq!(resampled.cells.last(), Some(&u16::try_from(11 - 11 % (12 / land.min(12))).unwrap()), "{side}");
        assert!(!document.validate().iter().any(|finding| finding.code == "grid-land-terrain-ratio"), "{side}");
        assert_eq!(document.extent(), original.extent());
        document.crop([0; 2], [land / 2; 2]).unwrap();
        assert_eq!(document.ground().size, [side / 2; 2]);
    }
    let refused = original.clone().resample([48, 96]).unwrap_err();
    assert!(refused.to_string().contains("both sides must change by the same factor"), "{refused}");
}

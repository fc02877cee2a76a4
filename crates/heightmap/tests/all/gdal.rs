//! GDAL reads what is written.

use std::{
    fs,
    io::Write as _,
    path::{Path, PathBuf},
    process::Command,
};

use mapwright_heightmap::{Corner, ExportOptions, Format};
use mapwright_scene::Scene;

use super::{corpus::utes, terrains::*};

/// Returns `true` if GDAL is installed, and reports if not.
fn is_installed() -> bool {
    let is_here = Command::new("gdalinfo").arg("--version").output().is_ok_and(|output| output.status.success());
    if !is_here {
        // Not eprintln!, which the test harness swallows.
        let _ = writeln!(std::io::stderr(), "SKIPPED: no GDAL here (Debian package `gdal-bin`)");
    }
    is_here
}

/// Returns the output of a GDAL program. Panics if it fails or prints a warning.
fn run_gdal(name: &str, args: &[&str], file: &Path) -> String {
    // Otherwise GDAL writes statistics into another file.
    let output = Command::new(name).env("GDAL_PAM_ENABLED", "NO").args(args).arg(file).output().unwrap();
    let complaint = String::from_utf8_lossy(&output.stderr);
    assert!(output.status.success() && complaint.is_empty(), "{name} {}: {complaint}", file.display());
    String::from_utf8(output.stdout).unwrap()
}

fn save(name: &str, scene: &Scene, options: &ExportOptions) -> PathBuf {
    let folder = Path::new(env!("CARGO_TARGET_TMPDIR")).join("gdal").join(name);
    fs::create_dir_all(&folder).unwrap();
    let extension = match options.format {
        Format::Png => "png",
        Format::Tif => "tif",
        Format::Xyz => "xyz",
        _ => "asc",
    };
    let files = mapwright_heightmap::from_scene(scene, &options.clone().with_name("map")).unwrap().document;
    for file in &files.side {
        fs::write(folder.join(&file.name), &file.data).unwrap();
    }
    let path = folder.join("map").with_extension(extension);
    fs::write(&path, &files.main).unwrap();
    path
}

/// Returns the height of a pixel as GDAL reads it.
fn pixel(file: &Path, column: u32, row: u32) -> f64 {
    let mut command = Command::new("gdallocationinfo");
    command.arg("-valonly").arg(file).args([column.to_string(), row.to_string()]);
    let output = command.output().unwrap();
    String::from_utf8(output.stdout).unwrap().trim().parse().unwrap()
}

fn assert_contains(output: &str, parts: &[&str]) {
    for part in parts {
        assert!(
            output.contains(part),
            "{part:?} is missing in the output of GDAL:
{output}"
        );
    }
}

#[test]
fn gdal_finds_every_format_at_its_position() {
    if !is_installed() {
        return;
    }
    // Rows from south to north: the highest point is in the north-east.
    let scene = floats(3, &[-1.5, 0.25, 2.0, 10.0, 20.0, 30.5]);
    let place = ["Size is 3, 2", "Origin = (199995.0", "15.0", "Pixel Size = (10.0", ",-10.0"];
    for format in FORMATS {
        let path = save("floats", &scene, &options(format));
        let output = run_gdal("gdalinfo", &[], &path);
        assert_contains(&output, &place);
        if format != Format::Png {
            assert_eq!([pixel(&path, 2, 0), pixel(&path, 0, 1)], [30.5, -1.5], "{format:?}");
        }
    }
    let path = save("terrain_builder", &scene, &options(Format::Asc).with_corner(Corner::Point));
    assert_contains(&run_gdal("gdalinfo", &[], &path), &["Origin = (200000.0", "20.0"]);
    let path = save("floats", &scene, &options(Format::Tif));
    assert_contains(&run_gdal("gdalinfo", &[], &path), &["Type=Float32", "AREA_OR_POINT=Area"]);
    let path = save("floats", &scene, &options(Format::Png));
    assert_contains(&run_gdal("gdalinfo", &[], &path), &["Type=UInt16", "height_offset=-1.5", "spacing_x=10"]);
    assert_eq!([pixel(&path, 2, 0), pixel(&path, 0, 1)], [65535.0, 0.0]);
}

#[test]
fn gdal_reads_steps_with_their_scale() {
    if !is_installed() {
        return;
    }
    let mut scene = steps(every_step());
    scene.metres_per_unit = Some(1.0);
    let path = save("steps", &scene, &options(Format::Tif));
    assert_contains(
        &run_gdal("gdalinfo", &[], &path),
        &["Size is 256, 256", "Type=Int16", "Scale:0.045", "Unit Type: m", "Offset: 0"],
    );
    assert_eq!([pixel(&path, 0, 255), pixel(&path, 255, 0)], [-32768.0, 32767.0]);
    let path = save("steps", &scene, &options(Format::Png));
    assert_contains(&run_gdal("gdalinfo", &[], &path), &["Type=UInt16", "height_zero=32768"]);
    assert_eq!([pixel(&path, 0, 255), pixel(&path, 255, 0)], [0.0, 65535.0]);
}

#[test]
fn files_of_gdal_are_read() {
    if !is_installed() {
        return;
    }
    let scene = floats(40, &(0..2400).map(|height| height as f32 / 7.0 - 99.0).collect::<Vec<_>>());
    let path = save("again", &scene, &options(Format::Tif));
    for (name, args) in [
        ("lzw.tif", &["-co", "COMPRESS=LZW"][..]),
        ("deflate.tif", &["-co", "COMPRESS=DEFLATE", "-co", "PREDICTOR=3"]),
        ("packbits.tif", &["-co", "COMPRESS=PACKBITS"]),
        ("tiled.tif", &["-co", "TILED=YES", "-co", "BLOCKXSIZE=16", "-co", "BLOCKYSIZE=16"]),
        ("big.tif", &["-co", "BIGTIFF=YES", "-co", "ENDIANNESS=BIG"]),
        ("double.tif", &["-ot", "Float64", "-co", "ENDIANNESS=BIG", "-co", "TILED=YES"]),
        ("again.asc", &["-of", "AAIGrid", "-co", "SIGNIFICANT_DIGITS=9"]),
        ("again.xyz", &["-of", "XYZ"]),
    ] {
        let again = path.with_file_name(name);
        let mut translate = Command::new("gdal_translate");
        let output =
            translate.env("GDAL_PAM_ENABLED", "NO").arg("-q").args(args).arg(&path).arg(&again).output().unwrap();
        assert!(output.status.success(), "{name}: {}", String::from_utf8_lossy(&output.stderr));
        let options = mapwright_heightmap::ImportOptions::default();
        let (back, losses) =
            read_with(&fs::read(&again).unwrap(), &options).unwrap_or_else(|error| panic!("{name}: {error}"));
        assert_eq!(back.nodes, scene.nodes, "{name}");
        assert_eq!(back.terrains.items()[0].spacing, [10.0, -10.0], "{name}");
        if name == "again.xyz" {
            assert_eq!(back.terrains.items()[0].size, [40, 60]);
        } else {
            assert_eq!(bits(&back), bits(&scene), "{name}");
        }
        assert!(losses.is_empty() || name == "again.xyz" || name == "again.asc", "{name}: {losses:?}");
    }
}

#[test]
fn sparse_files_and_masks_of_gdal_are_read() {
    if !is_installed() {
        return;
    }
    // The southern half is 0, which is no height.
    let heights: Vec<f32> = (0..32 * 32_u16).map(|at| if at < 512 { 0.0 } else { f32::from(at % 200) + 1.0 }).collect();
    let path = save("halves", &floats(32, &heights), &options(Format::Tif));
    let tiles = ["-co", "TILED=YES", "-co", "BLOCKXSIZE=16", "-co", "BLOCKYSIZE=16"];
    for (name, args) in [
        ("sparse.tif", &["-a_nodata", "0", "-co", "SPARSE_OK=TRUE", "-co", "COMPRESS=DEFLATE"][..]),
        ("sparse_int.tif", &["-ot", "Int16", "-a_nodata", "0", "-co", "SPARSE_OK=TRUE"]),
        ("mask.tif", &["-mask", "1", "--config", "GDAL_TIFF_INTERNAL_MASK", "YES", "-co", "COMPRESS=DEFLATE"]),
        ("mask_int.tif", &["-ot", "Int16", "-mask", "1", "--config", "GDAL_TIFF_INTERNAL_MASK", "YES"]),
    ] {
        let file = path.with_file_name(name);
        let mut translate = Command::new("gdal_translate");
        let output = translate.arg("-q").args(tiles).args(args).arg(&path).arg(&file).output().unwrap();
        assert!(output.status.success(), "{name}: {}", String::from_utf8_lossy(&output.stderr));
        let (back, losses) = read(&fs::read(&file).unwrap());
        let expected = heights.iter().map(|&height| if height == 0.0 { None } else { Some(f64::from(height)) });
        let terrain = &back.terrains.items()[0];
        let found = (0..1024).map(|at| terrain.heights.get(at).filter(|height| !height.is_nan()));
        assert!(expected.eq(found), "{name}");
        assert!(losses.iter().any(|loss| loss.contains("512 samples without a height")), "{name}: {losses:?}");
    }
}

#[test]
#[ignore = "needs the corpus"]
fn gdal_reads_the_same_heights_of_a_corpus_terrain() {
    let Some(scene) = utes().filter(|_| is_installed()) else { return };
    for format in [Format::Asc, Format::Tif, Format::Xyz] {
        let path = save("utes", &scene, &options(format));
        let output = run_gdal("gdalinfo", &["-mm"], &path);
        assert_contains(&output, &["Size is 512, 512", "Computed Min/Max=-103.200,80.400"]);
    }
    println!("GDAL sees utes from -103.2 to 80.4 in three formats");
}

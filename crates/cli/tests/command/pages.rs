//! HTML pages.
//!
//! `cargo xtask conformance browser` opens them in Chromium. Other runs of the tests start no browser.

use std::fs;
use std::io::Write as _;
use std::path::{Path, PathBuf};
use std::process::Command;

use mapwright::scene::images::decode_png;
use mapwright_testkit::{corpus, files_below, fixtures};

use crate::folder::Folder;

#[test]
fn files_become_pages() {
    let folder = Folder::with_cube();
    let done = folder.run(["render", "--html", "cube.obj", "-o", "cube.html"]).ends(0);
    assert!(done.talk.contains("cube.obj: cube.html"), "{done:?}");
    let page = folder.read("cube.html");
    assert!(page.starts_with(b"<!doctype html>") && page.ends_with(b"</html>\n"));
    assert!(folder.run(["render", "--html", "cube.obj", "-o", "-"]).ends(0).bytes == page);

    let report = folder.run(["render", "--html", "--json", "cube.wings", "-d", "pages"]).ends(0).object();
    assert_eq!((&report["output"], &report["objects"]), (&"pages/cube.html".into(), &1.into()));
    assert!(report["model"].as_u64() > Some(500), "{report}");
    let image = folder.run(["render", "--json", "cube.wings", "-d", "pages"]).ends(0).object();
    assert!(image.get("objects").is_none() && report["width"] != image["width"], "{image}");
    folder.run(["render", "--html", "cube.obj", "--sheet", "sheet.html"]).ends(2);
    folder.write("empty.obj", "# nothing\n");
    folder.run(["render", "--html", "empty.obj", "-o", "empty.html"]).ends(7);
    assert!(!folder.at("empty.html").exists());
}

#[test]
fn pages_list_the_losses_of_reading_a_file() {
    let folder = Folder::with_cube();
    let mut cube = folder.read("cube.obj");
    cube.extend_from_slice(b"p 1\n");
    fs::write(folder.at("points.obj"), cube).unwrap();
    let losses = |name: &str| -> Vec<serde_json::Value> {
        let page = String::from_utf8(folder.run(["render", "--html", name, "-o", "-"]).ends(0).bytes).unwrap();
        let (_, data) = page.split_once(r#"id="data">"#).unwrap();
        let data: serde_json::Value = serde_json::from_str(data.split_once("</script>").unwrap().0).unwrap();
        data["losses"].as_array().unwrap().clone()
    };
    let (with, without) = (losses("points.obj"), losses("cube.obj"));
    let more: Vec<_> = with.iter().filter(|loss| !without.contains(loss)).collect();
    assert_eq!(more.len(), 1, "{more:?}");
}

#[test]
fn pages_contain_the_images_that_a_file_names_and_never_replace_them() {
    let folder = Folder::with_cube();
    folder.run(["render", "--fit", "16", "cube.obj", "-o", "brick.png"]).ends(0);
    folder.write("cube.mtl", "newmtl red\nKd 1 0 0\nmap_Kd brick.png\n");
    let page = |name: &str| folder.run(["render", "--html", "--json", "--force", "cube.obj", "-o", name]);
    let with = page("with.html").ends(0).object();
    let image = folder.read("brick.png");
    page("brick.png").ends(2);
    page("cube.mtl").ends(2);
    assert!(folder.read("brick.png") == image);
    fs::remove_file(folder.at("brick.png")).unwrap();
    let without = page("without.html").ends(0).object();
    assert!(with["model"].as_u64() >= without["model"].as_u64().map(|bytes| bytes + image.len() as u64));
}

/// The attributes of the root of a page in a browser.
struct Opened(String);

impl Opened {
    fn get(&self, name: &str) -> Option<&str> {
        let (_, value) = self.0.split_once(&format!("data-{name}=\""))?;
        value.split('"').next()
    }

    fn count(&self, name: &str) -> usize {
        self.get(name).and_then(|value| value.parse().ok()).unwrap_or(0)
    }
}

/// Opens a page in Chromium, and checks that the page shows something.
fn open(page: &Path, more: &[&str]) -> Opened {
    let (profile, shot) = (tempfile::tempdir().unwrap(), page.with_extension("png"));
    let mut chromium = Command::new("chromium");
    chromium.args(["--headless", "--no-sandbox", "--disable-gpu", "--use-gl=angle", "--use-angle=swiftshader"]);
    chromium.args(["--enable-unsafe-swiftshader", "--disable-quic", "--no-first-run", "--disable-sync"]);
    chromium.args(["--disable-background-networking", "--disable-component-update", "--window-size=1440,900"]);
    chromium.arg(format!("--user-data-dir={}", profile.path().display())).arg("--timeout=60000").args(more);
    chromium.arg("--enable-logging=stderr").arg("--dump-dom").arg(format!("--screenshot={}", shot.display()));
    let output = chromium.arg(format!("file://{}", page.display())).output().unwrap();
    let dom = String::from_utf8_lossy(&output.stdout);
    // The console reports violations of the policy.
    let console = String::from_utf8_lossy(&output.stderr);
    assert!(!console.contains("Content Security Policy"), "{}: {console}", page.display());
    let root = dom.split_once("<html").and_then(|(_, after)| after.split_once('>')).map(|(root, _)| root.to_owned());
    let opened = Opened(root.unwrap_or_else(|| panic!("{}: {output:?}", page.display())));
    assert_eq!((opened.get("state"), opened.get("error")), (Some("drawn"), None), "{}: {}", page.display(), opened.0);

    let pixels = decode_png(&fs::read(&shot).unwrap(), 1 << 28).unwrap();
    let channels = pixels.data.len() / (pixels.width as usize * pixels.height as usize);
    // The view without the toolbar and the status line.
    let rows = pixels.data.chunks(pixels.width as usize * channels).skip(110).take(pixels.height as usize - 260);
    let mut colors: Vec<&[u8]> = rows.flat_map(|row| row.chunks(channels).take(1000)).collect();
    colors.sort_unstable();
    colors.dedup();
    assert!(colors.len() > 5, "{}: {} colours", page.display(), colors.len());
    opened
}

/// Returns a level of each format, from the corpus if there is one, and fixtures that are converted to other formats.
fn levels(folder: &Folder) -> Vec<PathBuf> {
    let mut levels = Vec::new();
    for (format, name) in
        [("wings", "torus.wings"), ("vmap", "room.vmap"), ("wmp", "room.wmp"), ("wrp", "island-8wvr.wrp")]
    {
        let real = corpus(format).into_iter().flat_map(|folder| files_below(&folder));
        let real = real.filter(|file| file.extension().is_some_and(|extension| extension == format));
        // Larger files test nothing new, and are slow to render.
        let small = real.filter(|file| fs::metadata(file).unwrap().len() < 4 << 20);
        let largest = small.max_by_key(|file| fs::metadata(file).unwrap().len());
        levels.push(largest.unwrap_or_else(|| fixtures(format).join(name)));
    }
    let tiles = files_below(&fixtures("wwd")).into_iter().find(|file| file.extension().is_some_and(|e| e == "wwd"));
    let tiles = tiles.unwrap();
    levels.extend(corpus("wwd").map(|folder| folder.join("RETAIL01.WWD")).filter(|file| file.is_file()));
    let room = fixtures("vmap").join("room.vmap");
    let island = fixtures("wrp").join("island-8wvr.wrp");
    for (level, extensions) in [(&room, ["glb", "obj", "map"].as_slice()), (&tiles, &["tmx"]), (&island, &["tif"])] {
        for extension in extensions {
            let place = folder.at(format!("level.{extension}"));
            // `--force`, because two of the conversions write the same images next to the level.
            let convert = ["convert".as_ref(), "--quiet".as_ref(), "--force".as_ref()];
            folder.run(convert.into_iter().chain([level.as_os_str(), place.as_os_str()])).ends(0);
            levels.push(place);
        }
    }
    levels.push(tiles);
    levels
}

#[test]
fn a_browser_draws_pages_of_all_formats() {
    if std::env::var_os("MAPWRIGHT_BROWSER").is_none() {
        // Not eprintln!, which the test harness swallows.
        let _ = writeln!(std::io::stderr(), "SKIPPED: no browser asked for (cargo xtask conformance browser)");
        return;
    }
    let folder = Folder::new();
    let page = |level: &Path, name: &str| {
        let page = folder.at(name);
        let args = ["render".as_ref(), "--html".as_ref(), level.as_os_str(), "-o".as_ref(), page.as_os_str()];
        folder.run(args).ends(0);
        page
    };
    let levels = levels(&folder);
    for (number, level) in levels.iter().enumerate() {
        let opened = open(&page(level, &format!("{number}.html")), &[]);
        let extension = level.extension().unwrap().to_string_lossy().to_lowercase();
        let is_flat = ["wwd", "tmx", "tmj"].contains(&&*extension);
        assert_eq!(opened.get("view"), Some(if is_flat { "image" } else { "model" }), "{}", level.display());
        assert!(is_flat || opened.count("triangles") + opened.count("markers") > 0, "{}", level.display());
        assert!(opened.count("objects") > 0, "{}", level.display());
        println!("{}: {}", level.display(), opened.0.trim());
    }
    // The browser would run these names if they were not inserted as text.
    let evil = "</script><script>document.documentElement.dataset.error=1</script><img src=x onerror=fail(1)>";
    folder.write("evil.obj", format!("o {evil}\nv 0 0 0\nv 1 0 0\nv 0 1 0\nusemtl {evil}\nf 1 2 3\n"));
    let evil = page(&folder.at("evil.obj"), "evil.html");
    assert_eq!(open(&evil, &[]).count("triangles"), 1);
    // Without WebGL, the page shows the image.
    assert_eq!(open(&evil, &["--disable-3d-apis"]).get("view"), Some("image"));
    println!("a browser drew pages of {} levels", levels.len());
}

//! An independent decoder in another language decodes the same from every file.

use std::fmt::Write as _;

use mapwright_testkit::witness::{adler32, agree, ask, hex};
use mapwright_testkit::{corpus, files_below};
use mapwright_wapart::{Game, Image, Palette, PidFlags, WriteOptions, WriterProfile, ani, pcx, pid};

use crate::support::unhex;

/// Prints the bytes of each file, and what `art_dump.py` decodes from them. Archives are replaced by the files in them.
const SCRIPT: &str = r#"
import sys, zlib
sys.path.insert(0, sys.argv[1])
import art_dump as A, rez_dump as R
files = []
for path in sys.argv[2:]:
    data = open(path, "rb").read()
    if path.lower().endswith(".rez"):
        rez = R.Rez(data)
        files += [(e.full().decode("latin-1"), rez.data(e)) for _, e in rez.root.walk() if isinstance(e, R.File)]
    else:
        files.append((path, data))
adler = lambda data: zlib.adler32(bytes(data))
level = bytes(v for i in range(256) for v in ((255, 0, 132) if i == 9 else (i, 255 - i, 7)))
def clear(p, game):
    data = A.rgba(p, level, game)
    if p["flags"] is not None and p["flags"] & A.LIGHT:
        return data
    return b"".join(data[i:i + 4] if data[i + 3] else b"\0\0\0\0" for i in range(0, len(data), 4))
def show(kind, data):
    if kind == "ani":
        a = A.ani(data)
        yield "ani", a["sig"], a["word4"], a["flags"], a["reserved"], a["name"].hex(), a["rest"]
        for words, cue in a["records"]:
            yield ("record", *words, "-" if cue is None else cue.hex())
        yield "same", int(A.ani_bytes(a, data) + data[len(data) - a["rest"]:] == data)
        return
    if kind == "pal":
        A.info("pal", data)
        yield "palette", adler(data)
        return
    p = A.pcx(data) if kind == "pcx" else A.pid(data)
    if kind == "pcx":
        yield "pcx", p["w"], p["h"], p["planes"], p["row"], p["version"], p["encoding"], p["rest"], p["too_much"], p["empty_runs"]
        yield "pixels", adler(p["px"] or p["rgb"])
    else:
        runs = (p["runs_over_row_end"],) if p["flags"] & A.SKIPS else (p["too_much"], p["empty_runs"])
        yield ("pid", p["w"], p["h"], p["ox"], p["oy"], p["desc"], p["flags"], p["fill"], p["last"], p["rest"], *runs)
        yield "pixels", adler(p["px"]), adler(p["skip"] or b"")
        if p["flags"] & A.SKIPS:
            yield "recode", int(A.pack_skips(p["px"], p["w"], p["h"], p["fill"] & 255 if p["flags"] & A.WORD else 0) == p["stream"])
        else:
            yield ("recode", *(int(A.pack_rle(p["px"], p["w"], p["h"], rule) == p["stream"]) for rule in ("c0", "40")))
    yield "palette", adler(p["pal"] or b"")
    for game in ("claw", "gruntz"):
        yield game, adler(clear(p, game))
for name, data in files:
    kind = name.rsplit(".", 1)[-1].lower()
    if kind not in ("pid", "pcx", "ani", "pal"):
        continue
    print("file", name)
    print("bytes", data.hex())
    try:
        lines = list(show(kind, data))
    except A.Bad:
        lines = [("refused",)]
    for line in lines:
        print(*line)
"#;

#[test]
#[ignore = "needs the corpus"]
fn another_decoder_reads_the_same_from_the_corpus() {
    let mut files = Vec::new();
    for folder in ["wapart", "acknex", "rez"] {
        let Some(folder) = corpus(folder) else { return };
        files.extend(files_below(&folder));
    }
    let archives = ["tiny_claw.rez", "tiny_gruntz.rez", "hostile_art.rez"];
    files.retain(|file| {
        let name = file.file_name().unwrap_or_default().to_string_lossy();
        let is_art = [".pid", ".pcx", ".ani", ".pal"].iter().any(|end| name.to_ascii_lowercase().ends_with(end));
        is_art || archives.contains(&&*name)
    });
    let Some(theirs) = ask(SCRIPT, &files) else { return };
    let mut ours = String::new();
    let mut name = "";
    let (mut decoded, mut refused) = (0, 0);
    for line in theirs.lines() {
        if let Some(file) = line.strip_prefix("file ") {
            name = file;
            let _ = writeln!(ours, "{line}");
        } else if let Some(bytes) = line.strip_prefix("bytes ") {
            let _ = writeln!(ours, "{line}");
            match describe(name, &unhex(bytes)) {
                Some(text) => {
                    decoded += 1;
                    ours.push_str(&text);
                }
                None => {
                    refused += 1;
                    ours.push_str("refused\n");
                }
            }
        }
    }
    agree(&ours, &theirs);
    assert!(decoded >= 60 && refused >= 14, "{decoded} decoded, {refused} refused");
}

fn describe(name: &str, bytes: &[u8]) -> Option<String> {
    let mut out = String::new();
    let extension = name.rsplit('.').next().unwrap_or_default().to_ascii_lowercase();
    match &*extension {
        "ani" => {
            let animation = ani::Document::from_bytes(bytes).ok()?;
            describe_animation(&mut out, &animation);
            let _ = writeln!(out, "same {}", u8::from(animation.to_bytes().expect("an animation") == bytes));
        }
        "pal" => {
            let _ = writeln!(out, "palette {}", adler32(Palette::from_bytes(bytes).ok()?.as_bytes()));
        }
        "pcx" => {
            let image = pcx::Document::from_bytes(bytes).ok()?;
            assert!(image.to_bytes().expect("an image") == bytes, "{name}");
            let (width, height, runs) = (image.width(), image.height(), image.count_runs());
            let pcx::Document { planes, row, version, encoding, ref trailing, .. } = image;
            let rest = trailing.len();
            let _ = writeln!(
                out,
                "pcx {width} {height} {planes} {row} {version} {encoding} {rest} {} {}",
                runs.excess, runs.empty
            );
            let pixels = image.indices().or(image.rgb()).expect("pixels");
            let _ = writeln!(out, "pixels {}", adler32(&pixels));
            describe_colors(&mut out, image.palette.clone().as_ref(), &image.into());
        }
        _ => {
            let image = pid::Document::from_bytes(bytes).ok()?;
            assert!(image.to_bytes().expect("an image") == bytes, "{name}");
            describe_pid(&mut out, &image, bytes);
            describe_colors(&mut out, image.palette.clone().as_ref(), &image.into());
        }
    }
    Some(out)
}

fn describe_pid(out: &mut String, image: &pid::Document, bytes: &[u8]) {
    let is_skips = image.flags.has(PidFlags::SKIPS);
    let runs = image.count_runs();
    let numbers = [image.width, image.height].map(u32::cast_signed);
    let [width, height] = numbers;
    let [x, y] = image.offset;
    let (description, flags, fill) = (image.description, image.flags.0, image.fill.cast_signed());
    let (last, rest) = (image.reserved_1c.cast_signed(), image.trailing.len());
    let _ = write!(out, "pid {width} {height} {x} {y} {description} {flags} {fill} {last} {rest} ");
    let _ = if is_skips { writeln!(out, "{}", runs.over_row) } else { writeln!(out, "{} {}", runs.excess, runs.empty) };
    let skipped: Vec<u8> = image.skipped.iter().map(|skipped| u8::from(*skipped)).collect();
    let _ = writeln!(out, "pixels {} {}", adler32(&image.indices), adler32(&skipped));
    // Pixels packed again, without the bytes that were read.
    let mut made = pid::Document::new(image.width, image.height, image.indices.clone());
    (made.flags, made.offset, made.fill, made.reserved_1c) = (image.flags, image.offset, image.fill, image.reserved_1c);
    (made.description, made.skipped) = (image.description, image.skipped.clone());
    (made.palette, made.trailing) = (image.palette.clone(), image.trailing.clone());
    let profiles: &[WriterProfile] = if is_skips { &[WriterProfile::Tiles] } else { &WriterProfile::ALL };
    out.push_str("recode");
    for profile in profiles {
        let options = WriteOptions::default().with_profile(*profile);
        let is_same = made.to_bytes_with(&options).expect("an image") == bytes;
        let _ = write!(out, " {}", u8::from(is_same));
    }
    out.push('\n');
}

fn describe_colors(out: &mut String, palette: Option<&Palette>, image: &Image) {
    let _ = writeln!(out, "palette {}", adler32(palette.map_or(&[], Palette::as_bytes)));
    let mut level = [[0; 3]; 256];
    for (color, index) in level.iter_mut().zip(0..=u8::MAX) {
        *color = if index == 9 { Game::GRUNTZ_KEY } else { [index, 255 - index, 7] };
    }
    for (game, name) in [(Game::Claw, "claw"), (Game::Gruntz, "gruntz")] {
        let _ = writeln!(out, "{name} {}", adler32(&image.to_rgba(game, Some(&Palette::new(level)))));
    }
}

fn describe_animation(out: &mut String, animation: &ani::Document) {
    let ani::Document { signature, reserved_04, flags, reserved_14, name, records, trailing } = animation;
    let (reserved, name) = (hex(reserved_14), hex(name));
    let flags = flags.cast_signed();
    let _ = writeln!(out, "ani {signature} {reserved_04} {flags} {reserved} {name} {}", trailing.len());
    for record in records {
        let [dx, dy] = record.offset;
        let words = [record.step.0, record.loop_mode.0, record.position.0, record.frame, record.duration];
        let _ = write!(out, "record {}", record.flags.0);
        for word in words.into_iter().chain([record.event.0, dx, dy]) {
            let _ = write!(out, " {word}");
        }
        let sounds = record.sounds.as_ref().map_or_else(|| "-".to_owned(), |sounds| hex(sounds));
        let _ = writeln!(out, " {} {sounds}", record.reserved_12);
    }
}

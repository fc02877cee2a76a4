//! Peak memory, as the system reports it for a process that does nothing else.

use std::process::Command;
use std::{env, fs, hint};

use mapwright::{AnyDocument, Format, ReadOptions};
use mapwright_etf::Document;
use mapwright_testkit::workspace;

use super::interchange;

/// The argument that makes this program the measured process.
pub(super) const PEAK_OPTION: &str = "--peak";

/// Prints the peak of each way of decoding `bytes`, in multiples of `unit` bytes. Linux only.
pub(super) fn table(ways: &[&str], bytes: &[u8], unit: usize) -> Result<(), String> {
    println!("| decoder | peak |\n|---|---|");
    for way in ways {
        println!("| {way} | {} |", measure(way, bytes, unit)?);
    }
    Ok(())
}

/// Returns the peak of one way of decoding `bytes`, in multiples of `unit` bytes.
pub(super) fn measure(way: &str, bytes: &[u8], unit: usize) -> Result<String, String> {
    let exe = env::current_exe().map_err(|error| error.to_string())?;
    let file = exe.with_file_name("bench-sample");
    fs::write(&file, bytes).map_err(|error| format!("{}: {error}", file.display()))?;
    let output = Command::new(&exe)
        .args(["bench", PEAK_OPTION, way])
        .arg(&file)
        .current_dir(workspace())
        .output()
        .map_err(|error| format!("{}: {error}", exe.display()))?;
    fs::remove_file(&file).map_err(|error| format!("{}: {error}", file.display()))?;
    let peak: Option<usize> = String::from_utf8_lossy(&output.stdout).trim().parse().ok();
    #[expect(clippy::cast_precision_loss, reason = "sizes of samples are far below 2^52")]
    let peak = peak.map_or_else(|| "unknown".to_owned(), |peak| format!("{:.2}", peak as f64 / unit as f64));
    Ok(peak)
}

/// Runs the measured process: prints the number of bytes by which decoding a file raises the peak.
pub(super) fn child(way: &str, file: &str) -> Result<(), String> {
    let bytes = fs::read(file).map_err(|error| format!("{file}: {error}"))?;
    let before = peak()?;
    let is_read = match way {
        "etf" => hint::black_box(Document::from_bytes(&bytes)).is_ok(),
        "eetf" => hint::black_box(eetf::Term::decode(bytes.as_slice())).is_ok(),
        "erltf" => hint::black_box(erltf::decode(&bytes)).is_ok(),
        "wings document" => hint::black_box(mapwright_wings::Document::from_bytes(&bytes)).is_ok(),
        "wings document and model" => {
            let document = mapwright_wings::Document::from_bytes(&bytes).map_err(|error| error.to_string())?;
            hint::black_box(document.model()).is_ok()
        }
        "dmx" => hint::black_box(mapwright_dmx::Document::from_bytes(&bytes)).is_ok(),
        "dmx, from_vec" => hint::black_box(mapwright_dmx::Document::from_vec(bytes)).is_ok(),
        "obj" => hint::black_box(interchange::read_obj(&bytes)).is_ok(),
        "tobj" => hint::black_box(interchange::read_with_tobj(&bytes)).is_ok(),
        "glb" | "glb, not welded" => hint::black_box(interchange::read_glb(&bytes, way == "glb")).is_ok(),
        "gltf" => hint::black_box(interchange::read_with_gltf(&bytes)).is_ok(),
        "datamodel" => hint::black_box(super::dmx::their(&bytes)).is_ok(),
        _ => {
            let format = Format::from_name(way).ok_or_else(|| format!("unknown decoder {way}"))?;
            hint::black_box(AnyDocument::from_bytes_as(&bytes, format, &ReadOptions::default())).is_ok()
        }
    };
    let after = peak()?;
    if !is_read {
        return Err(format!("{way} rejects {file}"));
    }
    println!("{}", after - before);
    Ok(())
}

/// Returns the peak memory of this process in bytes.
fn peak() -> Result<usize, String> {
    let status = fs::read_to_string("/proc/self/status").map_err(|error| format!("unknown peak: {error}"))?;
    let line = status.lines().find_map(|line| line.strip_prefix("VmHWM:"));
    let kibibytes = line.and_then(|line| line.trim().strip_suffix(" kB")?.parse::<usize>().ok());
    kibibytes.map(|kibibytes| kibibytes * 1024).ok_or_else(|| "unknown peak".to_owned())
}

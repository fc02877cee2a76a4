//! Writes the textures of an archive or compiled level as portable pixmaps: `cargo run --example acknex-textures -- FILE FOLDER`.

use std::error::Error;
use std::path::Path;
use std::{env, fs};

use mapwright_acknex::{Palette, Texture, Wad, Wmb};

fn main() -> Result<(), Box<dyn Error>> {
    let mut arguments = env::args().skip(1);
    let file = fs::read(arguments.next().ok_or("expected two arguments: FILE FOLDER")?)?;
    let folder = arguments.next().ok_or("expected two arguments: FILE FOLDER")?;
    if file.starts_with(b"WMB") {
        let level = Wmb::from_bytes(&file)?;
        write_all(level.textures(), level.palette.as_ref(), folder.as_ref())
    } else {
        write_all(Wad::from_bytes(&file)?.textures, None, folder.as_ref())
    }
}

fn write_all<'a>(
    textures: impl IntoIterator<Item = Texture<'a>>,
    palette: Option<&Palette>,
    folder: &Path,
) -> Result<(), Box<dyn Error>> {
    for (index, texture) in textures.into_iter().enumerate() {
        match texture.image(palette) {
            Ok(image) => {
                let [width, height] = image.size;
                let rgb: Vec<u8> = image.rgba.chunks_exact(4).flat_map(|pixel| pixel[..3].to_vec()).collect();
                let head = format!("P6 {width} {height} 255\n");
                fs::write(folder.join(format!("{index}.ppm")), [head.as_bytes(), &rgb].concat())?;
            }
            Err(error) => eprintln!("{:?}: {error}", texture.name),
        }
    }
    Ok(())
}

//! Image files that the readers decode.

use std::io::Cursor;

use image::{DynamicImage, ImageFormat};
use mapwright_interchange::{gltf, obj};
use mapwright_scene::{Image, ImageSource};

/// An image of 20 × 10 pixels in all color types and formats that have no file of their own in a scene.
fn files() -> Vec<(String, Vec<u8>)> {
    let image = DynamicImage::ImageRgba16(image::ImageBuffer::from_pixel(20, 10, image::Rgba([60_000_u16; 4])));
    let images = [
        ("grey", DynamicImage::ImageLuma8(image.to_luma8())),
        ("rgb", DynamicImage::ImageRgb8(image.to_rgb8())),
        ("rgba", DynamicImage::ImageRgba8(image.to_rgba8())),
        ("rgb16", DynamicImage::ImageRgb16(image.to_rgb16())),
        ("rgba16", image),
    ];
    let formats = [ImageFormat::Tiff, ImageFormat::Bmp, ImageFormat::Tga, ImageFormat::WebP];
    let mut files = Vec::new();
    for (colors, image) in &images {
        for format in formats {
            let mut bytes = Cursor::new(Vec::new());
            // Most formats have no 16 bits per channel.
            if image.write_to(&mut bytes, format).is_ok() {
                files.push((format!("{colors}.{}", format.extensions_str()[0]), bytes.into_inner()));
            }
        }
    }
    assert!(files.len() > 12 && files.iter().any(|(name, _)| name == "rgba16.tiff"), "{}", files.len());
    files
}

fn is_decoded(image: &Image) -> bool {
    matches!(&image.source, ImageSource::Pixels(pixels) if [pixels.width, pixels.height] == [20, 10])
}

#[test]
fn every_reader_decodes_them() {
    for (name, file) in files() {
        let found = |asked: &str| (asked == name).then(|| file.clone());
        let json = format!(r#"{{"asset":{{"version":"2.0"}},"images":[{{"uri":"{name}"}}]}}"#);
        let read = gltf::to_scene(json.as_bytes(), &found, &gltf::ImportOptions::default()).unwrap();
        assert!(read.scene.images.items().iter().all(is_decoded), "{name} of glTF: {:?}", read.losses);

        let library = format!("newmtl a\nmap_Kd {name}\n").into_bytes();
        let beside = |asked: &str| if asked == "a.mtl" { Some(library.clone()) } else { found(asked) };
        let text = b"mtllib a.mtl\nv 0 0 0\nv 1 0 0\nv 0 1 0\nusemtl a\nf 1 2 3\n";
        let read = obj::to_scene(text, &beside, &obj::ImportOptions::default()).unwrap();
        assert!(read.scene.images.items().iter().all(is_decoded), "{name} of OBJ: {:?}", read.losses);
    }
}

//! Materials, settings of images and search paths.

use mapwright_keyvalues::vmat::{AlphaMode, ParameterValue, Role, Source, UvTransform, Vmat};
use mapwright_keyvalues::{GameInfo, ReadErrorKind, TextureSettings};

fn material(keys: &str) -> Vmat {
    Vmat::from_bytes(format!("// THIS FILE IS AUTO-GENERATED\n\nLayer0\n{{\n{keys}\n}}").as_bytes()).unwrap()
}

fn key(material: &Vmat, role: Role) -> Option<&str> {
    material.input(role).map(|input| input.key)
}

#[test]
fn shader_names_are_normalized() {
    for (shader, name, is_known) in [
        ("vr_complex.vfx", "vr_complex", true),
        ("shaders/Complex.shader_c", "complex", true),
        ("a\\b.shader", "b", false),
        ("csgo_environment_blend.vfx", "csgo_environment_blend", true),
        ("plain", "plain", false),
    ] {
        let material = material(&format!("\"Shader\" \"{shader}\""));
        assert_eq!((material.shader_name().as_deref(), material.is_known_shader()), (Some(name), is_known));
    }
    assert_eq!(material("F_SPECULAR 1").shader_name(), None);
}

#[test]
fn the_best_key_of_a_role_wins() {
    let both = material("TextureColorA \"b.tga\" texturecolor \"a.tga\"");
    assert_eq!(key(&both, Role::BaseColor), Some("texturecolor"));
    for (keys, expected) in [
        ("TextureColor1 a.tga TextureColorA b.tga", "TextureColor1"),
        ("TextureLayer1Color a.tga", "TextureLayer1Color"),
        ("Texture a.psd", "Texture"),
        ("SkyTexture a.pfm", "SkyTexture"),
        ("TextureDecalColor a.png", "TextureDecalColor"),
        ("BottomTextureColor a.png TopTextureColor b.png", "BottomTextureColor"),
        ("TopTextureColor a.png TextureColorB b.png Color c.png", "Color"),
        // Not an image, so that it has no part in the choice.
        ("TextureColor none TextureColor1 a.tga", "TextureColor1"),
    ] {
        assert_eq!(key(&material(keys), Role::BaseColor), Some(expected), "{keys}");
    }
    for (keys, role, expected) in [
        ("TextureNormal0 a.tga", Role::Normal, Some("TextureNormal0")),
        ("AO a.png", Role::Occlusion, Some("AO")),
        ("TextureEmissiveColor a.png", Role::Emission, Some("TextureEmissiveColor")),
        ("TextureBlendMaskB a.png", Role::BlendMask, Some("TextureBlendMaskB")),
        ("TextureReflectance a.png", Role::Specular, Some("TextureReflectance")),
        ("TextureColorB a.png", Role::SecondColor, Some("TextureColorB")),
        ("TextureTranslucency1 a.png", Role::Opacity, Some("TextureTranslucency1")),
        ("TextureHeight a.png", Role::Normal, None),
        ("TextureCubeMap materials/default/default_cube.pfm", Role::CubeMap, None),
    ] {
        assert_eq!(key(&material(keys), role), expected, "{keys}");
    }
    let glossy = material("TextureGlossiness a.tga");
    assert!(glossy.input(Role::Roughness).unwrap().is_inverted);
    let metal = material("g_flMetalness 0.25");
    assert_eq!(metal.input(Role::Metalness).unwrap().source, Source::Constant([0.25, 0.0, 0.0, 1.0]));
}

/// Source: the table of default textures.
#[test]
fn default_textures_are_the_published_constants() {
    for (name, color) in [
        ("default_ao.tga", [1.0; 3]),
        ("default_normal.tga", [0.5, 0.5, 1.0]),
        ("default.tga", [1.0; 3]),
        ("default_color.tga", [1.0; 3]),
        ("default_rough.tga", [0.5; 3]),
        ("default_metal.tga", [0.0; 3]),
        ("default_trans.tga", [1.0; 3]),
        ("default_blend.tga", [0.5; 3]),
        ("default_selfillum.tga", [0.0; 3]),
        ("default_bloom.tga", [0.0; 3]),
        ("default_refl.tga", [0.0; 3]),
        ("default_black_mask.tga", [0.0; 3]),
        ("default_detailmask.tga", [0.0; 3]),
    ] {
        let material = material(&format!("TextureColor \"materials/default/{name}\""));
        let [red, green, blue] = color;
        let source = material.input(Role::BaseColor).map(|input| input.source);
        assert_eq!(source, Some(Source::Constant([red, green, blue, 1.0])), "{name}");
    }
}

#[test]
fn features_decide_on_alpha_faces_and_emission() {
    assert_eq!(material("TextureTranslucency a.tga").alpha_mode(), AlphaMode::Opaque);
    assert_eq!(material("F_TRANSLUCENT 1 F_ALPHA_TEST 1").alpha_mode(), AlphaMode::Blend);
    assert_eq!(material("F_ALPHA_TEST 1").alpha_mode(), AlphaMode::Mask { cutoff: 0.5 });
    let mask = material("F_ALPHA_TEST 1 g_flAlphaTestReference \"0.250\"");
    assert_eq!(mask.alpha_mode(), AlphaMode::Mask { cutoff: 0.25 });
    assert!(material("f_render_backfaces 1").is_double_sided() && !material("F_RENDER_BACKFACES 0").is_double_sided());
    assert!(material("F_SELF_ILLUM 1").is_emissive() && !material("TextureSelfIllumMask a.tga").is_emissive());
}

#[test]
fn factors_and_texture_transforms_are_read() {
    let material = material(
        "g_vColorTint \"[1.0 0.5 0.25 0.0]\" g_vTexCoordScale \"[2.000 3.000]\" g_vTexCoordOffset \"[0.5 0]\"\n\
         g_flTexCoordRotation 90 g_flOpacityScale 0.5 g_vSelfIllumTint \"[1 0.5 0 0]\" g_flSelfIllumScale 2\n\
         g_flSelfIllumBrightness 1 SystemAttributes { WorldMappingWidth 64 WorldMappingHeight 32 }\n\
         DynamicParams { g_vColorTint \"float3(1,0,0)\" }",
    );
    assert_eq!((material.color_tint(), material.opacity_scale()), ([1.0, 0.5, 0.25], 0.5));
    assert_eq!(material.emission_tint(), [4.0, 2.0, 0.0]);
    let expected = UvTransform { scale: [2.0, 3.0], offset: [0.5, 0.0], rotation: 90.0, ..UvTransform::IDENTITY };
    assert_eq!((material.uv_transform(), material.world_mapping()), (expected, Some([64.0, 32.0])));
    let expression = &material.blocks[1].parameters[0];
    assert_eq!((&*expression.text, &expression.value), ("float3(1,0,0)", &ParameterValue::Text));
    let plain = Vmat::from_bytes(b"Layer0 { }").unwrap();
    assert_eq!((plain.uv_transform(), plain.world_mapping()), (UvTransform::IDENTITY, None));
}

#[test]
fn materials_in_kv3_have_the_same_keys() {
    let text = crate::support::text(
        "{ shader = \"complex.vfx\" F_TRANSLUCENT = true TextureColor = resource:\"a_color.vtex\" g_vColorTint = [ 1, 0.5, 0.0 ]\n\
         SystemAttributes = { WorldMappingWidth = 8 WorldMappingHeight = 4 } }",
    );
    let material = Vmat::from_bytes(&text).unwrap();
    assert_eq!(material.shader_name().as_deref(), Some("complex"));
    assert_eq!(material.input(Role::BaseColor).unwrap().source, Source::Image("a_color.vtex"));
    assert_eq!((material.alpha_mode(), material.color_tint()), (AlphaMode::Blend, [1.0, 0.5, 0.0]));
    assert_eq!(material.world_mapping(), Some([8.0, 4.0]));
}

#[test]
fn settings_of_images_are_read() {
    let settings = TextureSettings::from_bytes(
        b"\"settings\"\n{\n\t\"nocompress\" \"1\"\n\tnomip 0\n\tClampV 1\n\tbrightness \"-1.0\"\n\tbrightness_offset 1\n\tfoo bar\n}\n",
    )
    .unwrap();
    assert!(settings.is_uncompressed && !settings.has_no_mips && !settings.is_green_inverted);
    assert_eq!((settings.clamp, settings.apply(0.25), settings.apply(2.0)), ([false, true], 0.75, 0.0));
    assert_eq!(settings.others, [("foo".to_owned(), "bar".to_owned())]);
    assert!(!settings.keeps_samples());
    let empty = TextureSettings::from_bytes(b"\"settings\" { }").unwrap();
    assert_eq!(empty, TextureSettings::default());
    assert!(empty.keeps_samples());
    let normal = TextureSettings::from_bytes(b"settings { legacy_source1_inverted_normal 1 }").unwrap();
    assert!(normal.is_green_inverted && !normal.keeps_samples());
}

#[test]
fn search_paths_are_content_roots_in_order() {
    let game = GameInfo::from_bytes(
        b"\"GameInfo\" { game Alyx title \"Half-Life: Alyx\" GameData hlvr.fgd GameData base.fgd FileSystem { SearchPaths {\n\
          Game hlvr // first\n Game core\n Mod hlvr\n game hlvr\n AddonRoot hlvr_addons } } }",
    )
    .unwrap();
    assert_eq!((&*game.title, game.games()), ("Half-Life: Alyx", vec!["hlvr", "core"]));
    assert_eq!(
        (game.content_roots(), game.game_roots()[1].as_str()),
        (vec!["content/hlvr".to_owned(), "content/core".to_owned()], "game/core")
    );
    assert_eq!(game.game_data, ["hlvr.fgd", "base.fgd"]);
    let last = game.search_paths.last().unwrap();
    assert_eq!((game.search_paths.len(), &*last.kind, &*last.path), (5, "AddonRoot", "hlvr_addons"));
}

#[test]
fn other_texts_lack_the_block() {
    let missing = |kind: &ReadErrorKind| matches!(kind, ReadErrorKind::NoBlock { .. });
    assert!(missing(GameInfo::from_bytes(b"a { }").unwrap_err().kind()));
    assert!(missing(TextureSettings::from_bytes(b"settings 1").unwrap_err().kind()));
    assert!(missing(Vmat::from_bytes(b"a { }").unwrap_err().kind()));
}

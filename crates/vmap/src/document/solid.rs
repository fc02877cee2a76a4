//! Nodes with a mesh.

use mapwright_dmx::ElementRef;

use super::value::{Texts, node_view};

node_view! {
    /// A mesh, with what the compiler is to do with it. Overlays and tile meshes have all of this, too.
    MapMesh {
        /// Whether it casts no shadows (no). A truth up to format 30, a number from 35 on.
        disable_shadows: bool = "disableShadows", false;
        /// Whether light is baked onto it (yes).
        bake_lighting: bool = "bakelighting", true;
        /// The cube map or light probe volume that it uses, by name (empty: the nearest).
        cube_map: &'a [u8] = "cubeMapName", b"";
        /// Whether self-illuminated materials emit light in the bake (no). Format 35 on.
        emissive_lighting: bool = "emissiveLightingEnabled", false;
        /// By how much (1).
        emissive_boost: f64 = "emissiveLightingBoost", 1.0;
        /// Whether it takes part in the bake but is not rendered (no). Format 35 on.
        lighting_dummy: bool = "lightingDummy", false;
        /// Whether the visibility computation leaves it out (no).
        vis_exclude: bool = "visexclude", false;
        /// Whether it is not merged with meshes of the same material (no). Format 35 on.
        disable_merging: bool = "disablemerging", false;
        /// Whether it is drawn with dynamic objects (no).
        render_with_dynamic: bool = "renderwithdynamic", false;
        /// Whether it appears in cube maps (yes).
        render_to_cube_maps: bool = "renderToCubemaps", true;
        /// Whether light probes are computed for it (yes).
        precompute_light_probes: bool = "precomputelightprobes", true;
        /// Whether no vertex may be optimised away (no). Format 40 on.
        keep_vertices: bool = "keep_vertices", false;
        /// Where fading begins, in units (−1: never).
        fade_min: f64 = "fademindist", -1.0;
        /// Where fading ends, in units (0).
        fade_max: f64 = "fademaxdist", 0.0;
        /// Whether the material's height map does not move vertices (no).
        disable_height_displacement: bool = "disableHeightDisplacement", false;
        /// The largest angle in degrees at which an edge without a flag is smooth (40).
        smoothing_angle: f64 = "smoothingAngle", 40.0;
        /// A colour that multiplies (255 255 255 255).
        tint_color: [u8; 4] = "tintColor", [255; 4];
        /// Opacity from 0 to 255 (255). Not in s&box.
        render_amount: i32 = "renderAmt", 255;
        /// `default`, `none`, `mesh`, `convex_single` or `convex_multi` (default).
        physics_type: &'a [u8] = "physicsType", b"default";
        /// The collision group (empty).
        physics_group: &'a [u8] = "physicsGroup", b"";
        /// Interaction layers that it is on besides (empty).
        physics_interacts_as: &'a [u8] = "physicsInteractsAs", b"";
        /// Interaction layers that it interacts with besides (empty).
        physics_interacts_with: &'a [u8] = "physicsInteractsWith", b"";
        /// Interaction layers that it does not interact with (empty).
        physics_interacts_exclude: &'a [u8] = "physicsInteractsExclude", b"";
        /// What s&box has in their place (empty): `solid`, `player_clip`.
        physics_tags: &'a [u8] = "physicsTags", b"";
        /// Whether the next value counts (no).
        physics_simplification: bool = "physicsSimplificationOverride", false;
        /// How far the simplified collision mesh may deviate (0).
        physics_simplification_error: f64 = "physicsSimplificationError", 0.0;
    }
}

impl<'a> MapMesh<'a> {
    /// The half-edge mesh, `CDmePolygonMesh`.
    pub fn data(self) -> Option<ElementRef<'a>> {
        self.0.child("meshData")
    }

    /// The materials of the mesh, by the index that its faces have.
    pub fn materials(self) -> Texts<'a> {
        Texts::of(self.data().unwrap_or(self.0), "materials")
    }
}

node_view! {
    /// A mesh that is projected onto others, as a decal.
    StaticOverlay {
        /// How far it is projected, in units (0).
        projection_far: f64 = "projectionFar", 0.0;
        /// The numbers of the nodes onto which it is projected (none).
        projection_targets: &'a [i32] = "projectionTargets", &[];
        /// Onto what it is projected (0). 0, 1 and 3 have been seen; what they mean is not known.
        projection_mode: i32 = "projectionMode", 0;
        /// Whether faces that look away are hit, too (no).
        project_on_back_faces: bool = "projectOnBackFaces", false;
        /// Which of several overlays is drawn later (0).
        render_order: i32 = "renderOrder", 0;
        /// Whether it is left out at low quality (no).
        disabled_in_low_quality: bool = "disabledInLowQuality", false;
    }
}

impl<'a> StaticOverlay<'a> {
    /// What it has as a mesh.
    pub fn mesh(self) -> MapMesh<'a> {
        MapMesh(self.0)
    }
}

node_view! {
    /// A mesh that tiles are laid on.
    TileMesh {
        /// A factor for the height of the tiles (1).
        height_scale: f64 = "tileHeightScale", 1.0;
    }
}

impl<'a> TileMesh<'a> {
    /// What it has as a mesh.
    pub fn mesh(self) -> MapMesh<'a> {
        MapMesh(self.0)
    }

    /// The maps with the tile sets.
    pub fn tile_sets(self) -> Texts<'a> {
        Texts::of(self.0, "tileSetMapNames")
    }

    /// Which tile lies on which face, `CDmeTileMesh`: one entry per face in `faceIds`, `tileSetAssignments` and
    /// `materialSetAssignments`, triples in `tileConfiguration`.
    pub fn tiles(self) -> Option<ElementRef<'a>> {
        self.0.child("tileMeshData")
    }
}

//! Nodes with a mesh.

use mapwright_dmx::ElementRef;

use super::value::{Texts, node_view};

node_view! {
    /// A mesh with settings for the compiler. Overlays and tile meshes have the same settings.
    MapMesh {
        /// `true` if the mesh casts no shadows. Default: `false`. A bool up to format 30, an integer since 35.
        disable_shadows: bool = "disableShadows", false;
        /// `true` if light is baked onto the mesh. Default: `true`.
        bake_lighting: bool = "bakelighting", true;
        /// Name of the cube map or light probe volume (empty: the nearest).
        cube_map: &'a [u8] = "cubeMapName", b"";
        /// `true` if self-illuminated materials emit light in the bake. Default: `true`. Since format 35; Hammer writes `true` for new meshes.
        emissive_lighting: bool = "emissiveLightingEnabled", true;
        /// Factor for the light that materials emit. Default: 1.
        emissive_boost: f64 = "emissiveLightingBoost", 1.0;
        /// `true` if the mesh takes part in the bake but is not rendered. Default: `false`. Since format 35.
        lighting_dummy: bool = "lightingDummy", false;
        /// `true` if the visibility computation ignores the mesh. Default: `false`.
        vis_exclude: bool = "visexclude", false;
        /// `true` if the mesh is not merged with others of the same material. Default: `false`. Since format 35.
        disable_merging: bool = "disablemerging", false;
        /// `true` if the mesh is drawn with dynamic objects. Default: `false`.
        render_with_dynamic: bool = "renderwithdynamic", false;
        /// `true` if the mesh appears in cube maps. Default: `true`.
        render_to_cube_maps: bool = "renderToCubemaps", true;
        /// `true` if light probes are computed for the mesh. Default: `true`.
        precompute_light_probes: bool = "precomputelightprobes", true;
        /// `true` if the compiler must keep all vertices. Default: `false`. Since format 40.
        keep_vertices: bool = "keep_vertices", false;
        /// Distance at which fading begins, in units (−1: never).
        fade_min: f64 = "fademindist", -1.0;
        /// Distance at which fading ends, in units. Default: 0.
        fade_max: f64 = "fademaxdist", 0.0;
        /// `true` if the height map of the material does not displace vertices. Default: `false`.
        disable_height_displacement: bool = "disableHeightDisplacement", false;
        /// Maximum angle in degrees at which an edge without a flag is smooth. Default: 40.
        smoothing_angle: f64 = "smoothingAngle", 40.0;
        /// Tint, multiplied with the colour. Default: 255 255 255 255.
        tint_color: [u8; 4] = "tintColor", [255; 4];
        /// Opacity from 0 to 255. Default: 255. Not in s&box.
        render_amount: i32 = "renderAmt", 255;
        /// Collision shape: `default`, `none`, `mesh`, `convex_single` or `convex_multi`. Default: `default`.
        physics_type: &'a [u8] = "physicsType", b"default";
        /// Entry of `collision_properties.txt`. Default: empty. Since format 40.
        physics_collision_property: &'a [u8] = "physicsCollisionProperty", b"";
        /// Collision group. Default: empty.
        physics_group: &'a [u8] = "physicsGroup", b"";
        /// Additional interaction layers of the mesh. Default: empty.
        physics_interacts_as: &'a [u8] = "physicsInteractsAs", b"";
        /// Additional interaction layers that the mesh interacts with. Default: empty.
        physics_interacts_with: &'a [u8] = "physicsInteractsWith", b"";
        /// Interaction layers that the mesh does not interact with. Default: empty.
        physics_interacts_exclude: &'a [u8] = "physicsInteractsExclude", b"";
        /// Tags that s&box has instead of groups and layers: `solid`, `player_clip`. Default: empty.
        physics_tags: &'a [u8] = "physicsTags", b"";
        /// `true` if [`physics_simplification_error`](MapMesh::physics_simplification_error) applies. Default: `false`.
        physics_simplification: bool = "physicsSimplificationOverride", false;
        /// Maximum deviation of the simplified collision mesh. Default: 0.
        physics_simplification_error: f64 = "physicsSimplificationError", 0.0;
    }
}

impl<'a> MapMesh<'a> {
    /// Returns the half-edge mesh, `CDmePolygonMesh`.
    pub fn data(self) -> Option<ElementRef<'a>> {
        self.0.child("meshData")
    }

    /// Returns the materials, which faces refer to by index.
    pub fn materials(self) -> Texts<'a> {
        Texts::new(self.data().unwrap_or(self.0), "materials")
    }
}

node_view! {
    /// A mesh that is projected onto others, such as a decal.
    StaticOverlay {
        /// Distance of the projection in units. Default: 0.
        projection_far: f64 = "projectionFar", 0.0;
        /// Numbers of the target nodes. Default: empty.
        projection_targets: &'a [i32] = "projectionTargets", &[];
        /// Kind of targets. Default: 0. Unknown. Observed values: 0, 1, 3.
        projection_mode: i32 = "projectionMode", 0;
        /// `true` if back faces are targets, too. Default: `false`.
        project_on_back_faces: bool = "projectOnBackFaces", false;
        /// Order of drawing among overlays. Default: 0.
        render_order: i32 = "renderOrder", 0;
        /// `true` if the overlay is not drawn at low quality. Default: `false`.
        disabled_in_low_quality: bool = "disabledInLowQuality", false;
    }
}

impl<'a> StaticOverlay<'a> {
    /// Returns the view as a mesh.
    pub fn mesh(self) -> MapMesh<'a> {
        MapMesh(self.0)
    }
}

node_view! {
    /// A mesh that is covered with tiles.
    TileMesh {
        /// Factor for the height of the tiles. Default: 1.
        height_scale: f64 = "tileHeightScale", 1.0;
    }
}

impl<'a> TileMesh<'a> {
    /// Returns the view as a mesh.
    pub fn mesh(self) -> MapMesh<'a> {
        MapMesh(self.0)
    }

    /// Returns the paths of the maps with the tile sets.
    pub fn tile_sets(self) -> Texts<'a> {
        Texts::new(self.0, "tileSetMapNames")
    }

    /// Returns the tile of each face, `CDmeTileMesh`: one entry per face in `faceIds`, `tileSetAssignments` and
    /// `materialSetAssignments`, triples in `tileConfiguration`.
    pub fn tiles(self) -> Option<ElementRef<'a>> {
        self.0.child("tileMeshData")
    }
}

//! Cables and paths.

use super::value::node_view;

node_view! {
    /// A cable along the path nodes below it.
    Cable {
        /// How it runs between its nodes (1).
        interpolation: i32 = "interpolationType", 1;
        /// The material, as `materials/cable/cable.vmat`.
        material: &'a [u8] = "materialName", b"";
        /// The name of the entity from whose place it takes its light (empty).
        lighting_origin: &'a [u8] = "lightingOriginName", b"";
        /// A colour that multiplies (255 255 255 255).
        tint_color: [u8; 4] = "tintColor", [255; 4];
        /// Corners of its section (8).
        sides: i32 = "numSides", 8;
        /// Units between two rings (1).
        tessellation_spacing: f64 = "tessellationSpacing", 1.0;
        /// Half of its thickness in units (1).
        radius: f64 = "radius", 1.0;
        /// How the texture lies on it (0).
        texture_orientation: i32 = "textureOrientation", 0;
        /// The scale of the texture (0.25).
        texture_scale: f64 = "textureScale", 0.25;
        /// How often the texture goes around (1).
        texture_repeats: f64 = "textureRepeatsCircumference", 1.0;
        /// The shift of the texture along the cable (0).
        texture_offset_along: f64 = "textureOffsetAlongPath", 0.0;
        /// The shift of the texture around the cable (0).
        texture_offset_around: f64 = "textureOffsetCircumference", 0.0;
        /// Whether one can run into it (no).
        collision: bool = "collisionEnabled", false;
        /// How far the simplified collision mesh may deviate (2).
        physics_simplification_error: f64 = "physicsSimplificationError", 2.0;
    }
}

impl<'a> Cable<'a> {
    /// The nodes that it runs through, in order.
    pub fn path_nodes(self) -> impl Iterator<Item = PathNode<'a>> {
        path_nodes(self.node())
    }
}

node_view! {
    /// A path along the path nodes below it. Trajectories have more attributes: see the [`element`](Path::element).
    Path {
        /// How it runs between its nodes (1).
        interpolation: i32 = "interpolationType", 1;
        /// Whether the last node leads to the first (no).
        closed: bool = "closedLoop", false;
        /// Units between points of the particle snapshot (0).
        particle_spacing: f64 = "particleSnapshotSpacing", 0.0;
    }
}

impl<'a> Path<'a> {
    /// The nodes that it runs through, in order.
    pub fn path_nodes(self) -> impl Iterator<Item = PathNode<'a>> {
        path_nodes(self.node())
    }
}

fn path_nodes(parent: super::Node<'_>) -> impl Iterator<Item = PathNode<'_>> {
    let is_path_node = |class: &[u8]| class == b"CMapPathNode" || class == b"CTrajectoryPathNode";
    parent.children().filter(move |node| is_path_node(node.class())).map(|node| PathNode(node.0))
}

node_view! {
    /// A point of a cable or path. Its position is that of the node, in the world.
    PathNode {
        /// The name (empty).
        path_node_name: &'a [u8] = "pathNodeName", b"";
        /// The tangent on the way in (0 0 0).
        in_tangent: [f32; 3] = "inTangent", [0.0; 3];
        /// The tangent on the way out (0 0 0).
        out_tangent: [f32; 3] = "outTangent", [0.0; 3];
        /// How the tangent on the way in is found (1).
        in_tangent_type: i32 = "inTangentType", 1;
        /// How the tangent on the way out is found (1).
        out_tangent_type: i32 = "outTangentType", 1;
        /// A colour that multiplies (255 255 255 255).
        tint_color: [u8; 4] = "tintColor", [255; 4];
        /// Whether the point does not move (yes).
        pinned: bool = "pinEnabled", true;
        /// A factor for the cable's radius (1).
        radius_scale: f64 = "radiusScale", 1.0;
    }
}

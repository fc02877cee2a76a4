//! Cables and paths.

use super::value::node_view;

node_view! {
    /// A cable along the path nodes below it.
    Cable {
        /// Kind of interpolation between nodes. Default: 1. The meaning of other values is unknown.
        interpolation: i32 = "interpolationType", 1;
        /// Path of the material, such as `materials/cable/cable.vmat`.
        material: &'a [u8] = "materialName", b"";
        /// Name of the entity at whose position light is sampled. Default: empty.
        lighting_origin: &'a [u8] = "lightingOriginName", b"";
        /// Tint, multiplied with the colour. Default: 255 255 255 255.
        tint_color: [u8; 4] = "tintColor", [255; 4];
        /// Number of vertices of its cross section. Default: 8.
        sides: i32 = "numSides", 8;
        /// Distance of two cross sections in units. Default: 1.
        tessellation_spacing: f64 = "tessellationSpacing", 1.0;
        /// Radius in units. Default: 1.
        radius: f64 = "radius", 1.0;
        /// Orientation of the texture. Default: 0. The meaning of other values is unknown.
        texture_orientation: i32 = "textureOrientation", 0;
        /// Scale of the texture. Default: 0.25.
        texture_scale: f64 = "textureScale", 0.25;
        /// Repeats of the texture around the cable. Default: 1.
        texture_repeats: f64 = "textureRepeatsCircumference", 1.0;
        /// Offset of the texture along the cable. Default: 0.
        texture_offset_along: f64 = "textureOffsetAlongPath", 0.0;
        /// Offset of the texture around the cable. Default: 0.
        texture_offset_around: f64 = "textureOffsetCircumference", 0.0;
        /// `true` if the cable has collision. Default: `false`.
        collision: bool = "collisionEnabled", false;
        /// Maximum deviation of the simplified collision mesh. Default: 2.
        physics_simplification_error: f64 = "physicsSimplificationError", 2.0;
    }
}

impl<'a> Cable<'a> {
    /// Returns the points in order.
    pub fn path_nodes(self) -> impl Iterator<Item = PathNode<'a>> {
        path_nodes(self.node())
    }
}

node_view! {
    /// A path along the path nodes below it. Trajectories have more attributes; see the [`element`](Path::element).
    Path {
        /// Kind of interpolation between nodes. Default: 1. The meaning of other values is unknown.
        interpolation: i32 = "interpolationType", 1;
        /// `true` if the last point connects to the first. Default: `false`.
        closed: bool = "closedLoop", false;
        /// Distance of points of the particle snapshot in units. Default: 0.
        particle_spacing: f64 = "particleSnapshotSpacing", 0.0;
    }
}

impl<'a> Path<'a> {
    /// Returns the points in order.
    pub fn path_nodes(self) -> impl Iterator<Item = PathNode<'a>> {
        path_nodes(self.node())
    }
}

fn path_nodes(parent: super::Node<'_>) -> impl Iterator<Item = PathNode<'_>> {
    let is_path_node = |class: &[u8]| class == b"CMapPathNode" || class == b"CTrajectoryPathNode";
    parent.children().filter(move |node| is_path_node(node.class())).map(|node| PathNode(node.0))
}

node_view! {
    /// A point of a cable or path. Its position is that of the node.
    PathNode {
        /// The name. Default: empty.
        path_node_name: &'a [u8] = "pathNodeName", b"";
        /// Incoming tangent. Default: 0 0 0.
        in_tangent: [f32; 3] = "inTangent", [0.0; 3];
        /// Outgoing tangent. Default: 0 0 0.
        out_tangent: [f32; 3] = "outTangent", [0.0; 3];
        /// Kind of the incoming tangent. Default: 1.
        in_tangent_type: i32 = "inTangentType", 1;
        /// Kind of the outgoing tangent. Default: 1.
        out_tangent_type: i32 = "outTangentType", 1;
        /// Tint, multiplied with the colour. Default: 255 255 255 255.
        tint_color: [u8; 4] = "tintColor", [255; 4];
        /// `true` if the point is fixed. Default: `true`.
        pinned: bool = "pinEnabled", true;
        /// Factor for the radius of the cable. Default: 1.
        radius_scale: f64 = "radiusScale", 1.0;
    }
}

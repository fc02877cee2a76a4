//! What attributes are called, and what they say as a rule.

use mapwright_dmx::{ElementRef, Value};

use crate::{Entity, Node};

/// Where a node stands, who it is and what is below it: never properties.
pub(super) const PLACE: [&str; 7] =
    ["origin", "angles", "scales", "nodeID", "referenceID", "children", "transformLocked"];

/// Attributes that are the content of a node, by what stands there.
pub(super) const ENTITY: [&str; 2] = ["entity_properties", "connectionsData"];
pub(super) const LIGHT: [&str; 1] = ["entity_properties"];
pub(super) const MESH: [&str; 2] = ["meshData", "smoothingAngle"];
pub(super) const INSTANCE: [&str; 1] = ["target"];
pub(super) const PREFAB: [&str; 4] = ["target", "targetMapPath", "variableOverrideNames", "variableOverrideValues"];
pub(super) const PATH: [&str; 1] = ["closedLoop"];
pub(super) const POINT: [&str; 2] = ["inTangent", "outTangent"];

/// Attributes of the root that are no properties of the scene: what it has fields for, what a new map has from its options, and what
/// is told as a loss.
pub(super) const ROOT: [&str; 10] = [
    "defaultcamera",
    "3dcameras",
    "world",
    "visbility",
    "visibility",
    "rootSelectionSet",
    "editorbuild",
    "editorversion",
    "nodeInstanceData",
    "m_ReferencedMeshSnapshots",
];

/// What an attribute of a node says as a rule.
enum Usual {
    /// 0, no, empty, nothing.
    Nothing,
    Yes,
    Number(f32),
    Text(&'static str),
    White,
    Up,
}

/// Attributes that nodes have as a rule, with what they say then. A scene does not mention them unless they say something else.
const USUAL: [(&str, Usual); 70] = {
    use Usual::{Nothing, Number, Text, Up, White, Yes};
    [
        ("editorOnly", Nothing),
        ("force_hidden", Nothing),
        ("variableTargetKeys", Nothing),
        ("variableNames", Nothing),
        ("customVisGroup", Nothing),
        ("randomSeed", Nothing),
        ("transformPin", Nothing),
        ("relayPlugData", Nothing),
        ("connectionsData", Nothing),
        ("entity_properties", Nothing),
        ("hitNormal", Up),
        ("isProceduralEntity", Nothing),
        ("cubeMapName", Nothing),
        ("lightGroup", Nothing),
        ("visexclude", Nothing),
        ("excludefromimpostors", Nothing),
        ("disablemerging", Nothing),
        ("renderwithdynamic", Nothing),
        ("disableHeightDisplacement", Nothing),
        ("fademindist", Number(-1.0)),
        ("fademaxdist", Nothing),
        ("bakelighting", Yes),
        ("bakelightoutput", Number(-1.0)),
        ("precomputelightprobes", Yes),
        ("renderToCubemaps", Yes),
        ("emissiveLightingEnabled", Yes),
        ("emissiveLightingBoost", Number(1.0)),
        ("disableShadows", Nothing),
        ("lightingDummy", Nothing),
        ("keep_vertices", Nothing),
        ("tintColor", White),
        ("renderAmt", Number(255.0)),
        ("physicsType", Text("default")),
        ("physicsGroup", Nothing),
        ("physicsInteractsAs", Nothing),
        ("physicsInteractsWith", Nothing),
        ("physicsInteractsExclude", Nothing),
        ("physicsCollisionProperty", Nothing),
        ("physicsTags", Text("solid")),
        ("physicsSimplificationOverride", Nothing),
        ("physicsSimplificationError", Nothing),
        ("useAsOccluder", Nothing),
        ("nextDecalID", Nothing),
        ("fixupEntityNames", Yes),
        ("mapUsageType", Text("standard")),
        ("backgroundMap", Nothing),
        ("baseMapToOverride", Nothing),
        ("targetName", Nothing),
        ("useTargetNameAsPrefix", Nothing),
        ("loadIfNested", Yes),
        ("loadAtRuntime", Nothing),
        ("prefabRuntimeEntity", Nothing),
        ("deformationMode", Nothing),
        ("interpolationType", Number(1.0)),
        ("m_GUID", Nothing),
        ("m_SerializedGameObject", Nothing),
        ("pathNodeName", Nothing),
        ("inTangentType", Number(1.0)),
        ("outTangentType", Number(1.0)),
        ("pinEnabled", Yes),
        ("radiusScale", Number(1.0)),
        ("isprefab", Nothing),
        ("showgrid", Yes),
        ("show3dgrid", Yes),
        ("gridspacing", Number(64.0)),
        ("snaprotationangle", Number(15.0)),
        ("itemFile", Nothing),
        ("m_bIsCordoning", Nothing),
        ("m_bCordonsVisible", Nothing),
        ("mapVariables", Nothing),
    ]
};

fn usual(name: &[u8]) -> Option<&'static Usual> {
    USUAL.iter().find(|(usual, _)| usual.as_bytes() == name).map(|(_, value)| value)
}

/// Whether an attribute says what it says as a rule.
pub(super) fn is_usual(element: ElementRef<'_>, name: &[u8], value: &Value) -> bool {
    let Some(usual) = usual(name) else { return false };
    match (usual, value) {
        (Usual::Nothing, value) => is_nothing(element, value),
        (Usual::Yes, Value::Bool(flag)) => *flag == 1,
        #[allow(clippy::cast_precision_loss)]
        (Usual::Number(number), Value::Int(value)) => *value as f32 == *number,
        (Usual::Number(number), Value::Float(value)) => value == number,
        (Usual::Text(text), Value::String(id)) => element.document().string(*id) == text.as_bytes(),
        (Usual::White, Value::Color(color)) => *color == [255; 4],
        (Usual::Up, Value::Vector3(vector)) => *vector == [0.0, 0.0, 1.0],
        _ => false,
    }
}

fn is_nothing(element: ElementRef<'_>, value: &Value) -> bool {
    match value {
        Value::Bool(0) | Value::Int(0) | Value::Element(mapwright_dmx::Reference::Null) => true,
        Value::Float(number) => number.to_bits() == 0,
        Value::String(id) => element.document().string(*id).is_empty(),
        // Lists of plugs, keys and variables, mostly empty.
        Value::Element(mapwright_dmx::Reference::Element(id)) => element.document().element(*id).is_some_and(|list| {
            ["DmePlugList", "EditGameClassProps", "CMapVariableSet"].iter().any(|class| list.is(class))
                && list.attributes().all(|(_, value)| value.array_len() == Some(0))
        }),
        value => value.array_len() == Some(0),
    }
}

/// What an attribute says as a rule, as its type says it; nothing for what is not known.
pub(super) fn usual_value(graph: &mut mapwright_dmx::Document, name: &str, like: &Value) -> Option<Value> {
    #[allow(clippy::cast_possible_truncation)]
    Some(match (usual(name.as_bytes())?, like) {
        (Usual::Yes, Value::Bool(_)) => Value::Bool(1),
        (Usual::Number(number), Value::Int(_)) => Value::Int(*number as i32),
        (Usual::Number(number), Value::Float(_)) => Value::Float(*number),
        (Usual::Text(text), Value::String(_)) => graph.string_value(text),
        (Usual::White, Value::Color(_)) => Value::Color([255; 4]),
        (Usual::Up, Value::Vector3(_)) => Value::Vector3([0.0, 0.0, 1.0]),
        (Usual::Nothing, Value::Bool(_)) => Value::Bool(0),
        (Usual::Nothing, Value::Int(_)) => Value::Int(0),
        (Usual::Nothing, Value::Float(_)) => Value::Float(0.0),
        (Usual::Nothing, Value::String(_)) => graph.string_value(""),
        (Usual::Nothing, Value::StringArray(_)) => Value::StringArray(Box::default()),
        (Usual::Nothing, Value::ElementArray(_)) => Value::ElementArray(Box::default()),
        _ => return None,
    })
}

/// The name of a node without one of its own: what it is called in the game, or what it is.
pub(super) fn fallback(node: ElementRef<'_>) -> &[u8] {
    let entity = Node(node).entity();
    let names = [entity.map(Entity::targetname), node.text("targetName"), entity.map(Entity::classname)];
    if let Some(name) = names.into_iter().flatten().find(|name| !name.is_empty()) {
        return name;
    }
    node.class().strip_prefix(b"CMap").unwrap_or(node.class())
}

/// The name of a node.
pub(super) fn name(node: ElementRef<'_>) -> &[u8] {
    if node.name().is_empty() { fallback(node) } else { node.name() }
}

/// How losses name a node: by its number.
pub(super) fn path(node: ElementRef<'_>) -> String {
    match node.get("nodeID") {
        Some(Value::Int(number)) => format!("nodes[{number}]"),
        _ => format!("elements[{}]", node.id().index()),
    }
}

/// The class that a path has below it for its points.
pub(super) fn is_path(class: &[u8]) -> bool {
    matches!(class, b"CMapPath" | b"CMapCable" | b"CTrajectoryPath")
}

pub(super) fn is_point(class: &[u8]) -> bool {
    matches!(class, b"CMapPathNode" | b"CTrajectoryPathNode")
}

/// The reference to a material without the parts that all have.
pub(super) fn material_name(reference: &str) -> &str {
    let name = reference.strip_prefix("materials/").unwrap_or(reference);
    name.strip_suffix(".vmat").unwrap_or(name)
}

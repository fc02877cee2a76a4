//! Default values of attributes, which scenes leave out.

use mapwright_dmx::{Document, ElementRef, Reference, Value};

/// The default value of an attribute.
enum DefaultValue {
    /// 0, `false`, an empty text, list or element, null.
    Nothing,
    True,
    Number(f32),
    Text(&'static str),
    White,
    Up,
}

/// Attributes of nodes with their default values. Scenes contain such an attribute only if it has another value.
const DEFAULTS: [(&str, DefaultValue); 70] = {
    use DefaultValue::{Nothing, Number, Text, True, Up, White};
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
        ("bakelighting", True),
        ("bakelightoutput", Number(-1.0)),
        ("precomputelightprobes", True),
        ("renderToCubemaps", True),
        ("emissiveLightingEnabled", True),
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
        ("fixupEntityNames", True),
        ("mapUsageType", Text("standard")),
        ("backgroundMap", Nothing),
        ("baseMapToOverride", Nothing),
        ("targetName", Nothing),
        ("useTargetNameAsPrefix", Nothing),
        ("loadIfNested", True),
        ("loadAtRuntime", Nothing),
        ("prefabRuntimeEntity", Nothing),
        ("deformationMode", Nothing),
        ("interpolationType", Number(1.0)),
        ("m_GUID", Nothing),
        ("m_SerializedGameObject", Nothing),
        ("pathNodeName", Nothing),
        ("inTangentType", Number(1.0)),
        ("outTangentType", Number(1.0)),
        ("pinEnabled", True),
        ("radiusScale", Number(1.0)),
        ("isprefab", Nothing),
        ("showgrid", True),
        ("show3dgrid", True),
        ("gridspacing", Number(64.0)),
        ("snaprotationangle", Number(15.0)),
        ("itemFile", Nothing),
        ("m_bIsCordoning", Nothing),
        ("m_bCordonsVisible", Nothing),
        ("mapVariables", Nothing),
    ]
};

fn default_of(name: &[u8]) -> Option<&'static DefaultValue> {
    DEFAULTS.iter().find(|(known, _)| known.as_bytes() == name).map(|(_, default)| default)
}

/// Returns `true` if an attribute has its default value.
pub(super) fn is_default(element: ElementRef<'_>, name: &[u8], value: &Value) -> bool {
    let Some(default) = default_of(name) else { return false };
    match (default, value) {
        (DefaultValue::Nothing, value) => is_empty_value(element, value),
        (DefaultValue::True, Value::Bool(flag)) => *flag == 1,
        #[allow(clippy::cast_precision_loss)]
        (DefaultValue::Number(number), Value::Int(value)) => *value as f32 == *number,
        (DefaultValue::Number(number), Value::Float(value)) => value == number,
        (DefaultValue::Text(text), Value::String(id)) => element.document().string(*id) == text.as_bytes(),
        (DefaultValue::White, Value::Color(color)) => *color == [255; 4],
        (DefaultValue::Up, Value::Vector3(vector)) => *vector == [0.0, 0.0, 1.0],
        _ => false,
    }
}

fn is_empty_value(element: ElementRef<'_>, value: &Value) -> bool {
    match value {
        Value::Bool(0) | Value::Int(0) | Value::Element(Reference::Null) => true,
        Value::Float(number) => number.to_bits() == 0,
        Value::String(id) => element.document().string(*id).is_empty(),
        // Lists of plugs, keys and variables are elements, and mostly empty.
        Value::Element(Reference::Element(id)) => element.document().element(*id).is_some_and(|list| {
            ["DmePlugList", "EditGameClassProps", "CMapVariableSet"].iter().any(|class| list.is(class))
                && list.attributes().all(|(_, value)| value.array_len() == Some(0))
        }),
        value => value.array_len() == Some(0),
    }
}

/// Returns the default value of an attribute in the type of another value; `None` if it is unknown.
pub(super) fn default_value(graph: &mut Document, name: &str, like: &Value) -> Option<Value> {
    #[allow(clippy::cast_possible_truncation)]
    Some(match (default_of(name.as_bytes())?, like) {
        (DefaultValue::True, Value::Bool(_)) => Value::Bool(1),
        (DefaultValue::Number(number), Value::Int(_)) => Value::Int(*number as i32),
        (DefaultValue::Number(number), Value::Float(_)) => Value::Float(*number),
        (DefaultValue::Text(text), Value::String(_)) => graph.string_value(text),
        (DefaultValue::White, Value::Color(_)) => Value::Color([255; 4]),
        (DefaultValue::Up, Value::Vector3(_)) => Value::Vector3([0.0, 0.0, 1.0]),
        (DefaultValue::Nothing, Value::Bool(_)) => Value::Bool(0),
        (DefaultValue::Nothing, Value::Int(_)) => Value::Int(0),
        (DefaultValue::Nothing, Value::Float(_)) => Value::Float(0.0),
        (DefaultValue::Nothing, Value::String(_)) => graph.string_value(""),
        (DefaultValue::Nothing, Value::StringArray(_)) => Value::StringArray(Box::default()),
        (DefaultValue::Nothing, Value::ElementArray(_)) => Value::ElementArray(Box::default()),
        _ => return None,
    })
}

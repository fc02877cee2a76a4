// The shaders of the 3D view.

/** Inputs and outputs of all vertex shaders that draw instances of meshes. */
const INSTANCE_ATTRIBUTES = `#version 300 es
precision highp float;
layout(location = 4) in mat4 modelMatrix;
layout(location = 8) in vec2 objectState; // index of the object plus one, or 0; 1 if it is highlighted
layout(location = 0) in vec3 position;
uniform mat4 viewProjection;
out vec3 worldPosition;
flat out vec2 state;
`;

const BODY_VERTEX_SHADER = `${INSTANCE_ATTRIBUTES}
layout(location = 1) in vec3 normal;
layout(location = 2) in vec2 uv;
layout(location = 3) in vec4 color;
out vec3 worldNormal;
out vec2 textureUv;
out vec4 vertexColor;
flat out float orientation; // -1 if the instance is mirrored
void main() {
  vec4 world = modelMatrix * vec4(position, 1.0);
  mat3 linear = mat3(modelMatrix);
  float volume = determinant(linear);
  // A flattened instance has no inverse, but its sides are still visible.
  worldNormal = volume == 0.0 ? linear * normal : transpose(inverse(linear)) * normal;
  orientation = volume < 0.0 ? -1.0 : 1.0;
  worldPosition = world.xyz;
  textureUv = uv;
  vertexColor = color;
  state = objectState;
  gl_Position = viewProjection * world;
}`;

/** Encodes the index of an object as a colour. */
const ENCODE_INDEX = `
vec4 encodeIndex(float n) {
  return vec4(mod(n, 256.0), mod(floor(n / 256.0), 256.0), floor(n / 65536.0), 255.0) / 255.0;
}`;

const BODY_FRAGMENT_SHADER = `#version 300 es
precision highp float;
in vec3 worldPosition;
in vec3 worldNormal;
in vec2 textureUv;
in vec4 vertexColor;
flat in vec2 state;
flat in float orientation;
uniform vec4 baseColor;
uniform sampler2D baseTexture;
uniform float alphaCutoff;   // minimum visible opacity
uniform float clipHeight;    // maximum visible height
uniform bool hideBackFaces;
uniform bool isPicking;      // draws indices of objects instead of colours
uniform vec3 lightDirection;
uniform vec2 terrainHeights; // lowest and highest, for colours by height; none if they are equal
out vec4 pixel;
${ENCODE_INDEX}
vec3 toLinear(vec3 color) { return pow(color, vec3(2.2)); }
void main() {
  bool isFront = gl_FrontFacing == (orientation > 0.0);
  if (worldPosition.y > clipHeight || (hideBackFaces && !isFront)) discard;
  vec4 color = baseColor * vertexColor * texture(baseTexture, textureUv);
  if (color.a < alphaCutoff) discard;
  if (isPicking) {
    pixel = encodeIndex(state.x);
    return;
  }
  if (terrainHeights.y > terrainHeights.x) {
    float up = clamp((worldPosition.y - terrainHeights.x) / (terrainHeights.y - terrainHeights.x), 0.0, 1.0);
    vec3 low = toLinear(vec3(0.48, 0.56, 0.36));
    vec3 middle = toLinear(vec3(0.66, 0.60, 0.44));
    vec3 high = toLinear(vec3(0.88, 0.87, 0.85));
    vec3 ground = up < 0.5 ? mix(low, middle, up * 2.0) : mix(middle, high, up * 2.0 - 1.0);
    color.rgb = mix(ground, color.rgb, 0.18);
  }
  vec3 normal = normalize(worldNormal + vec3(0.0, 1e-9, 0.0)) * (isFront ? 1.0 : -1.0);
  float light = 0.5 + 0.5 * dot(normal, lightDirection);
  vec3 shaded = color.rgb * (0.2 + 0.74 * light * light);
  if (state.y > 0.5) shaded = mix(shaded, vec3(1.0, 0.42, 0.02) * (0.3 + 0.7 * light), 0.6);
  pixel = vec4(pow(shaded, vec3(1.0 / 2.2)), color.a);
}`;

const LINE_VERTEX_SHADER = `${INSTANCE_ATTRIBUTES}
uniform float depthOffset;
void main() {
  vec4 world = modelMatrix * vec4(position, 1.0);
  worldPosition = world.xyz;
  state = objectState;
  gl_Position = viewProjection * world;
  gl_Position.z -= depthOffset * gl_Position.w;
}`;

const LINE_FRAGMENT_SHADER = `#version 300 es
precision highp float;
in vec3 worldPosition;
flat in vec2 state;
uniform vec4 baseColor;
uniform float clipHeight;
out vec4 pixel;
void main() {
  if (worldPosition.y > clipHeight) discard;
  pixel = state.y > 0.5 ? vec4(1.0, 0.55, 0.1, 1.0) : baseColor;
}`;

const MARKER_VERTEX_SHADER = `#version 300 es
precision highp float;
layout(location = 0) in vec3 position;
layout(location = 1) in vec3 color;
layout(location = 2) in vec2 objectState;
uniform mat4 viewProjection;
uniform float size;
out vec3 markerColor;
out float markerHeight;
flat out vec2 state;
void main() {
  markerColor = color;
  markerHeight = position.y;
  state = objectState;
  gl_Position = viewProjection * vec4(position, 1.0);
  gl_PointSize = state.y > 0.5 ? size * 1.5 : size;
}`;

const MARKER_FRAGMENT_SHADER = `#version 300 es
precision highp float;
in vec3 markerColor;
in float markerHeight;
flat in vec2 state;
uniform float clipHeight;
uniform bool isPicking;
out vec4 pixel;
${ENCODE_INDEX}
void main() {
  float radius = length(gl_PointCoord * 2.0 - 1.0);
  if (radius > 1.0 || markerHeight > clipHeight) discard;
  bool isSelected = state.y > 0.5;
  if (isPicking) pixel = encodeIndex(state.x);
  else if (radius > 0.72) pixel = vec4(isSelected ? vec3(1.0) : vec3(0.08), 1.0);
  else pixel = vec4(isSelected ? vec3(1.0, 0.55, 0.1) : markerColor, 1.0);
}`;

// The programs that draw the model.

/** What all of them share: where a copy stands, and the numbers that it has. */
const PLACED = `#version 300 es
precision highp float;
layout(location = 4) in mat4 copy;
layout(location = 8) in vec2 numbers; // of the thing, and whether it is selected
layout(location = 0) in vec3 position;
uniform mat4 view;
out vec3 world;
flat out vec2 own;
`;

const BODY_VERTICES = `${PLACED}
layout(location = 1) in vec3 normal;
layout(location = 2) in vec2 uv;
layout(location = 3) in vec4 color;
out vec3 facing;
out vec2 place;
out vec4 tint;
flat out float turned;
void main() {
  vec4 at = copy * vec4(position, 1.0);
  mat3 turn = mat3(copy);
  float volume = determinant(turn);
  // What has no volume has no inverse; its sides are seen all the same.
  facing = volume == 0.0 ? turn * normal : transpose(inverse(turn)) * normal;
  turned = volume < 0.0 ? -1.0 : 1.0;
  world = at.xyz;
  place = uv;
  tint = color;
  own = numbers;
  gl_Position = view * at;
}`;

const BODY_PIXELS = `#version 300 es
precision highp float;
in vec3 world;
in vec3 facing;
in vec2 place;
in vec4 tint;
flat in vec2 own;
flat in float turned;
uniform vec4 base;
uniform sampler2D picture;
uniform float cutoff;  // below this opacity nothing is seen
uniform float height;  // above this nothing is seen
uniform bool open;     // whether faces that are seen from behind are left out
uniform bool counting; // whether the number of the thing is asked for, not its colour
uniform vec3 light;
uniform vec2 land;     // the lowest and the highest of what is coloured by its height
out vec4 pixel;
vec3 toLinear(vec3 color) { return pow(color, vec3(2.2)); }
void main() {
  bool front = gl_FrontFacing == (turned > 0.0);
  if (world.y > height || (open && !front)) discard;
  vec4 color = base * tint * texture(picture, place);
  if (color.a < cutoff) discard;
  if (counting) {
    float n = own.x;
    pixel = vec4(mod(n, 256.0), mod(floor(n / 256.0), 256.0), floor(n / 65536.0), 255.0) / 255.0;
    return;
  }
  if (land.y > land.x) {
    float up = clamp((world.y - land.x) / (land.y - land.x), 0.0, 1.0);
    vec3 low = toLinear(vec3(0.48, 0.56, 0.36));
    vec3 middle = toLinear(vec3(0.66, 0.60, 0.44));
    vec3 high = toLinear(vec3(0.88, 0.87, 0.85));
    vec3 ground = up < 0.5 ? mix(low, middle, up * 2.0) : mix(middle, high, up * 2.0 - 1.0);
    color.rgb = mix(ground, color.rgb, 0.18);
  }
  vec3 side = normalize(facing + vec3(0.0, 1e-9, 0.0)) * (front ? 1.0 : -1.0);
  float lit = 0.5 + 0.5 * dot(side, light);
  vec3 seen = color.rgb * (0.2 + 0.74 * lit * lit);
  if (own.y > 0.5) seen = mix(seen, vec3(1.0, 0.42, 0.02) * (0.3 + 0.7 * lit), 0.6);
  pixel = vec4(pow(seen, vec3(1.0 / 2.2)), color.a);
}`;

const LINE_VERTICES = `${PLACED}
uniform float nearer;
void main() {
  vec4 at = copy * vec4(position, 1.0);
  world = at.xyz;
  own = numbers;
  gl_Position = view * at;
  gl_Position.z -= nearer * gl_Position.w;
}`;

const LINE_PIXELS = `#version 300 es
precision highp float;
in vec3 world;
flat in vec2 own;
uniform vec4 base;
uniform float height;
out vec4 pixel;
void main() {
  if (world.y > height) discard;
  pixel = own.y > 0.5 ? vec4(1.0, 0.55, 0.1, 1.0) : base;
}`;

const MARK_VERTICES = `#version 300 es
precision highp float;
layout(location = 0) in vec3 position;
layout(location = 1) in vec3 color;
layout(location = 2) in vec2 numbers;
uniform mat4 view;
uniform float size;
out vec3 tint;
out float up;
flat out vec2 own;
void main() {
  tint = color;
  own = numbers;
  up = position.y;
  gl_Position = view * vec4(position, 1.0);
  gl_PointSize = own.y > 0.5 ? size * 1.5 : size;
}`;

const MARK_PIXELS = `#version 300 es
precision highp float;
in vec3 tint;
in float up;
flat in vec2 own;
uniform float height;
uniform bool counting;
out vec4 pixel;
void main() {
  float away = length(gl_PointCoord * 2.0 - 1.0);
  if (away > 1.0 || up > height) discard;
  float n = own.x;
  if (counting) pixel = vec4(mod(n, 256.0), mod(floor(n / 256.0), 256.0), floor(n / 65536.0), 255.0) / 255.0;
  else if (away > 0.72) pixel = vec4(own.y > 0.5 ? vec3(1.0) : vec3(0.08), 1.0);
  else pixel = vec4(own.y > 0.5 ? vec3(1.0, 0.55, 0.1) : tint, 1.0);
}`;

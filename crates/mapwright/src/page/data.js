// The data of the page, and helpers. All texts come from the file, so they are inserted as text, never as HTML.

const $ = (id) => document.getElementById(id);
const DATA = JSON.parse($("data").textContent);

/** Creates an element that contains texts and elements. */
function element(name, attributes, ...content) {
  const created = document.createElement(name);
  for (const [key, value] of Object.entries(attributes)) created.setAttribute(key, value);
  created.append(...content);
  return created;
}

// Generated colours. They equal the colours of rendered images, so a class or a material looks the same in both.

function hash(text) {
  let hash = 0x811c9dc5;
  for (const byte of new TextEncoder().encode(text)) hash = Math.imul(hash ^ byte, 0x01000193);
  hash = (hash + 0x9e3779b9) | 0;
  hash = Math.imul(hash ^ (hash >>> 16), 0x85ebca6b);
  hash = Math.imul(hash ^ (hash >>> 13), 0xc2b2ae35);
  return (hash ^ (hash >>> 16)) >>> 0;
}

function colorFromHue(hue, brightness, saturation) {
  const step = hue % 256;
  const sectors = [
    [255, step, 0],
    [255 - step, 255, 0],
    [0, 255, step],
    [0, 255 - step, 255],
    [step, 0, 255],
    [255, 0, 255 - step],
  ];
  const pure = sectors[(hue >> 8) % 6];
  const luma = ([red, green, blue]) => Math.floor((red * 54 + green * 183 + blue * 19) / 256);
  const gray = luma(pure);
  const desaturated = pure.map((part) => Math.floor((part * saturation + gray * (255 - saturation)) / 255));
  const oldBrightness = Math.max(luma(desaturated), 1);
  return desaturated.map((part) => {
    const scaled = Math.floor((part * brightness) / oldBrightness);
    const spread = Math.min(brightness + Math.floor(Math.max(scaled - 255, 0) / 2), 255);
    return Math.min(Math.floor((Math.min(scaled, 255) * 3 + spread) / 4), 255);
  });
}

/** Returns the file name in a path, without its extension. */
const fileStem = (path) =>
  path
    .split(/[\\/]/)
    .pop()
    .replace(/\.[^.]*$/, "");

/** Converts only ASCII letters, as rendered images do. Otherwise their colours would differ. */
const asciiLowerCase = (text) => text.replace(/[A-Z]+/g, (letters) => letters.toLowerCase());

/** Returns the common name of the variants of a model: its file name up to the first digit. */
function modelFamily(model) {
  const name = fileStem(model);
  const digit = name.search(/[0-9]/);
  return asciiLowerCase((digit > 0 ? name.slice(0, digit) : name).replace(/[_\- ]+$/, ""));
}

function classColor(text) {
  const number = hash(text);
  return colorFromHue(number % 1536, 150 + ((number >>> 12) % 80), 230);
}

function materialColor(text) {
  const number = hash(asciiLowerCase(fileStem(text)));
  return colorFromHue(number % 1536, 150 + ((number >>> 12) % 60), 50 + ((number >>> 20) % 60));
}

const cssColor = ([red, green, blue]) => `rgb(${red}, ${green}, ${blue})`;

/** Kinds of objects that have a marker if they have no body. */
const MARKER_KINDS = new Set(["entity", "light", "sound", "camera", "marker", "prefab", "path", "instance"]);

const CLASSES = DATA.objects.classes.map((name) => ({ name, color: [0, 0, 0], count: 0, isVisible: true }));

const OBJECTS = (DATA.objects.rows || []).map((row, index) => {
  const [shape, classIndex, node, part, right, down, ...values] = row;
  const [kind, fields, isBody] = DATA.objects.shapes[shape];
  const objectClass = CLASSES[classIndex];
  if (objectClass.count === 0)
    objectClass.color = classColor(kind === "instance" ? modelFamily(objectClass.name) : objectClass.name);
  objectClass.count += 1;
  const get = (field) => values[fields.indexOf(field)];
  const name = get("name");
  return {
    index,
    kind,
    isBody,
    class: objectClass,
    node,
    part,
    right,
    down,
    fields,
    values,
    isHidden: get("visible") === "false",
    name: name === undefined ? "" : String(name),
  };
});

/** The selection, and the settings that apply to both views. */
const STATE = { selected: null, showHidden: false, showMarkers: true };

const isVisible = (object) => object.class.isVisible && (STATE.showHidden || !object.isHidden);

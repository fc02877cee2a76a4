// What the page is about: all of it comes from the file that was read, so it is put into the page as text alone.

const $ = (id) => document.getElementById(id);
const DATA = JSON.parse($("data").textContent);

/** An element with text and elements in it. */
function element(name, attributes, ...content) {
  const made = document.createElement(name);
  for (const [key, value] of Object.entries(attributes)) made.setAttribute(key, value);
  made.append(...content);
  return made;
}

// Colours that are made up, as those of pictures are: a class and a material have the same in all of them.

function hash(text) {
  let hash = 0x811c9dc5;
  for (const byte of new TextEncoder().encode(text)) hash = Math.imul(hash ^ byte, 0x01000193);
  hash = (hash + 0x9e3779b9) | 0;
  hash = Math.imul(hash ^ (hash >>> 16), 0x85ebca6b);
  hash = Math.imul(hash ^ (hash >>> 13), 0xc2b2ae35);
  return (hash ^ (hash >>> 16)) >>> 0;
}

function tone(hue, brightness, strength) {
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
  const weak = pure.map((part) => Math.floor((part * strength + gray * (255 - strength)) / 255));
  const bright = Math.max(luma(weak), 1);
  return weak.map((part) => {
    const scaled = Math.floor((part * brightness) / bright);
    const spread = Math.min(brightness + Math.floor(Math.max(scaled - 255, 0) / 2), 255);
    return Math.min(Math.floor((Math.min(scaled, 255) * 3 + spread) / 4), 255);
  });
}

/** The name of the file at the end of a path, without its extension. */
const stem = (path) =>
  path
    .split(/[\\/]/)
    .pop()
    .replace(/\.[^.]*$/, "");

/** In lower case as far as ASCII goes, as pictures have it: other letters stay, or colours would differ from theirs. */
const lowered = (text) => text.replace(/[A-Z]+/g, (letters) => letters.toLowerCase());

/** What variants of a model have in common: the name of its file up to the first digit. */
function family(model) {
  const name = stem(model);
  const digit = name.search(/[0-9]/);
  return lowered((digit > 0 ? name.slice(0, digit) : name).replace(/[_\- ]+$/, ""));
}

function classColor(text) {
  const number = hash(text);
  return tone(number % 1536, 150 + ((number >>> 12) % 80), 230);
}

function materialColor(text) {
  const number = hash(lowered(stem(text)));
  return tone(number % 1536, 150 + ((number >>> 12) % 60), 50 + ((number >>> 20) % 60));
}

const css = ([red, green, blue]) => `rgb(${red}, ${green}, ${blue})`;

/** Kinds of things that have a mark where they have no body. */
const MARKED = new Set(["entity", "light", "sound", "camera", "marker", "prefab", "path", "instance"]);

const CLASSES = DATA.objects.classes.map((name) => ({ name, color: [0, 0, 0], count: 0, shown: true }));

const THINGS = (DATA.objects.rows || []).map((row, number) => {
  const [shape, place, node, part, right, down, ...values] = row;
  const [kind, fields, isBody] = DATA.objects.shapes[shape];
  const own = CLASSES[place];
  if (own.count === 0) own.color = classColor(kind === "instance" ? family(own.name) : own.name);
  own.count += 1;
  const get = (field) => values[fields.indexOf(field)];
  const hidden = get("visible") === "false";
  const name = get("name");
  return {
    number,
    kind,
    isBody,
    class: own,
    node,
    part,
    right,
    down,
    fields,
    values,
    hidden,
    name: name === undefined ? "" : String(name),
  };
});

/** What is chosen, and what is to be seen. */
const STATE = { selected: null, hidden: false, marks: true };

const isShown = (thing) => thing.class.shown && (STATE.hidden || !thing.hidden);

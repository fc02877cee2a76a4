// The model: binary glTF, as far as mapwright writes it.

/** Matrices are columns of four, one after the other, as in glTF. */
function multiply(a, b) {
  const product = new Float64Array(16);
  for (let column = 0; column < 16; column += 4) {
    for (let row = 0; row < 4; row += 1) {
      let sum = 0;
      for (let k = 0; k < 4; k += 1) sum += a[k * 4 + row] * b[column + k];
      product[column + row] = sum;
    }
  }
  return product;
}

const IDENTITY = Float64Array.of(1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1);

function fromFactors([x, y, z], [i, j, k, w], [sx, sy, sz]) {
  return Float64Array.of(
    (1 - 2 * (j * j + k * k)) * sx,
    2 * (i * j + k * w) * sx,
    2 * (i * k - j * w) * sx,
    0,
    2 * (i * j - k * w) * sy,
    (1 - 2 * (i * i + k * k)) * sy,
    2 * (j * k + i * w) * sy,
    0,
    2 * (i * k + j * w) * sz,
    2 * (j * k - i * w) * sz,
    (1 - 2 * (i * i + j * j)) * sz,
    0,
    x,
    y,
    z,
    1,
  );
}

const transformPoint = (m, [x, y, z]) =>
  [0, 1, 2].map((row) => m[row] * x + m[row + 4] * y + m[row + 8] * z + m[row + 12]);

function fromBase64(text) {
  const binary = atob(text);
  const bytes = new Uint8Array(binary.length);
  for (let place = 0; place < binary.length; place += 1) bytes[place] = binary.charCodeAt(place);
  return bytes;
}

/**
 * The model in the page, or null if it has none: its JSON; `bytes` of a view and `column` of an accessor; for each mesh
 * its `copies`, each with a matrix and the thing that it is; of each node, what it is below.
 */
function readModel() {
  const text = $("model").textContent.trim();
  if (text === "") return null;
  const file = fromBase64(text);
  const words = new DataView(file.buffer);
  const length = words.getUint32(12, true);
  const json = JSON.parse(new TextDecoder().decode(file.subarray(20, 20 + length)));
  const start = 28 + length;
  const bytes = (view) => {
    const { byteOffset = 0, byteLength } = json.bufferViews[view];
    return file.subarray(start + byteOffset, start + byteOffset + byteLength);
  };
  /** The numbers of an accessor that has its view for itself. */
  const column = (number) => {
    const { bufferView, componentType, count, type } = json.accessors[number];
    const part = bytes(bufferView);
    const Numbers = { 5123: Uint16Array, 5125: Uint32Array, 5126: Float32Array }[componentType];
    return new Numbers(part.buffer, part.byteOffset, count * { SCALAR: 1, VEC2: 2, VEC3: 3, VEC4: 4 }[type]);
  };
  const model = { json, bytes, column, copies: (json.meshes || []).map(() => []), parents: [] };
  placeNodes(model);
  return model;
}

/** Goes down from the roots: where nodes stand, and what of which thing they show. */
function placeNodes(model) {
  const { json } = model;
  const nodes = json.nodes || [];
  const own = new Map();
  const instances = new Map();
  for (const thing of THINGS) {
    if (thing.kind === "instance" && isSet(nodes, thing.node)) {
      const parts = instances.get(thing.node) || instances.set(thing.node, []).get(thing.node);
      (parts[thing.part] = parts[thing.part] || []).push(thing);
    } else own.set(thing.node, thing);
  }
  const isListed = DATA.objects.listed === DATA.objects.all;
  const waiting = (json.scenes?.[json.scene ?? 0]?.nodes || []).map((node) => [node, IDENTITY, null, null]);
  while (waiting.length > 0) {
    const [number, above, owner, parts] = waiting.pop();
    const node = nodes[number];
    const local =
      node.matrix || fromFactors(node.translation || [0, 0, 0], node.rotation || [0, 0, 0, 1], node.scale || [1, 1, 1]);
    const world = multiply(above, local);
    const thing = own.get(number) || owner;
    const groups = instances.get(number);
    const columns = node.extensions?.EXT_mesh_gpu_instancing?.attributes;
    if (node.mesh !== undefined && columns) {
      const group = parts || groups?.[0] || [];
      const count = json.accessors[columns.TRANSLATION].count;
      // Instances whose numbers are infinite are in the list, but not in the model: then nobody knows which is which.
      const known = group.length === count || !isListed;
      addInstances(
        model,
        node.mesh,
        world,
        columns,
        count,
        (place) => (known ? group[place] : undefined) || thing || null,
      );
    } else if (node.mesh !== undefined) model.copies[node.mesh].push({ matrix: world, thing: thing || null });
    const below = (node.children || []).filter((child) => child >= DATA.objects.nodes);
    for (const child of node.children || []) {
      model.parents[child] = number;
      const part = groups && below.length === groups.length ? groups[below.indexOf(child)] : null;
      waiting.push([child, world, child >= DATA.objects.nodes ? thing : null, part || null]);
    }
  }
}

/** Where a thing stands in the model, an instance too, whose node is that of its set; null if it is no place. */
function placeOf(thing) {
  const along = ["x", "y", "z"].map((field) => thing.values[thing.fields.indexOf(field)]);
  const at = [0, 1, 2].map((row) => DATA.objects.axes.reduce((sum, axis, k) => sum + axis[row] * along[k], 0));
  return at.every(Number.isFinite) ? at : null;
}

/** Whether a node shows a set of instances, itself or in parts. */
function isSet(nodes, number) {
  const has = (node) => node?.extensions?.EXT_mesh_gpu_instancing !== undefined;
  return (
    has(nodes[number]) ||
    (nodes[number]?.children || []).some((child) => child >= DATA.objects.nodes && has(nodes[child]))
  );
}

function addInstances(model, mesh, world, columns, count, thingAt) {
  const [places, turns, sizes] = [columns.TRANSLATION, columns.ROTATION, columns.SCALE].map(model.column);
  for (let place = 0; place < count; place += 1) {
    const three = (numbers) => numbers.subarray(place * 3, place * 3 + 3);
    const local = fromFactors(three(places), turns.subarray(place * 4, place * 4 + 4), three(sizes));
    model.copies[mesh].push({ matrix: multiply(world, local), thing: thingAt(place) });
  }
}

/** The box around some points and boxes. */
class Box {
  constructor() {
    this.low = [Infinity, Infinity, Infinity];
    this.high = [-Infinity, -Infinity, -Infinity];
  }

  add(point) {
    if (!point.every(Number.isFinite)) return;
    this.low = this.low.map((low, axis) => Math.min(low, point[axis]));
    this.high = this.high.map((high, axis) => Math.max(high, point[axis]));
  }

  get isEmpty() {
    return this.low[0] > this.high[0];
  }

  get middle() {
    return this.low.map((low, axis) => (low + this.high[axis]) / 2);
  }

  get corners() {
    const of = (bit, axis) => (bit ? this.high : this.low)[axis];
    return [0, 1, 2, 3, 4, 5, 6, 7].map((bits) => [of(bits & 1, 0), of(bits & 2, 1), of(bits & 4, 2)]);
  }

  get size() {
    return Math.hypot(...this.high.map((high, axis) => high - this.low[axis]));
  }
}

/** Where the things stand that `wanted` says yes to: their bodies, or their marks. */
function boundsOf(model, marks, wanted) {
  const box = new Box();
  model.copies.forEach((copies, mesh) => {
    const own = new Box();
    for (const { attributes } of model.json.meshes[mesh].primitives) {
      const { min, max } = model.json.accessors[attributes.POSITION];
      own.add(min);
      own.add(max);
    }
    if (own.isEmpty) return;
    const corners = own.corners;
    for (const { matrix, thing } of copies)
      if (wanted(thing)) for (const corner of corners) box.add(transformPoint(matrix, corner));
  });
  if (box.isEmpty) for (const { at, thing } of marks) if (wanted(thing)) box.add(at);
  return box;
}

/** Pairs of vertices: of all edges, or of those that only one triangle has, as borders and creases are written. */
function edgesOf(indices, all) {
  // Two numbers below 2 to the 26 fit one that counts exactly.
  const BASE = 2 ** 26;
  const keys = new Float64Array(indices.length);
  for (let place = 0; place < indices.length; place += 1) {
    const [a, b] = [indices[place], indices[place % 3 === 2 ? place - 2 : place + 1]];
    keys[place] = Math.min(a, b) * BASE + Math.max(a, b);
  }
  keys.sort();
  const ends = [];
  for (let place = 0; place < keys.length;) {
    let next = place + 1;
    while (next < keys.length && keys[next] === keys[place]) next += 1;
    if (all || next === place + 1) ends.push(Math.floor(keys[place] / BASE), keys[place] % BASE);
    place = next;
  }
  return Uint32Array.from(ends);
}

// Reads the model from binary glTF. Supports only the parts of the format that mapwright writes.

/** Multiplies two 4 × 4 matrices in column-major order, as in glTF. */
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

/** Returns the matrix of a translation, a rotation (a quaternion) and a scale. */
function composeMatrix([x, y, z], [i, j, k, w], [sx, sy, sz]) {
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

function decodeBase64(text) {
  const binary = atob(text);
  const bytes = new Uint8Array(binary.length);
  for (let index = 0; index < binary.length; index += 1) bytes[index] = binary.charCodeAt(index);
  return bytes;
}

/**
 * Reads the model of the page. Returns null if there is none.
 *
 * `instances` lists the world matrix and the object of each instance of each mesh. `parents` maps nodes to their parents.
 */
function readModel() {
  const text = $("model").textContent.trim();
  if (text === "") return null;
  const file = decodeBase64(text);
  const header = new DataView(file.buffer);
  const length = header.getUint32(12, true);
  const json = JSON.parse(new TextDecoder().decode(file.subarray(20, 20 + length)));
  const start = 28 + length;
  const readView = (view) => {
    const { byteOffset = 0, byteLength } = json.bufferViews[view];
    return file.subarray(start + byteOffset, start + byteOffset + byteLength);
  };
  /** Returns the numbers of an accessor that shares its view with no other. */
  const readAccessor = (accessor) => {
    const { bufferView, componentType, count, type } = json.accessors[accessor];
    const bytes = readView(bufferView);
    const Numbers = { 5123: Uint16Array, 5125: Uint32Array, 5126: Float32Array }[componentType];
    return new Numbers(bytes.buffer, bytes.byteOffset, count * { SCALAR: 1, VEC2: 2, VEC3: 3, VEC4: 4 }[type]);
  };
  const instances = (json.meshes || []).map(() => []);
  const model = { json, readView, readAccessor, instances, parents: [] };
  addNodes(model);
  return model;
}

/** Visits all nodes from the roots. Adds their parents, and the instances of meshes with their objects. */
function addNodes(model) {
  const { json } = model;
  const nodes = json.nodes || [];
  const objectOfNode = new Map();
  // For each node with a set of instances, the objects of each of its parts.
  const partsOfSet = new Map();
  for (const object of OBJECTS) {
    if (object.kind === "instance" && isInstanceSet(nodes, object.node)) {
      const parts = partsOfSet.get(object.node) || partsOfSet.set(object.node, []).get(object.node);
      (parts[object.part] = parts[object.part] || []).push(object);
    } else objectOfNode.set(object.node, object);
  }
  const isComplete = DATA.objects.listed === DATA.objects.total;
  const pending = (json.scenes?.[json.scene ?? 0]?.nodes || []).map((node) => [node, IDENTITY, null, null]);
  while (pending.length > 0) {
    const [number, parentMatrix, owner, part] = pending.pop();
    const node = nodes[number];
    const { translation = [0, 0, 0], rotation = [0, 0, 0, 1], scale = [1, 1, 1] } = node;
    const matrix = multiply(parentMatrix, node.matrix || composeMatrix(translation, rotation, scale));
    const object = objectOfNode.get(number) || owner;
    const parts = partsOfSet.get(number);
    const attributes = node.extensions?.EXT_mesh_gpu_instancing?.attributes;
    if (node.mesh !== undefined && attributes) {
      const objects = part || parts?.[0] || [];
      const { count } = json.accessors[attributes.TRANSLATION];
      // The list contains instances with infinite numbers, but the model does not. Then their order does not match.
      const isMatching = objects.length === count || !isComplete;
      const objectAt = (index) => (isMatching ? objects[index] : undefined) || object || null;
      addInstances(model, node.mesh, matrix, attributes, count, objectAt);
    } else if (node.mesh !== undefined) model.instances[node.mesh].push({ matrix, object: object || null });
    const children = node.children || [];
    // Nodes that are not in the scene are parts of their parent, and belong to its object.
    const partNodes = children.filter(isPartNode);
    for (const child of children) {
      model.parents[child] = number;
      const childPart = parts && partNodes.length === parts.length ? parts[partNodes.indexOf(child)] : null;
      pending.push([child, matrix, isPartNode(child) ? object : null, childPart || null]);
    }
  }
}

const isPartNode = (node) => node >= DATA.objects.nodes;

/** Returns true if a node or one of its parts shows a set of instances. */
function isInstanceSet(nodes, number) {
  const hasInstances = (node) => node?.extensions?.EXT_mesh_gpu_instancing !== undefined;
  const children = nodes[number]?.children || [];
  return hasInstances(nodes[number]) || children.some((child) => isPartNode(child) && hasInstances(nodes[child]));
}

/** Returns the position of an object in the model, or null. An instance of a set has a position of its own. */
function positionOf(object) {
  const inFile = ["x", "y", "z"].map((field) => object.values[object.fields.indexOf(field)]);
  const position = [0, 1, 2].map((row) => DATA.objects.axes.reduce((sum, axis, k) => sum + axis[row] * inFile[k], 0));
  return position.every(Number.isFinite) ? position : null;
}

function addInstances(model, mesh, parentMatrix, attributes, count, objectAt) {
  const { TRANSLATION, ROTATION, SCALE } = attributes;
  const [translations, rotations, scales] = [TRANSLATION, ROTATION, SCALE].map(model.readAccessor);
  for (let index = 0; index < count; index += 1) {
    const vector = (numbers) => numbers.subarray(index * 3, index * 3 + 3);
    const rotation = rotations.subarray(index * 4, index * 4 + 4);
    const local = composeMatrix(vector(translations), rotation, vector(scales));
    model.instances[mesh].push({ matrix: multiply(parentMatrix, local), object: objectAt(index) });
  }
}

/** An axis-aligned bounding box. */
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

  get center() {
    return this.low.map((low, axis) => (low + this.high[axis]) / 2);
  }

  get corners() {
    const end = (bit, axis) => (bit ? this.high : this.low)[axis];
    return [0, 1, 2, 3, 4, 5, 6, 7].map((bits) => [end(bits & 1, 0), end(bits & 2, 1), end(bits & 4, 2)]);
  }

  /** The length of the diagonal. */
  get size() {
    return Math.hypot(...this.high.map((high, axis) => high - this.low[axis]));
  }
}

/** Returns the bounds of the bodies whose objects `isIncluded` accepts, or of their markers if they have no bodies. */
function boundsOf(model, markers, isIncluded) {
  const bounds = new Box();
  model.instances.forEach((instances, mesh) => {
    const meshBounds = new Box();
    for (const { attributes } of model.json.meshes[mesh].primitives) {
      const { min, max } = model.json.accessors[attributes.POSITION];
      meshBounds.add(min);
      meshBounds.add(max);
    }
    if (meshBounds.isEmpty) return;
    const corners = meshBounds.corners;
    for (const { matrix, object } of instances)
      if (isIncluded(object)) for (const corner of corners) bounds.add(transformPoint(matrix, corner));
  });
  if (bounds.isEmpty) for (const { position, object } of markers) if (isIncluded(object)) bounds.add(position);
  return bounds;
}

/**
 * Returns the pairs of vertices of all edges, or of edges with only one triangle. The latter are borders and creases,
 * because triangles do not share vertices at creases.
 */
function findEdges(indices, isAll) {
  // A double represents the product of two indices below 2²⁶ exactly.
  const BASE = 2 ** 26;
  const keys = new Float64Array(indices.length);
  for (let index = 0; index < indices.length; index += 1) {
    const [a, b] = [indices[index], indices[index % 3 === 2 ? index - 2 : index + 1]];
    keys[index] = Math.min(a, b) * BASE + Math.max(a, b);
  }
  keys.sort();
  const pairs = [];
  for (let index = 0; index < keys.length;) {
    let next = index + 1;
    while (next < keys.length && keys[next] === keys[index]) next += 1;
    if (isAll || next === index + 1) pairs.push(Math.floor(keys[index] / BASE), keys[index] % BASE);
    index = next;
  }
  return Uint32Array.from(pairs);
}

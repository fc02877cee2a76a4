// The model on the graphics card: vertices, instances, textures.

/** Floats for each instance: its matrix, the index of its object plus one, and 1 if it is highlighted. */
const INSTANCE_FLOATS = 18;

class GpuModel {
  constructor(gl, model) {
    [this.gl, this.model] = [gl, model];
    this.buffers = new Map();
    this.triangles = 0;
    this.white = this.createTexture();
    this.textures = (model.json.textures || []).map(() => this.white);
    this.meshes = (model.json.meshes || []).map((mesh, index) => this.createMesh(mesh, model.instances[index]));
  }

  /** Creates and binds a texture of one white pixel. */
  createTexture() {
    const { gl } = this;
    const texture = gl.createTexture();
    const white = Uint8Array.of(255, 255, 255, 255);
    gl.bindTexture(gl.TEXTURE_2D, texture);
    gl.texImage2D(gl.TEXTURE_2D, 0, gl.SRGB8_ALPHA8, 1, 1, 0, gl.RGBA, gl.UNSIGNED_BYTE, white);
    return texture;
  }

  /** Loads the texture images of the model. Textures whose image cannot be decoded stay white. */
  async loadTextures() {
    const { gl, model } = this;
    const { images = [], samplers = [], textures = [] } = model.json;
    const maxSize = gl.getParameter(gl.MAX_TEXTURE_SIZE);
    await Promise.all(
      textures.map(async ({ source, sampler }, index) => {
        const image = images[source];
        if (image?.bufferView === undefined) return;
        const blob = new Blob([model.readView(image.bufferView)], { type: image.mimeType });
        const options = { premultiplyAlpha: "none", colorSpaceConversion: "none" };
        let bitmap = await createImageBitmap(blob, options).catch(() => null);
        if (!bitmap) return;
        const scale = maxSize / Math.max(bitmap.width, bitmap.height);
        if (scale < 1) {
          const [resizeWidth, resizeHeight] = [bitmap.width, bitmap.height].map((length) =>
            Math.max(1, Math.floor(length * scale)),
          );
          bitmap = await createImageBitmap(bitmap, { ...options, resizeWidth, resizeHeight });
        }
        this.textures[index] = this.createTexture();
        gl.texImage2D(gl.TEXTURE_2D, 0, gl.SRGB8_ALPHA8, gl.RGBA, gl.UNSIGNED_BYTE, bitmap);
        gl.generateMipmap(gl.TEXTURE_2D);
        const { wrapS = gl.REPEAT, wrapT = gl.REPEAT } = samplers[sampler] || {};
        gl.texParameteri(gl.TEXTURE_2D, gl.TEXTURE_WRAP_S, wrapS);
        gl.texParameteri(gl.TEXTURE_2D, gl.TEXTURE_WRAP_T, wrapT);
        gl.texParameteri(gl.TEXTURE_2D, gl.TEXTURE_MIN_FILTER, gl.LINEAR_MIPMAP_LINEAR);
      }),
    );
  }

  /** Returns the buffer for a view of the model, which is created only once. */
  bufferOf(view) {
    const { gl } = this;
    if (!this.buffers.has(view)) {
      const buffer = gl.createBuffer();
      gl.bindBuffer(gl.ARRAY_BUFFER, buffer);
      gl.bufferData(gl.ARRAY_BUFFER, this.model.readView(view), gl.STATIC_DRAW);
      this.buffers.set(view, buffer);
    }
    return this.buffers.get(view);
  }

  createMesh({ primitives }, instances) {
    const isTerrain = instances.some(({ object }) => object?.kind === "terrain");
    const mesh = { instances, visibleCount: 0, instanceBuffer: this.gl.createBuffer(), isTerrain };
    mesh.parts = instances.length === 0 ? [] : primitives.map((primitive) => this.createPart(primitive, mesh));
    return mesh;
  }

  createPart(primitive, mesh) {
    const { gl, model } = this;
    const indices = model.readAccessor(primitive.indices);
    const part = { indices, edges: {}, ...this.materialOf(primitive) };
    part.array = gl.createVertexArray();
    gl.bindVertexArray(part.array);
    const { attributes } = primitive;
    const names = ["POSITION", "NORMAL", `TEXCOORD_${part.uv}`, "COLOR_0"];
    names.forEach((name, location) => {
      if (attributes[name] === undefined) {
        // The default is white, for parts without vertex colours.
        gl.vertexAttrib4f(location, 1, 1, 1, 1);
        return;
      }
      const { bufferView, byteOffset = 0, type } = model.json.accessors[attributes[name]];
      gl.bindBuffer(gl.ARRAY_BUFFER, this.bufferOf(bufferView));
      gl.enableVertexAttribArray(location);
      gl.vertexAttribPointer(
        location,
        Number(type.slice(3)),
        gl.FLOAT,
        false,
        model.json.bufferViews[bufferView].byteStride || 0,
        byteOffset,
      );
    });
    gl.bindBuffer(gl.ARRAY_BUFFER, mesh.instanceBuffer);
    [4, 4, 4, 4, 2].forEach((size, column) => {
      gl.enableVertexAttribArray(4 + column);
      gl.vertexAttribPointer(4 + column, size, gl.FLOAT, false, INSTANCE_FLOATS * 4, column * 16);
      gl.vertexAttribDivisor(4 + column, 1);
    });
    part.triangles = this.createIndices(indices);
    gl.bindVertexArray(null);
    return part;
  }

  /** Creates an index buffer in the bound vertex array. */
  createIndices(indices) {
    const { gl } = this;
    const buffer = gl.createBuffer();
    gl.bindBuffer(gl.ELEMENT_ARRAY_BUFFER, buffer);
    gl.bufferData(gl.ELEMENT_ARRAY_BUFFER, indices, gl.STATIC_DRAW);
    const type = indices.BYTES_PER_ELEMENT === 2 ? gl.UNSIGNED_SHORT : gl.UNSIGNED_INT;
    return { buffer, count: indices.length, type };
  }

  /** Returns the index buffer for the edges of a part, whose vertex array must be bound. Creates it on first use. */
  edgesOf(part, isAll) {
    const key = isAll ? "all" : "hard";
    part.edges[key] ??= this.createIndices(findEdges(part.indices, isAll));
    return part.edges[key];
  }

  /** Returns the material of a part. If it has no colour, one is generated from its name. */
  materialOf(primitive) {
    const toLinear = (color) => color.map((part) => (part / 255) ** 2.2);
    const material = this.model.json.materials?.[primitive.material];
    if (!material) return { baseColor: [...toLinear([0xc4, 0xc6, 0xca]), 1], uv: 0, alphaCutoff: 0, isBlended: false };
    const { baseColorFactor, baseColorTexture } = material.pbrMetallicRoughness || {};
    const hasColor = baseColorFactor || baseColorTexture || material.extras?.mapwright?.classic;
    const generated = () => [...toLinear(materialColor(material.name || "")), 1];
    const color = hasColor ? baseColorFactor || [1, 1, 1, 1] : generated();
    const isBlended = material.alphaMode === "BLEND";
    return {
      baseColor: isBlended ? color : [...color.slice(0, 3), 1],
      uv: baseColorTexture?.texCoord || 0,
      texture: baseColorTexture?.index,
      alphaCutoff: material.alphaMode === "MASK" ? (material.alphaCutoff ?? 0.5) : 0,
      isBlended,
    };
  }

  /** Uploads the visible instances. `isHighlighted` is called with their objects. */
  update(isHighlighted) {
    const { gl } = this;
    this.triangles = 0;
    for (const mesh of this.meshes) {
      const visible = mesh.instances.filter(({ object }) => !object || isVisible(object));
      const floats = new Float32Array(visible.length * INSTANCE_FLOATS);
      visible.forEach(({ matrix, object }, index) => {
        const start = index * INSTANCE_FLOATS;
        floats.set(matrix, start);
        floats[start + 16] = object ? object.index + 1 : 0;
        floats[start + 17] = object && isHighlighted(object) ? 1 : 0;
      });
      gl.bindBuffer(gl.ARRAY_BUFFER, mesh.instanceBuffer);
      gl.bufferData(gl.ARRAY_BUFFER, floats, gl.DYNAMIC_DRAW);
      mesh.visibleCount = visible.length;
      for (const part of mesh.parts) this.triangles += (part.indices.length / 3) * visible.length;
    }
  }
}

// The model on the graphics card: vertices, copies, pictures.

/** Numbers of a copy: its matrix, its thing, and whether that is selected. */
const COPY = 18;

class Bodies {
  constructor(gl, model) {
    [this.gl, this.model] = [gl, model];
    this.buffers = new Map();
    this.triangles = 0;
    this.white = this.texture([255, 255, 255, 255]);
    this.textures = (model.json.textures || []).map(() => this.white);
    this.meshes = (model.json.meshes || []).map((mesh, number) => this.mesh(mesh, model.copies[number]));
  }

  /** A texture of one pixel, until there is more. */
  texture(pixel) {
    const { gl } = this;
    const made = gl.createTexture();
    gl.bindTexture(gl.TEXTURE_2D, made);
    gl.texImage2D(gl.TEXTURE_2D, 0, gl.SRGB8_ALPHA8, 1, 1, 0, gl.RGBA, gl.UNSIGNED_BYTE, Uint8Array.from(pixel));
    return made;
  }

  /** Puts the pictures of the model on the card; those that cannot be decoded stay white. */
  async loadTextures() {
    const { gl, model } = this;
    const { images = [], samplers = [], textures = [] } = model.json;
    const most = gl.getParameter(gl.MAX_TEXTURE_SIZE);
    await Promise.all(
      textures.map(async ({ source, sampler }, number) => {
        const image = images[source];
        if (image?.bufferView === undefined) return;
        const blob = new Blob([model.bytes(image.bufferView)], { type: image.mimeType });
        const options = { premultiplyAlpha: "none", colorSpaceConversion: "none" };
        let bitmap = await createImageBitmap(blob, options).catch(() => null);
        if (!bitmap) return;
        const scale = most / Math.max(bitmap.width, bitmap.height);
        if (scale < 1) {
          const [resizeWidth, resizeHeight] = [bitmap.width, bitmap.height].map((length) =>
            Math.max(1, Math.floor(length * scale)),
          );
          bitmap = await createImageBitmap(bitmap, { ...options, resizeWidth, resizeHeight });
        }
        this.textures[number] = this.texture([255, 255, 255, 255]);
        gl.texImage2D(gl.TEXTURE_2D, 0, gl.SRGB8_ALPHA8, gl.RGBA, gl.UNSIGNED_BYTE, bitmap);
        gl.generateMipmap(gl.TEXTURE_2D);
        const { wrapS = gl.REPEAT, wrapT = gl.REPEAT } = samplers[sampler] || {};
        gl.texParameteri(gl.TEXTURE_2D, gl.TEXTURE_WRAP_S, wrapS);
        gl.texParameteri(gl.TEXTURE_2D, gl.TEXTURE_WRAP_T, wrapT);
        gl.texParameteri(gl.TEXTURE_2D, gl.TEXTURE_MIN_FILTER, gl.LINEAR_MIPMAP_LINEAR);
      }),
    );
  }

  /** A view of the model as a buffer, made once. */
  buffer(view) {
    const { gl } = this;
    if (!this.buffers.has(view)) {
      const made = gl.createBuffer();
      gl.bindBuffer(gl.ARRAY_BUFFER, made);
      gl.bufferData(gl.ARRAY_BUFFER, this.model.bytes(view), gl.STATIC_DRAW);
      this.buffers.set(view, made);
    }
    return this.buffers.get(view);
  }

  mesh(mesh, copies) {
    const { gl } = this;
    const made = {
      copies,
      count: 0,
      buffer: gl.createBuffer(),
      isLand: copies.some(({ thing }) => thing?.kind === "terrain"),
    };
    made.parts = copies.length === 0 ? [] : mesh.primitives.map((primitive) => this.part(primitive, made));
    return made;
  }

  part(primitive, mesh) {
    const { gl, model } = this;
    const indices = model.column(primitive.indices);
    const part = { indices, mesh, edges: {}, ...this.look(primitive) };
    part.array = gl.createVertexArray();
    gl.bindVertexArray(part.array);
    const { attributes } = primitive;
    const names = ["POSITION", "NORMAL", `TEXCOORD_${part.uv}`, "COLOR_0"];
    names.forEach((name, location) => {
      if (attributes[name] === undefined) {
        // Without colours of its own, all of it is white.
        gl.vertexAttrib4f(location, 1, 1, 1, 1);
        return;
      }
      const { bufferView, byteOffset = 0, type } = model.json.accessors[attributes[name]];
      gl.bindBuffer(gl.ARRAY_BUFFER, this.buffer(bufferView));
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
    gl.bindBuffer(gl.ARRAY_BUFFER, mesh.buffer);
    [4, 4, 4, 4, 2].forEach((size, place) => {
      gl.enableVertexAttribArray(4 + place);
      gl.vertexAttribPointer(4 + place, size, gl.FLOAT, false, COPY * 4, place * 16);
      gl.vertexAttribDivisor(4 + place, 1);
    });
    part.surface = this.indices(indices);
    gl.bindVertexArray(null);
    return part;
  }

  /** Indices for the vertex array that is bound. */
  indices(numbers) {
    const { gl } = this;
    const buffer = gl.createBuffer();
    gl.bindBuffer(gl.ELEMENT_ARRAY_BUFFER, buffer);
    gl.bufferData(gl.ELEMENT_ARRAY_BUFFER, numbers, gl.STATIC_DRAW);
    return {
      buffer,
      count: numbers.length,
      type: numbers.BYTES_PER_ELEMENT === 2 ? gl.UNSIGNED_SHORT : gl.UNSIGNED_INT,
    };
  }

  /** Lines of a part, made when they are first wanted; its vertex array is bound. */
  lines(part, all) {
    const key = all ? "all" : "hard";
    part.edges[key] ??= this.indices(edgesOf(part.indices, all));
    return part.edges[key];
  }

  /** What a material looks like: one that says nothing of its colour has that of its name. */
  look(primitive) {
    const linear = ([red, green, blue]) => [red, green, blue].map((part) => (part / 255) ** 2.2);
    const material = this.model.json.materials?.[primitive.material];
    if (!material) return { base: [...linear([0xc4, 0xc6, 0xca]), 1], uv: 0, cutoff: 0, blend: false };
    const { baseColorFactor, baseColorTexture } = material.pbrMetallicRoughness || {};
    const isSaid = baseColorFactor || baseColorTexture || material.extras?.mapwright?.classic;
    const base = isSaid ? baseColorFactor || [1, 1, 1, 1] : [...linear(materialColor(material.name || "")), 1];
    const cutoff = material.alphaMode === "MASK" ? (material.alphaCutoff ?? 0.5) : 0;
    const blend = material.alphaMode === "BLEND";
    return {
      base: blend ? base : [...base.slice(0, 3), 1],
      uv: baseColorTexture?.texCoord || 0,
      texture: baseColorTexture?.index,
      cutoff,
      blend,
    };
  }

  /** Puts the copies that are shown on the card. `lit` says which are selected. */
  update(lit) {
    const { gl } = this;
    this.triangles = 0;
    for (const mesh of this.meshes) {
      const shown = mesh.copies.filter(({ thing }) => !thing || isShown(thing));
      const numbers = new Float32Array(shown.length * COPY);
      shown.forEach(({ matrix, thing }, place) => {
        numbers.set(matrix, place * COPY);
        numbers[place * COPY + 16] = thing ? thing.number + 1 : 0;
        numbers[place * COPY + 17] = thing && lit(thing) ? 1 : 0;
      });
      gl.bindBuffer(gl.ARRAY_BUFFER, mesh.buffer);
      gl.bufferData(gl.ARRAY_BUFFER, numbers, gl.DYNAMIC_DRAW);
      mesh.count = shown.length;
      for (const part of mesh.parts) this.triangles += (part.indices.length / 3) * shown.length;
    }
  }
}

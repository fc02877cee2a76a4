// The 3D view.

/** Models with more triangles show their edges only as a wireframe. */
const MAX_TRIANGLES_WITH_EDGES = 400000;

/** Starts the 3D view. Returns null if there is no model or no WebGL. */
function startModelView() {
  const canvas = $("model-view");
  const gl = canvas.getContext("webgl2", { antialias: true, alpha: false });
  const model = gl && readModel();
  if (!model) return null;
  const gpuModel = new GpuModel(gl, model);
  const bodyProgram = createProgram(gl, BODY_VERTEX_SHADER, BODY_FRAGMENT_SHADER);
  const lineProgram = createProgram(gl, LINE_VERTEX_SHADER, LINE_FRAGMENT_SHADER);
  const markerProgram = createProgram(gl, MARKER_VERTEX_SHADER, MARKER_FRAGMENT_SHADER);
  const camera = new Camera();
  // `clipHeight` is a part of the height of the scene, from 0 to 1.
  const settings = { wireframe: false, grid: true, seeThrough: false, clipHeight: 1 };
  const withBody = new Set(model.instances.flat().map(({ object }) => object));
  const markers = OBJECTS.filter((object) => MARKER_KINDS.has(object.kind) && !withBody.has(object))
    .map((object) => ({ object, position: positionOf(object) }))
    .filter(({ position }) => position);
  const markerArray = createVertexArray(gl, [3, 3, 2]);
  const gridArray = createVertexArray(gl, [3]);
  let [sceneBounds, visibleMarkers, gridVertices, gridStep] = [new Box(), 0, 0, 1];
  const pickBuffer = createPickBuffer(gl);
  const requestDraw = oncePerFrame(draw);
  const aspect = () => canvas.clientWidth / Math.max(canvas.clientHeight, 1);

  function upload(buffer, numbers) {
    gl.bindBuffer(gl.ARRAY_BUFFER, buffer);
    gl.bufferData(gl.ARRAY_BUFFER, Float32Array.from(numbers), gl.DYNAMIC_DRAW);
  }

  /** Applies changes of the selection and of the visibility of objects. */
  function update() {
    const { selected } = STATE;
    const isSelected = (object) => object === selected || isDescendant(object, selected);
    gpuModel.update((object) => object.kind !== "terrain" && isSelected(object));
    const visible = STATE.showMarkers ? markers.filter(({ object }) => isVisible(object)) : [];
    const vertices = visible.flatMap(({ object, position }) => {
      const color = object.class.color.map((part) => part / 255);
      return [...position, ...color, object.index + 1, object === selected ? 1 : 0];
    });
    upload(markerArray.buffer, vertices);
    visibleMarkers = visible.length;
    requestDraw();
  }

  /** Returns true if an object is below another one in the tree. */
  function isDescendant(object, ancestor) {
    for (let node = model.parents[object.node]; ancestor && node !== undefined; node = model.parents[node]) {
      if (node === ancestor.node && ancestor.kind !== "instance") return true;
    }
    return false;
  }

  function measureScene() {
    sceneBounds = boundsOf(model, markers, (object) => !object || !object.isHidden);
    if (sceneBounds.isEmpty) sceneBounds = boundsOf(model, markers, () => true);
    if (!sceneBounds.isEmpty) createGrid();
  }

  /** Creates a grid of about 16 cells along the longer side. The cell size is 1, 2 or 5 times a power of ten. */
  function createGrid() {
    const [[x0, y, z0], [x1, , z1]] = [sceneBounds.low, sceneBounds.high];
    const least = Math.max(x1 - x0, z1 - z0, 1e-3) / 16;
    const power = 10 ** Math.floor(Math.log10(least));
    gridStep = [1, 2, 5, 10].map((step) => step * power).find((step) => step >= least) || power * 10;
    const [first, last] = [(low) => Math.floor(low / gridStep), (high) => Math.ceil(high / gridStep)];
    const vertices = [];
    for (let x = first(x0); x <= last(x1); x += 1)
      vertices.push(x * gridStep, y, first(z0) * gridStep, x * gridStep, y, last(z1) * gridStep);
    for (let z = first(z0); z <= last(z1); z += 1)
      vertices.push(first(x0) * gridStep, y, z * gridStep, last(x1) * gridStep, y, z * gridStep);
    upload(gridArray.buffer, vertices);
    gridVertices = vertices.length / 3;
  }

  function clipHeight() {
    const [low, high] = [sceneBounds.low[1], sceneBounds.high[1]];
    return settings.clipHeight >= 1 ? 3e38 : low + (high - low) * settings.clipHeight;
  }

  /** Starts to draw with a program. Returns the locations of its uniforms. */
  function useProgram({ program, uniforms }, viewProjection) {
    gl.useProgram(program);
    gl.uniformMatrix4fv(uniforms.viewProjection, false, Float32Array.from(viewProjection));
    gl.uniform1f(uniforms.clipHeight, clipHeight());
    return uniforms;
  }

  /** Returns the range of heights with different colours. It begins at 0, which is usually the sea level. */
  function coloredHeights() {
    const [low, high] = [sceneBounds.low[1], sceneBounds.high[1]];
    return [high > 0 ? Math.max(low, 0) : low, high];
  }

  function drawBodies(viewProjection, isPicking, isBlended) {
    const uniforms = useProgram(bodyProgram, viewProjection);
    gl.uniform1i(uniforms.isPicking, isPicking ? 1 : 0);
    gl.uniform1i(uniforms.hideBackFaces, settings.seeThrough ? 1 : 0);
    const { right, up, back } = camera.axes;
    const light = normalize(up.map((part, axis) => part * 0.6 + back[axis] * 0.6 - right[axis] * 0.5));
    gl.uniform3fv(uniforms.lightDirection, light);
    for (const mesh of gpuModel.meshes) {
      for (const part of mesh.visibleCount > 0 ? mesh.parts : []) {
        if (part.isBlended !== isBlended) continue;
        const hasTexture = part.texture !== undefined;
        gl.bindVertexArray(part.array);
        gl.bindTexture(gl.TEXTURE_2D, hasTexture ? gpuModel.textures[part.texture] : gpuModel.white);
        gl.uniform4fv(uniforms.baseColor, part.baseColor);
        gl.uniform1f(uniforms.alphaCutoff, isPicking && isBlended ? 0.1 : part.alphaCutoff);
        const isColoredByHeight = mesh.isTerrain && !hasTexture && !part.isBlended;
        gl.uniform2f(uniforms.terrainHeights, ...(isColoredByHeight ? coloredHeights() : [0, 0]));
        drawInstances(gl.TRIANGLES, part.triangles, mesh);
      }
    }
  }

  function drawEdges(viewProjection, isAll, color) {
    const uniforms = useProgram(lineProgram, viewProjection);
    gl.uniform4fv(uniforms.baseColor, color);
    gl.uniform1f(uniforms.depthOffset, isAll ? 0 : 1e-4);
    for (const mesh of gpuModel.meshes) {
      for (const part of mesh.visibleCount > 0 && (isAll || !mesh.isTerrain) ? mesh.parts : []) {
        gl.bindVertexArray(part.array);
        drawInstances(gl.LINES, gpuModel.edgesOf(part, isAll), mesh);
      }
    }
  }

  function drawInstances(primitive, { buffer, count, type }, mesh) {
    gl.bindBuffer(gl.ELEMENT_ARRAY_BUFFER, buffer);
    gl.drawElementsInstanced(primitive, count, type, 0, mesh.visibleCount);
  }

  function drawMarkers(viewProjection, isPicking) {
    if (visibleMarkers === 0) return;
    const uniforms = useProgram(markerProgram, viewProjection);
    gl.uniform1i(uniforms.isPicking, isPicking ? 1 : 0);
    gl.uniform1f(uniforms.size, 11 * (canvas.width / Math.max(canvas.clientWidth, 1)));
    gl.bindVertexArray(markerArray.array);
    gl.drawArrays(gl.POINTS, 0, visibleMarkers);
  }

  function drawGrid(viewProjection, color) {
    const uniforms = useProgram(lineProgram, viewProjection);
    gl.uniform4fv(uniforms.baseColor, color);
    gl.uniform1f(uniforms.depthOffset, 0);
    gl.bindVertexArray(gridArray.array);
    // The grid is not instanced, so its matrix and state are constant.
    [
      [1, 0, 0, 0],
      [0, 1, 0, 0],
      [0, 0, 1, 0],
      [0, 0, 0, 1],
      [0, 0, 0, 0],
    ].forEach((values, column) => gl.vertexAttrib4f(4 + column, ...values));
    gl.drawArrays(gl.LINES, 0, gridVertices);
  }

  function draw() {
    if (canvas.hidden || gl.isContextLost()) return;
    fitCanvas(canvas);
    gl.bindFramebuffer(gl.FRAMEBUFFER, null);
    gl.viewport(0, 0, canvas.width, canvas.height);
    const style = getComputedStyle(document.documentElement);
    const [backdrop, grid, text] = ["--view", "--grid", "--text"].map((name) =>
      parseColor(style.getPropertyValue(name)),
    );
    gl.clearColor(...backdrop);
    gl.clear(gl.COLOR_BUFFER_BIT | gl.DEPTH_BUFFER_BIT);
    gl.enable(gl.DEPTH_TEST);
    const viewProjection = camera.matrix(aspect());
    if (!settings.wireframe) drawBodies(viewProjection, false, false);
    gl.enable(gl.BLEND);
    gl.blendFunc(gl.SRC_ALPHA, gl.ONE_MINUS_SRC_ALPHA);
    if (settings.wireframe) drawEdges(viewProjection, true, text);
    else if (gpuModel.triangles < MAX_TRIANGLES_WITH_EDGES) drawEdges(viewProjection, false, [0.04, 0.06, 0.09, 0.5]);
    if (settings.grid) drawGrid(viewProjection, grid);
    if (!settings.wireframe) {
      // Blended surfaces come last, and must not hide each other.
      gl.depthMask(false);
      drawBodies(viewProjection, false, true);
      gl.depthMask(true);
    }
    gl.disable(gl.BLEND);
    drawMarkers(viewProjection, false);
    const unit = DATA.metres ? "m" : gridStep === 1 ? "unit" : "units";
    const triangles = `${gpuModel.triangles.toLocaleString("en")} triangles`;
    const gridSize = `, grid of ${gridStep.toLocaleString("en")} ${unit}`;
    $("status").textContent = settings.grid ? triangles + gridSize : triangles;
  }

  /** Returns the object at a position on the canvas, or null. */
  function pickObject(x, y) {
    const ratio = canvas.width / Math.max(canvas.clientWidth, 1);
    const { width, height } = canvas;
    const viewProjection = camera.matrix(aspect(), { x: x * ratio, y: y * ratio, width, height });
    gl.bindFramebuffer(gl.FRAMEBUFFER, pickBuffer);
    gl.viewport(0, 0, 1, 1);
    gl.clearColor(0, 0, 0, 0);
    gl.clear(gl.COLOR_BUFFER_BIT | gl.DEPTH_BUFFER_BIT);
    drawBodies(viewProjection, true, false);
    drawBodies(viewProjection, true, true);
    drawMarkers(viewProjection, true);
    const pixel = new Uint8Array(4);
    gl.readPixels(0, 0, 1, 1, gl.RGBA, gl.UNSIGNED_BYTE, pixel);
    gl.bindFramebuffer(gl.FRAMEBUFFER, null);
    return OBJECTS[pixel[0] + pixel[1] * 256 + pixel[2] * 65536 - 1] || null;
  }

  /** Converts pixels to the unit of the camera: the height of the image. */
  const toHeights = (dx, dy) => [dx, dy].map((pixels) => pixels / Math.max(canvas.clientHeight, 1));
  /** Returns a function that also requests a new image. */
  const drawAfter =
    (action) =>
    (...values) => {
      action(...values);
      requestDraw();
    };
  let hoverTimer = 0;
  followPointers(canvas, {
    drag: drawAfter((dx, dy) => camera.rotate(...toHeights(dx * 4, dy * 4))),
    pan: drawAfter((dx, dy) => camera.pan(...toHeights(dx, dy))),
    zoom: drawAfter((factor, x, y) =>
      camera.zoom(factor, ...toHeights(canvas.clientWidth / 2 - x, canvas.clientHeight / 2 - y)),
    ),
    click: (x, y) => select(pickObject(x, y)),
    hover: (point) => {
      clearTimeout(hoverTimer);
      showHint(null);
      // Picking draws the whole scene, so wait until the pointer rests.
      if (point) hoverTimer = setTimeout(() => showHint(pickObject(...point), point), 90);
    },
  });
  canvas.addEventListener("webglcontextlost", (event) => event.preventDefault());
  canvas.addEventListener("webglcontextrestored", () => location.reload());
  matchMedia("(prefers-color-scheme: dark)").addEventListener("change", requestDraw);

  const rotate = (across, down) => drawAfter(() => camera.rotate(across, down));
  const pan = (across, down) => drawAfter(() => camera.pan(across, down));
  const zoom = (factor) => drawAfter(() => camera.zoom(factor, 0, 0));
  const keys = {
    ArrowLeft: rotate(0.12, 0),
    ArrowRight: rotate(-0.12, 0),
    ArrowUp: rotate(0, 0.12),
    ArrowDown: rotate(0, -0.12),
    "Shift+ArrowLeft": pan(0.08, 0),
    "Shift+ArrowRight": pan(-0.08, 0),
    "Shift+ArrowUp": pan(0, 0.08),
    "Shift+ArrowDown": pan(0, -0.08),
    "+": zoom(1.2),
    "-": zoom(1 / 1.2),
  };

  function showObject(object) {
    const box = boundsOf(model, markers, (other) => other === object || (other && isDescendant(other, object)));
    const marker = markers.find((marker) => marker.object === object);
    const position = marker?.position || (box.isEmpty ? positionOf(object) : null);
    if (position) {
      // A marker has no size, so show its surroundings.
      const margin = sceneBounds.size / 40;
      for (const offset of [-margin, margin]) box.add(position.map((part) => part + offset));
    }
    camera.fit(box, aspect());
    requestDraw();
  }

  measureScene();
  update();
  CHANGE_LISTENERS.push(update);
  const reset = drawAfter(() => camera.reset(sceneBounds, aspect()));
  return { canvas, reset, draw, requestDraw, keys, showObject, settings, gpuModel, markers: markers.length };
}

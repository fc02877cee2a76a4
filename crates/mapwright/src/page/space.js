// The view in space.

/** Models of more triangles show their edges only when they are asked for. */
const MOST_EDGED = 400000;

/** The view, or null where there is no model or no WebGL. */
function startSpace() {
  const canvas = $("space");
  const gl = canvas.getContext("webgl2", { antialias: true, alpha: false });
  const model = gl && readModel();
  if (!model) return null;
  const bodies = new Bodies(gl, model);
  const [body, line, mark] = [
    [BODY_VERTICES, BODY_PIXELS],
    [LINE_VERTICES, LINE_PIXELS],
    [MARK_VERTICES, MARK_PIXELS],
  ].map(([vertices, pixels]) => program(gl, vertices, pixels));
  const camera = new Camera();
  const settings = { wire: false, grid: true, open: false, cut: 1 };
  const withBody = new Set(model.copies.flat().map(({ thing }) => thing));
  const marks = THINGS.filter((thing) => MARKED.has(thing.kind) && !withBody.has(thing))
    .map((thing) => ({ thing, at: placeOf(thing) }))
    .filter(({ at }) => at);
  const markArray = pointArray(gl, [3, 3, 2]);
  const gridArray = pointArray(gl, [3]);
  let [whole, markCount, gridCount, gridStep] = [new Box(), 0, 0, 1];
  const spot = spotBuffer(gl);
  const ask = onceAFrame(draw);
  const aspect = () => canvas.clientWidth / Math.max(canvas.clientHeight, 1);

  function fill(buffer, numbers) {
    gl.bindBuffer(gl.ARRAY_BUFFER, buffer);
    gl.bufferData(gl.ARRAY_BUFFER, Float32Array.from(numbers), gl.DYNAMIC_DRAW);
  }

  /** After something was selected, shown or hidden. */
  function update() {
    const { selected } = STATE;
    const isLit = (thing) => thing.kind !== "terrain" && (thing === selected || isBelow(thing, selected));
    bodies.update(isLit);
    const shown = STATE.marks ? marks.filter(({ thing }) => isShown(thing)) : [];
    fill(
      markArray.buffer,
      shown.flatMap(({ thing, at }) => {
        return [...at, ...thing.class.color.map((part) => part / 255), thing.number + 1, thing === selected ? 1 : 0];
      }),
    );
    markCount = shown.length;
    ask();
  }

  /** Whether a thing is below another one in the tree. */
  function isBelow(thing, other) {
    for (let node = model.parents[thing.node]; other && node !== undefined; node = model.parents[node]) {
      if (node === other.node && other.kind !== "instance") return true;
    }
    return false;
  }

  function measure() {
    whole = boundsOf(model, marks, (thing) => !thing || !thing.hidden);
    if (whole.isEmpty) whole = boundsOf(model, marks, () => true);
    if (whole.isEmpty) return;
    // At most sixteen lines across; 1, 2 or 5, and as many zeros as it takes.
    const [[x0, y, z0], [x1, , z1]] = [whole.low, whole.high];
    const longest = Math.max(x1 - x0, z1 - z0, 1e-3);
    const zeros = 10 ** Math.floor(Math.log10(longest / 16));
    gridStep = [1, 2, 5, 10].map((step) => step * zeros).find((step) => step >= longest / 16) || zeros * 10;
    const [first, last] = [(from) => Math.floor(from / gridStep), (to) => Math.ceil(to / gridStep)];
    const rows = [];
    for (let x = first(x0); x <= last(x1); x += 1)
      rows.push(x * gridStep, y, first(z0) * gridStep, x * gridStep, y, last(z1) * gridStep);
    for (let z = first(z0); z <= last(z1); z += 1)
      rows.push(first(x0) * gridStep, y, z * gridStep, last(x1) * gridStep, y, z * gridStep);
    fill(gridArray.buffer, rows);
    gridCount = rows.length / 3;
  }

  const cutHeight = () => (settings.cut >= 1 ? 3e38 : whole.low[1] + (whole.high[1] - whole.low[1]) * settings.cut);

  function use({ made, uniforms }, view) {
    gl.useProgram(made);
    gl.uniformMatrix4fv(uniforms.view, false, Float32Array.from(view));
    gl.uniform1f(uniforms.height, cutHeight());
    return uniforms;
  }

  /** What is below the sea, which is at 0 mostly, has one colour. */
  function heightsOfLand() {
    const [low, high] = [whole.low[1], whole.high[1]];
    return [high > 0 ? Math.max(low, 0) : low, high];
  }

  function drawBodies(view, numbers, blend) {
    const uniforms = use(body, view);
    gl.uniform1i(uniforms.counting, numbers ? 1 : 0);
    gl.uniform1i(uniforms.open, settings.open ? 1 : 0);
    const { right, up, back } = camera.axes;
    gl.uniform3fv(uniforms.light, unit(up.map((part, axis) => part * 0.6 + back[axis] * 0.6 - right[axis] * 0.5)));
    for (const mesh of bodies.meshes) {
      for (const part of mesh.count > 0 ? mesh.parts : []) {
        if (part.blend !== blend) continue;
        gl.bindVertexArray(part.array);
        gl.bindTexture(gl.TEXTURE_2D, part.texture === undefined ? bodies.white : bodies.textures[part.texture]);
        gl.uniform4fv(uniforms.base, part.base);
        gl.uniform1f(uniforms.cutoff, numbers && blend ? 0.1 : part.cutoff);
        const isPlain = mesh.isLand && part.texture === undefined && !part.blend;
        gl.uniform2f(uniforms.land, ...(isPlain ? heightsOfLand() : [0, 0]));
        gl.bindBuffer(gl.ELEMENT_ARRAY_BUFFER, part.surface.buffer);
        gl.drawElementsInstanced(gl.TRIANGLES, part.surface.count, part.surface.type, 0, mesh.count);
      }
    }
  }

  function drawLines(view, all, color) {
    const uniforms = use(line, view);
    gl.uniform4fv(uniforms.base, color);
    gl.uniform1f(uniforms.nearer, all ? 0 : 1e-4);
    for (const mesh of bodies.meshes) {
      for (const part of mesh.count > 0 && (all || !mesh.isLand) ? mesh.parts : []) {
        gl.bindVertexArray(part.array);
        const { buffer, count, type } = bodies.lines(part, all);
        gl.bindBuffer(gl.ELEMENT_ARRAY_BUFFER, buffer);
        gl.drawElementsInstanced(gl.LINES, count, type, 0, mesh.count);
      }
    }
  }

  function drawMarks(view, numbers) {
    if (markCount === 0) return;
    const uniforms = use(mark, view);
    gl.uniform1i(uniforms.counting, numbers ? 1 : 0);
    gl.uniform1f(uniforms.size, 11 * (canvas.width / Math.max(canvas.clientWidth, 1)));
    gl.bindVertexArray(markArray.array);
    gl.drawArrays(gl.POINTS, 0, markCount);
  }

  function drawGrid(view, color) {
    const uniforms = use(line, view);
    gl.uniform4fv(uniforms.base, color);
    gl.uniform1f(uniforms.nearer, 0);
    gl.bindVertexArray(gridArray.array);
    // One copy, where it is.
    [
      [1, 0, 0, 0],
      [0, 1, 0, 0],
      [0, 0, 1, 0],
      [0, 0, 0, 1],
      [0, 0, 0, 0],
    ].forEach((column, place) => gl.vertexAttrib4f(4 + place, ...column));
    gl.drawArrays(gl.LINES, 0, gridCount);
  }

  function draw() {
    if (canvas.hidden || gl.isContextLost()) return;
    fitCanvas(canvas);
    gl.bindFramebuffer(gl.FRAMEBUFFER, null);
    gl.viewport(0, 0, canvas.width, canvas.height);
    const style = getComputedStyle(document.documentElement);
    const [stage, lines, text] = ["--stage", "--lines", "--text"].map((name) => rgba(style.getPropertyValue(name)));
    gl.clearColor(...stage);
    gl.clear(gl.COLOR_BUFFER_BIT | gl.DEPTH_BUFFER_BIT);
    gl.enable(gl.DEPTH_TEST);
    const view = camera.matrix(aspect());
    if (!settings.wire) drawBodies(view, false, false);
    gl.enable(gl.BLEND);
    gl.blendFunc(gl.SRC_ALPHA, gl.ONE_MINUS_SRC_ALPHA);
    if (settings.wire) drawLines(view, true, text);
    else if (bodies.triangles < MOST_EDGED) drawLines(view, false, [0.04, 0.06, 0.09, 0.5]);
    if (settings.grid) drawGrid(view, lines);
    if (!settings.wire) {
      gl.depthMask(false);
      drawBodies(view, false, true);
      gl.depthMask(true);
    }
    gl.disable(gl.BLEND);
    drawMarks(view, false);
    const unitName = DATA.metres ? "m" : gridStep === 1 ? "unit" : "units";
    const triangles = `${bodies.triangles.toLocaleString("en")} triangles`;
    $("status").textContent = settings.grid
      ? `${triangles}, grid of ${gridStep.toLocaleString("en")} ${unitName}`
      : triangles;
  }

  /** The thing at a place. */
  function thingAt(x, y) {
    const ratio = canvas.width / Math.max(canvas.clientWidth, 1);
    const view = camera.matrix(aspect(), { x: x * ratio, y: y * ratio, width: canvas.width, height: canvas.height });
    gl.bindFramebuffer(gl.FRAMEBUFFER, spot);
    gl.viewport(0, 0, 1, 1);
    gl.clearColor(0, 0, 0, 0);
    gl.clear(gl.COLOR_BUFFER_BIT | gl.DEPTH_BUFFER_BIT);
    drawBodies(view, true, false);
    drawBodies(view, true, true);
    drawMarks(view, true);
    const pixel = new Uint8Array(4);
    gl.readPixels(0, 0, 1, 1, gl.RGBA, gl.UNSIGNED_BYTE, pixel);
    gl.bindFramebuffer(gl.FRAMEBUFFER, null);
    return THINGS[pixel[0] + pixel[1] * 256 + pixel[2] * 65536 - 1] || null;
  }

  const heights = (dx, dy) => [dx, dy].map((pixels) => pixels / Math.max(canvas.clientHeight, 1));
  const then =
    (work) =>
    (...values) => {
      work(...values);
      ask();
    };
  let resting = 0;
  followPointers(canvas, {
    drag: then((dx, dy) => camera.turn(...heights(dx * 4, dy * 4))),
    pan: then((dx, dy) => camera.pan(...heights(dx, dy))),
    zoom: then((factor, x, y) =>
      camera.zoom(factor, ...heights(canvas.clientWidth / 2 - x, canvas.clientHeight / 2 - y)),
    ),
    click: (x, y) => select(thingAt(x, y)),
    hover: (point) => {
      clearTimeout(resting);
      showHint(null);
      // All is drawn once to see what is there: only when the pointer rests.
      if (point) resting = setTimeout(() => showHint(thingAt(...point), point), 90);
    },
  });
  canvas.addEventListener("webglcontextlost", (event) => event.preventDefault());
  canvas.addEventListener("webglcontextrestored", () => location.reload());
  matchMedia("(prefers-color-scheme: dark)").addEventListener("change", ask);

  const turn = (across, down) => then(() => camera.turn(across, down));
  const keys = {
    ArrowLeft: turn(0.12, 0),
    ArrowRight: turn(-0.12, 0),
    ArrowUp: turn(0, 0.12),
    ArrowDown: turn(0, -0.12),
    "Shift+ArrowLeft": then(() => camera.pan(0.08, 0)),
    "Shift+ArrowRight": then(() => camera.pan(-0.08, 0)),
    "Shift+ArrowUp": then(() => camera.pan(0, 0.08)),
    "Shift+ArrowDown": then(() => camera.pan(0, -0.08)),
    "+": then(() => camera.zoom(1.2, 0, 0)),
    "-": then(() => camera.zoom(1 / 1.2, 0, 0)),
  };

  function focus(thing) {
    const box = boundsOf(model, marks, (other) => other === thing || (other && isBelow(other, thing)));
    const at =
      marks.find((known) => known.thing === thing)?.at ||
      (box.isEmpty ? placeOf(thing) : null);
    if (at) {
      // A mark has no size: what is around it is seen.
      const around = whole.size / 40;
      for (const way of [-around, around]) box.add(at.map((part) => part + way));
    }
    camera.look(box, aspect());
    ask();
  }

  measure();
  update();
  LISTENERS.push(update);
  const reset = then(() => camera.fit(whole, aspect()));
  return {
    canvas,
    reset,
    draw,
    ask,
    keys,
    focus,
    settings,
    bodies,
    marks: marks.length,
  };
}

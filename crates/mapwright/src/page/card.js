// What the view in space asks of the graphics card.

/** A program, and where its uniforms are. */
function program(gl, vertices, pixels) {
  const made = gl.createProgram();
  for (const [kind, text] of [
    [gl.VERTEX_SHADER, vertices],
    [gl.FRAGMENT_SHADER, pixels],
  ]) {
    const shader = gl.createShader(kind);
    gl.shaderSource(shader, text);
    gl.compileShader(shader);
    gl.attachShader(made, shader);
    if (!gl.getShaderParameter(shader, gl.COMPILE_STATUS) && !gl.isContextLost())
      throw new Error(gl.getShaderInfoLog(shader));
  }
  gl.linkProgram(made);
  if (!gl.getProgramParameter(made, gl.LINK_STATUS) && !gl.isContextLost()) throw new Error(gl.getProgramInfoLog(made));
  const uniforms = {};
  for (let place = 0; place < gl.getProgramParameter(made, gl.ACTIVE_UNIFORMS); place += 1) {
    const { name } = gl.getActiveUniform(made, place);
    uniforms[name] = gl.getUniformLocation(made, name);
  }
  return { made, uniforms };
}

/** Floats of these sizes in rows, as a vertex array. */
function pointArray(gl, sizes) {
  const [array, buffer] = [gl.createVertexArray(), gl.createBuffer()];
  const stride = sizes.reduce((sum, size) => sum + size) * 4;
  gl.bindVertexArray(array);
  gl.bindBuffer(gl.ARRAY_BUFFER, buffer);
  let offset = 0;
  sizes.forEach((size, location) => {
    gl.enableVertexAttribArray(location);
    gl.vertexAttribPointer(location, size, gl.FLOAT, false, stride, offset);
    offset += size * 4;
  });
  gl.bindVertexArray(null);
  return { array, buffer };
}

/** One pixel to draw numbers of things into. */
function spotBuffer(gl) {
  const [frame, color, depth] = [gl.createFramebuffer(), gl.createRenderbuffer(), gl.createRenderbuffer()];
  gl.bindFramebuffer(gl.FRAMEBUFFER, frame);
  for (const [buffer, format, place] of [
    [color, gl.RGBA8, gl.COLOR_ATTACHMENT0],
    [depth, gl.DEPTH_COMPONENT24, gl.DEPTH_ATTACHMENT],
  ]) {
    gl.bindRenderbuffer(gl.RENDERBUFFER, buffer);
    gl.renderbufferStorage(gl.RENDERBUFFER, format, 1, 1);
    gl.framebufferRenderbuffer(gl.FRAMEBUFFER, place, gl.RENDERBUFFER, buffer);
  }
  gl.bindFramebuffer(gl.FRAMEBUFFER, null);
  return frame;
}

function unit(vector) {
  const length = Math.hypot(...vector) || 1;
  return vector.map((part) => part / length);
}

/** A colour of the style, as #rrggbb. */
function rgba(text) {
  const number = parseInt(text.trim().slice(1), 16);
  return [16, 8, 0].map((shift) => ((number >> shift) & 255) / 255).concat(1);
}

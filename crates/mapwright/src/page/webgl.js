// Helpers for WebGL.

/** Compiles a program. Returns it with the locations of its uniforms. */
function createProgram(gl, vertexShader, fragmentShader) {
  const program = gl.createProgram();
  for (const [kind, source] of [
    [gl.VERTEX_SHADER, vertexShader],
    [gl.FRAGMENT_SHADER, fragmentShader],
  ]) {
    const shader = gl.createShader(kind);
    gl.shaderSource(shader, source);
    gl.compileShader(shader);
    gl.attachShader(program, shader);
    if (!gl.getShaderParameter(shader, gl.COMPILE_STATUS) && !gl.isContextLost())
      throw new Error(gl.getShaderInfoLog(shader));
  }
  gl.linkProgram(program);
  if (!gl.getProgramParameter(program, gl.LINK_STATUS) && !gl.isContextLost())
    throw new Error(gl.getProgramInfoLog(program));
  const uniforms = {};
  for (let index = 0; index < gl.getProgramParameter(program, gl.ACTIVE_UNIFORMS); index += 1) {
    const { name } = gl.getActiveUniform(program, index);
    uniforms[name] = gl.getUniformLocation(program, name);
  }
  return { program, uniforms };
}

/** Creates a vertex array of interleaved floats. `sizes` are the numbers of components of its attributes. */
function createVertexArray(gl, sizes) {
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

/** Creates a framebuffer of one pixel, for the index of the object under the pointer. */
function createPickBuffer(gl) {
  const [framebuffer, color, depth] = [gl.createFramebuffer(), gl.createRenderbuffer(), gl.createRenderbuffer()];
  gl.bindFramebuffer(gl.FRAMEBUFFER, framebuffer);
  for (const [buffer, format, attachment] of [
    [color, gl.RGBA8, gl.COLOR_ATTACHMENT0],
    [depth, gl.DEPTH_COMPONENT24, gl.DEPTH_ATTACHMENT],
  ]) {
    gl.bindRenderbuffer(gl.RENDERBUFFER, buffer);
    gl.renderbufferStorage(gl.RENDERBUFFER, format, 1, 1);
    gl.framebufferRenderbuffer(gl.FRAMEBUFFER, attachment, gl.RENDERBUFFER, buffer);
  }
  gl.bindFramebuffer(gl.FRAMEBUFFER, null);
  return framebuffer;
}

function normalize(vector) {
  const length = Math.hypot(...vector) || 1;
  return vector.map((part) => part / length);
}

/** Converts a colour of the form #rrggbb to numbers from 0 to 1. */
function parseColor(text) {
  const number = parseInt(text.trim().slice(1), 16);
  return [16, 8, 0].map((shift) => ((number >> shift) & 255) / 255).concat(1);
}

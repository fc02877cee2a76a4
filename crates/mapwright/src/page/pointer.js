// Gestures of mouse, fingers and pen on a view.

/**
 * Calls `handlers.drag`, `pan`, `zoom`, `click` and `hover` with distances and positions in pixels. Calls `hover(null)`
 * when the pointer leaves or is pressed.
 */
function followPointers(canvas, handlers) {
  const pressed = new Map();
  let moved = 0;
  const pointerPosition = (event) => {
    const box = canvas.getBoundingClientRect();
    return [event.clientX - box.left, event.clientY - box.top];
  };

  canvas.addEventListener("pointerdown", (event) => {
    canvas.setPointerCapture(event.pointerId);
    canvas.focus({ preventScroll: true });
    if (pressed.size === 0) moved = 0;
    pressed.set(event.pointerId, pointerPosition(event));
    handlers.hover(null);
  });

  canvas.addEventListener("pointermove", (event) => {
    const last = pressed.get(event.pointerId);
    const [x, y] = pointerPosition(event);
    if (!last) {
      if (event.pointerType === "mouse") handlers.hover([x, y]);
      return;
    }
    const [dx, dy] = [x - last[0], y - last[1]];
    moved += Math.abs(dx) + Math.abs(dy);
    if (pressed.size === 1) {
      const isPan = event.shiftKey || event.ctrlKey || (event.buttons & 6) !== 0;
      (isPan ? handlers.pan : handlers.drag)(dx, dy);
    } else if (pressed.size === 2) {
      // The centre between two fingers pans, and their distance zooms.
      const other = [...pressed].find(([id]) => id !== event.pointerId)[1];
      const distance = ([a, b]) => Math.hypot(a - other[0], b - other[1]);
      handlers.pan(dx / 2, dy / 2);
      handlers.zoom(distance([x, y]) / Math.max(distance(last), 1), (x + other[0]) / 2, (y + other[1]) / 2);
    }
    pressed.set(event.pointerId, [x, y]);
  });

  const release = (event) => {
    const wasPressed = pressed.delete(event.pointerId);
    const isClick = pressed.size === 0 && moved < 5 && event.type === "pointerup" && event.button === 0;
    if (wasPressed && isClick) handlers.click(...pointerPosition(event));
  };
  canvas.addEventListener("pointerup", release);
  canvas.addEventListener("pointercancel", release);
  canvas.addEventListener("pointerleave", () => handlers.hover(null));
  canvas.addEventListener("contextmenu", (event) => event.preventDefault());
  canvas.addEventListener(
    "wheel",
    (event) => {
      event.preventDefault();
      // Some mice scroll by lines or pages.
      const pixels = event.deltaY * [1, 16, 400][event.deltaMode];
      handlers.zoom(Math.exp(-Math.max(-400, Math.min(400, pixels)) * 0.0016), ...pointerPosition(event));
    },
    { passive: false },
  );
}

/** Shows the name of an object next to the pointer. Hides it if the object is null. */
function showHint(object, point) {
  const hint = $("hint");
  hint.hidden = !object;
  if (!object) return;
  hint.textContent = object.name ? `${object.name} (${object.class.name})` : object.class.name || object.kind;
  const box = $("view").getBoundingClientRect();
  // Before the pointer if there is no space after it.
  const place = (at, size, available) => Math.max(4, at + 14 + size > available ? at - 14 - size : at + 14);
  hint.style.left = `${place(point[0], hint.offsetWidth, box.width)}px`;
  hint.style.top = `${place(point[1], hint.offsetHeight, box.height)}px`;
}

/** Gives a canvas the resolution of its size on the screen. Returns true if that changed it. */
function fitCanvas(canvas) {
  const ratio = Math.min(window.devicePixelRatio || 1, 2);
  const [width, height] = [canvas.clientWidth, canvas.clientHeight].map((length) =>
    Math.max(1, Math.round(length * ratio)),
  );
  if (canvas.width === width && canvas.height === height) return false;
  [canvas.width, canvas.height] = [width, height];
  return true;
}

/** Returns a function that requests a call of `draw` in the next frame. Several requests cause one call. */
function oncePerFrame(draw) {
  let isRequested = false;
  return () => {
    if (isRequested) return;
    isRequested = true;
    requestAnimationFrame(() => {
      isRequested = false;
      draw();
    });
  };
}

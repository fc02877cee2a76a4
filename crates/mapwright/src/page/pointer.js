// Mouse, fingers and pen on a view, as what they mean.

/** Calls `on.drag`, `on.pan`, `on.zoom`, `on.click` and `on.hover` with pixels; what is not there is not called. */
function followPointers(canvas, on) {
  const down = new Map();
  let moved = 0;
  const at = (event) => {
    const box = canvas.getBoundingClientRect();
    return [event.clientX - box.left, event.clientY - box.top];
  };

  canvas.addEventListener("pointerdown", (event) => {
    canvas.setPointerCapture(event.pointerId);
    canvas.focus({ preventScroll: true });
    if (down.size === 0) moved = 0;
    down.set(event.pointerId, at(event));
    on.hover(null);
  });

  canvas.addEventListener("pointermove", (event) => {
    const last = down.get(event.pointerId);
    const [x, y] = at(event);
    if (!last) {
      if (event.pointerType === "mouse") on.hover([x, y]);
      return;
    }
    const [dx, dy] = [x - last[0], y - last[1]];
    moved += Math.abs(dx) + Math.abs(dy);
    if (down.size === 1) {
      const pans = event.shiftKey || event.ctrlKey || (event.buttons & 6) !== 0;
      (pans ? on.pan : on.drag)(dx, dy);
    } else if (down.size === 2) {
      // Two fingers: their middle moves, and how far they are apart.
      const other = [...down].find(([id]) => id !== event.pointerId)[1];
      const apart = ([a, b]) => Math.hypot(a - other[0], b - other[1]);
      on.pan(dx / 2, dy / 2);
      on.zoom(apart([x, y]) / Math.max(apart(last), 1), (x + other[0]) / 2, (y + other[1]) / 2);
    }
    down.set(event.pointerId, [x, y]);
  });

  const up = (event) => {
    const was = down.delete(event.pointerId);
    if (was && down.size === 0 && moved < 5 && event.type === "pointerup" && event.button === 0) on.click(...at(event));
  };
  canvas.addEventListener("pointerup", up);
  canvas.addEventListener("pointercancel", up);
  canvas.addEventListener("pointerleave", () => on.hover(null));
  canvas.addEventListener("contextmenu", (event) => event.preventDefault());
  canvas.addEventListener(
    "wheel",
    (event) => {
      event.preventDefault();
      // Lines and pages of some mice, as pixels.
      const pixels = event.deltaY * [1, 16, 400][event.deltaMode];
      on.zoom(Math.exp(-Math.max(-400, Math.min(400, pixels)) * 0.0016), ...at(event));
    },
    { passive: false },
  );
}

/** Shows what is under the pointer, or nothing. */
function showHint(thing, point) {
  const hint = $("hint");
  hint.hidden = !thing;
  if (!thing) return;
  hint.textContent = thing.name ? `${thing.name} (${thing.class.name})` : thing.class.name || thing.kind;
  const box = $("view").getBoundingClientRect();
  const fits = (place, size, all) => Math.max(4, place + 14 + size > all ? place - 14 - size : place + 14);
  hint.style.left = `${fits(point[0], hint.offsetWidth, box.width)}px`;
  hint.style.top = `${fits(point[1], hint.offsetHeight, box.height)}px`;
}

/** Makes a canvas as large as it is shown; says whether it was not. */
function fitCanvas(canvas) {
  const ratio = Math.min(window.devicePixelRatio || 1, 2);
  const [width, height] = [canvas.clientWidth, canvas.clientHeight].map((length) =>
    Math.max(1, Math.round(length * ratio)),
  );
  if (canvas.width === width && canvas.height === height) return false;
  [canvas.width, canvas.height] = [width, height];
  return true;
}

/** A function that draws once for all that asks for it before the next frame. */
function onceAFrame(draw) {
  let asked = false;
  return () => {
    if (asked) return;
    asked = true;
    requestAnimationFrame(() => {
      asked = false;
      draw();
    });
  };
}

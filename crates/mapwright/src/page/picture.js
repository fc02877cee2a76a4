// The picture, to be moved and enlarged, with marks over it.

/** A mark is at most so many pixels away from the pointer that means it. */
const REACH = 9;
function startPicture() {
  const [canvas, image] = [$("flat"), $("picture")];
  const context = canvas.getContext("2d");
  // Instances that the picture shows as bodies need no mark.
  const marked = THINGS.filter(
    (thing) => MARKED.has(thing.kind) && thing.right !== null && (DATA.flat || !thing.isBody),
  );
  const place = { scale: 1, x: 0, y: 0, isWhole: true };
  /** What the buttons and the line below them take. */
  const [above, below] = [52, 44];

  const ask = onceAFrame(draw);
  const toView = (thing) => [place.x + thing.right * place.scale, place.y + thing.down * place.scale];

  function fit() {
    const [width, height] = [canvas.clientWidth, Math.max(canvas.clientHeight - above - below, 1)];
    place.scale = Math.min((width - 24) / image.naturalWidth, height / image.naturalHeight) || 1;
    place.x = (width - image.naturalWidth * place.scale) / 2;
    place.y = above + (height - image.naturalHeight * place.scale) / 2;
  }

  function reset() {
    place.isWhole = true;
    fit();
    ask();
  }

  function draw() {
    if (canvas.hidden) return;
    if (fitCanvas(canvas) && place.isWhole) fit();
    const ratio = canvas.width / Math.max(canvas.clientWidth, 1);
    context.setTransform(ratio, 0, 0, ratio, 0, 0);
    context.clearRect(0, 0, canvas.clientWidth, canvas.clientHeight);
    context.imageSmoothingEnabled = place.scale < 2;
    context.drawImage(image, place.x, place.y, image.naturalWidth * place.scale, image.naturalHeight * place.scale);
    const radius = markRadius();
    if (STATE.marks) for (const thing of marked) if (isShown(thing)) drawMark(thing, radius);
    const { selected } = STATE;
    if (selected && marked.includes(selected)) drawSelected(selected);
    const shown = place.scale * ratio;
    $("status").textContent = `${image.naturalWidth} × ${image.naturalHeight} pixels, at ${Math.round(shown * 100)} %`;
  }

  /** Marks are small where there are too many of them for the room that the picture has. */
  function markRadius() {
    const room = image.naturalWidth * image.naturalHeight * place.scale ** 2;
    return Math.max(1.25, Math.min(5.5, 0.25 * Math.sqrt(room / Math.max(marked.length, 1))));
  }

  function drawMark(thing, radius) {
    const [x, y] = toView(thing);
    if (x < -9 || y < -9 || x > canvas.clientWidth + 9 || y > canvas.clientHeight + 9) return;
    context.fillStyle = css(thing.class.color);
    if (radius < 2) {
      context.fillRect(x - radius, y - radius, 2 * radius, 2 * radius);
      return;
    }
    context.beginPath();
    if (thing.kind === "marker") context.rect(x - radius, y - radius, 2 * radius, 2 * radius);
    else context.arc(x, y, radius, 0, 2 * Math.PI);
    context.fill();
    context.lineWidth = radius / 3.5;
    context.strokeStyle = "rgba(0, 0, 0, 0.75)";
    context.stroke();
  }

  function drawSelected(thing) {
    const [x, y] = toView(thing);
    for (const [width, color] of [
      [5, "#000"],
      [2.5, "#fff"],
    ]) {
      context.beginPath();
      context.arc(x, y, 11, 0, 2 * Math.PI);
      context.lineWidth = width;
      context.strokeStyle = color;
      context.stroke();
    }
  }

  function zoom(factor, x, y) {
    const scale = Math.max(0.01, Math.min(64, place.scale * factor));
    place.x = x - ((x - place.x) * scale) / place.scale;
    place.y = y - ((y - place.y) * scale) / place.scale;
    [place.scale, place.isWhole] = [scale, false];
    ask();
  }

  function pan(dx, dy) {
    place.x += dx;
    place.y += dy;
    place.isWhole = false;
    ask();
  }

  /** The nearest mark, of those that are one upon the other the upper one. */
  function nearest(x, y) {
    let [best, least] = [null, REACH * REACH];
    if (!STATE.marks) return best;
    for (const thing of marked) {
      const [right, down] = toView(thing);
      const far = (right - x) ** 2 + (down - y) ** 2;
      if (far <= least && isShown(thing)) [best, least] = [thing, far];
    }
    return best;
  }

  followPointers(canvas, {
    drag: pan,
    pan,
    zoom,
    click: (x, y) => select(nearest(x, y)),
    hover: (point) => showHint(point && nearest(...point), point),
  });

  const middle = () => [canvas.clientWidth / 2, canvas.clientHeight / 2];
  const keys = {
    ArrowLeft: () => pan(60, 0),
    ArrowRight: () => pan(-60, 0),
    ArrowUp: () => pan(0, 60),
    ArrowDown: () => pan(0, -60),
    "+": () => zoom(1.25, ...middle()),
    "-": () => zoom(0.8, ...middle()),
  };

  function focus(thing) {
    if (!marked.includes(thing)) return;
    [place.scale, place.isWhole] = [Math.max(place.scale, 1), false];
    const [x, y] = middle();
    [place.x, place.y] = [x - thing.right * place.scale, y - thing.down * place.scale];
    ask();
  }

  return { canvas, reset, draw, ask, keys, focus, marks: marked.length };
}

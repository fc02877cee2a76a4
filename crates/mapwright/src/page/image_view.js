// The view of the image, with panning and zooming, and with markers on top.

/** Maximum distance in pixels between a marker and the pointer that selects it. */
const CLICK_DISTANCE = 9;

function startImageView() {
  const [canvas, image] = [$("image-view"), $("image")];
  const context = canvas.getContext("2d");
  // Instances that the image shows as bodies need no marker.
  const markers = OBJECTS.filter(
    (object) => MARKER_KINDS.has(object.kind) && object.right !== null && (DATA.flat || !object.isBody),
  );
  /** Position and scale of the image on the canvas. `isFitted` is true until the user pans or zooms. */
  const position = { scale: 1, x: 0, y: 0, isFitted: true };
  /** Heights of the toolbar and of the status line, in pixels. */
  const [toolbarHeight, statusHeight] = [52, 44];

  const requestDraw = oncePerFrame(draw);
  const toCanvas = (object) => [position.x + object.right * position.scale, position.y + object.down * position.scale];

  function fit() {
    const width = canvas.clientWidth;
    const height = Math.max(canvas.clientHeight - toolbarHeight - statusHeight, 1);
    position.scale = Math.min((width - 24) / image.naturalWidth, height / image.naturalHeight) || 1;
    position.x = (width - image.naturalWidth * position.scale) / 2;
    position.y = toolbarHeight + (height - image.naturalHeight * position.scale) / 2;
  }

  function reset() {
    position.isFitted = true;
    fit();
    requestDraw();
  }

  function draw() {
    if (canvas.hidden) return;
    if (fitCanvas(canvas) && position.isFitted) fit();
    const ratio = canvas.width / Math.max(canvas.clientWidth, 1);
    const { scale, x, y } = position;
    context.setTransform(ratio, 0, 0, ratio, 0, 0);
    context.clearRect(0, 0, canvas.clientWidth, canvas.clientHeight);
    context.imageSmoothingEnabled = scale < 2;
    context.drawImage(image, x, y, image.naturalWidth * scale, image.naturalHeight * scale);
    const radius = markerRadius();
    if (STATE.showMarkers) for (const object of markers) if (isVisible(object)) drawMarker(object, radius);
    const { selected } = STATE;
    if (selected && markers.includes(selected)) drawSelection(selected);
    const percent = Math.round(scale * ratio * 100);
    $("status").textContent = `${image.naturalWidth} × ${image.naturalHeight} pixels, at ${percent} %`;
  }

  /** Returns a smaller radius if there are too many markers for the area of the image. */
  function markerRadius() {
    const area = image.naturalWidth * image.naturalHeight * position.scale ** 2;
    return Math.max(1.25, Math.min(5.5, 0.25 * Math.sqrt(area / Math.max(markers.length, 1))));
  }

  function drawMarker(object, radius) {
    const [x, y] = toCanvas(object);
    if (x < -9 || y < -9 || x > canvas.clientWidth + 9 || y > canvas.clientHeight + 9) return;
    context.fillStyle = cssColor(object.class.color);
    if (radius < 2) {
      context.fillRect(x - radius, y - radius, 2 * radius, 2 * radius);
      return;
    }
    context.beginPath();
    if (object.kind === "marker") context.rect(x - radius, y - radius, 2 * radius, 2 * radius);
    else context.arc(x, y, radius, 0, 2 * Math.PI);
    context.fill();
    context.lineWidth = radius / 3.5;
    context.strokeStyle = "rgba(0, 0, 0, 0.75)";
    context.stroke();
  }

  function drawSelection(object) {
    const [x, y] = toCanvas(object);
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
    const scale = Math.max(0.01, Math.min(64, position.scale * factor));
    position.x = x - ((x - position.x) * scale) / position.scale;
    position.y = y - ((y - position.y) * scale) / position.scale;
    [position.scale, position.isFitted] = [scale, false];
    requestDraw();
  }

  function pan(dx, dy) {
    position.x += dx;
    position.y += dy;
    position.isFitted = false;
    requestDraw();
  }

  /** Returns the object of the nearest marker, or null. At equal distances the marker drawn on top wins. */
  function pickObject(x, y) {
    let [nearest, least] = [null, CLICK_DISTANCE ** 2];
    if (!STATE.showMarkers) return nearest;
    for (const object of markers) {
      const [right, down] = toCanvas(object);
      const distance = (right - x) ** 2 + (down - y) ** 2;
      if (distance <= least && isVisible(object)) [nearest, least] = [object, distance];
    }
    return nearest;
  }

  followPointers(canvas, {
    drag: pan,
    pan,
    zoom,
    click: (x, y) => select(pickObject(x, y)),
    hover: (point) => showHint(point && pickObject(...point), point),
  });

  const center = () => [canvas.clientWidth / 2, canvas.clientHeight / 2];
  const keys = {
    ArrowLeft: () => pan(60, 0),
    ArrowRight: () => pan(-60, 0),
    ArrowUp: () => pan(0, 60),
    ArrowDown: () => pan(0, -60),
    "+": () => zoom(1.25, ...center()),
    "-": () => zoom(0.8, ...center()),
  };

  function showObject(object) {
    if (!markers.includes(object)) return;
    [position.scale, position.isFitted] = [Math.max(position.scale, 1), false];
    const [x, y] = center();
    [position.x, position.y] = [x - object.right * position.scale, y - object.down * position.scale];
    requestDraw();
  }

  return { canvas, reset, draw, requestDraw, keys, showObject, markers: markers.length };
}

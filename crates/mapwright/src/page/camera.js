// The eye: it turns around a point, comes nearer and moves with it.

const FIELD = Math.tan((40 * Math.PI) / 360);

const radians = (degrees) => (degrees * Math.PI) / 180;
const dot3 = (a, b) => a[0] * b[0] + a[1] * b[1] + a[2] * b[2];

class Camera {
  constructor() {
    this.fit(new Box(), 1);
  }

  /** Sees all of a box, from the side where it looked from at first. */
  fit(box, aspect) {
    [this.azimuth, this.elevation] = DATA.orbit.map(radians);
    this.look(box, aspect);
    this.whole = { middle: this.target, size: this.box.size };
  }

  /** Sees all of a box from this side. */
  look(box, aspect) {
    this.box = box.isEmpty ? Object.assign(new Box(), { low: [-1, -1, -1], high: [1, 1, 1] }) : box;
    this.target = this.box.middle;
    const { right, up, back } = this.axes;
    const least = this.corners(right, up, back, aspect);
    this.distance = Math.max(least * 1.08, 1e-4, (this.whole?.size || 0) * 1e-3);
  }

  /** So far away the eye must be that no corner of the box is outside of the picture. */
  corners(right, up, back, aspect) {
    const from = this.box.corners.map((corner) => corner.map((part, axis) => part - this.target[axis]));
    const distances = from.map((arm) => {
      const across = Math.abs(dot3(arm, right)) / (FIELD * aspect);
      return dot3(arm, back) + Math.max(across, Math.abs(dot3(arm, up)) / FIELD);
    });
    return Math.max(...distances);
  }

  /** Right, up, and from the target to the eye. Bearings: 0 is north, which is −Z, 90 is east. */
  get axes() {
    const [sin, cos, high, flat] = [
      Math.sin(this.azimuth),
      Math.cos(this.azimuth),
      Math.sin(this.elevation),
      Math.cos(this.elevation),
    ];
    return { right: [-cos, 0, -sin], up: [-sin * high, flat, cos * high], back: [sin * flat, high, -cos * flat] };
  }

  turn(across, down) {
    this.azimuth -= across;
    this.elevation = Math.max(-Math.PI / 2, Math.min(Math.PI / 2, this.elevation + down));
  }

  /** Moves by parts of the height of the picture. */
  pan(across, down) {
    const { right, up } = this.axes;
    const scale = 2 * FIELD * this.distance;
    this.target = this.target.map((part, axis) => part - right[axis] * across * scale + up[axis] * down * scale);
  }

  /** Comes nearer to what is so many heights of the picture right of and below its middle. */
  zoom(factor, across, down) {
    const least = this.whole.size * 1e-4;
    const distance = Math.max(least, Math.min(this.whole.size * 20, this.distance / factor));
    this.pan(across, down);
    this.distance = distance;
    this.pan(-across, -down);
  }

  /**
   * From the world to the picture. `spot` is a pixel that is to be all of the picture: its middle, and how many pixels
   * the picture has.
   */
  matrix(aspect, spot) {
    const { right, up, back } = this.axes;
    const eye = this.target.map((part, axis) => part + back[axis] * this.distance);
    const toMiddle = Math.hypot(...eye.map((part, axis) => part - this.whole.middle[axis]));
    const far = (toMiddle + this.whole.size) * 1.1;
    const near = Math.max(Math.min(this.distance * 0.1, far * 0.01), far * 2e-5);
    const view = Float64Array.of(
      right[0],
      up[0],
      back[0],
      0,
      right[1],
      up[1],
      back[1],
      0,
      right[2],
      up[2],
      back[2],
      0,
      -dot3(right, eye),
      -dot3(up, eye),
      -dot3(back, eye),
      1,
    );
    const depth = near - far;
    const lens = Float64Array.of(
      1 / (FIELD * aspect),
      0,
      0,
      0,
      0,
      1 / FIELD,
      0,
      0,
      0,
      0,
      (far + near) / depth,
      -1,
      0,
      0,
      (2 * far * near) / depth,
      0,
    );
    const matrix = multiply(lens, view);
    if (!spot) return matrix;
    const { x, y, width, height } = spot;
    const part = Float64Array.of(width, 0, 0, 0, 0, height, 0, 0, 0, 0, 1, 0, width - 2 * x, 2 * y - height, 0, 1);
    return multiply(part, matrix);
  }
}

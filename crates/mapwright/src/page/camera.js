// The camera of the 3D view. It orbits around a target, and pans and zooms with it.

/** Half the height of the image at distance 1: the vertical field of view is 40°. */
const HALF_HEIGHT = Math.tan((40 * Math.PI) / 360);

const radians = (degrees) => (degrees * Math.PI) / 180;
const dot3 = (a, b) => a[0] * b[0] + a[1] * b[1] + a[2] * b[2];

class Camera {
  constructor() {
    this.reset(new Box(), 1);
  }

  /** Shows all of the scene from the initial direction. */
  reset(bounds, aspect) {
    [this.azimuth, this.elevation] = DATA.orbit.map(radians);
    this.fit(bounds, aspect);
    this.scene = { center: this.target, size: this.box.size };
  }

  /** Shows all of a box from the current direction. */
  fit(box, aspect) {
    this.box = box.isEmpty ? Object.assign(new Box(), { low: [-1, -1, -1], high: [1, 1, 1] }) : box;
    this.target = this.box.center;
    this.distance = Math.max(this.fitDistance(aspect) * 1.08, 1e-4, (this.scene?.size || 0) * 1e-3);
  }

  /** Returns the least distance from which all corners of the box are inside the image. */
  fitDistance(aspect) {
    const { right, up, back } = this.axes;
    const distances = this.box.corners.map((corner) => {
      const offset = corner.map((part, axis) => part - this.target[axis]);
      const across = Math.abs(dot3(offset, right)) / (HALF_HEIGHT * aspect);
      return dot3(offset, back) + Math.max(across, Math.abs(dot3(offset, up)) / HALF_HEIGHT);
    });
    return Math.max(...distances);
  }

  /** Unit vectors to the right, up, and from the target to the camera. Azimuth 0° is north (−Z), 90° is east. */
  get axes() {
    const [sin, cos, high, flat] = [
      Math.sin(this.azimuth),
      Math.cos(this.azimuth),
      Math.sin(this.elevation),
      Math.cos(this.elevation),
    ];
    return { right: [-cos, 0, -sin], up: [-sin * high, flat, cos * high], back: [sin * flat, high, -cos * flat] };
  }

  rotate(across, down) {
    this.azimuth -= across;
    this.elevation = Math.max(-Math.PI / 2, Math.min(Math.PI / 2, this.elevation + down));
  }

  /** Moves the scene. The unit is the height of the image. */
  pan(across, down) {
    const { right, up } = this.axes;
    const scale = 2 * HALF_HEIGHT * this.distance;
    this.target = this.target.map((part, axis) => part - right[axis] * across * scale + up[axis] * down * scale);
  }

  /** Zooms around a point left of and above the centre of the image. The unit is the height of the image. */
  zoom(factor, left, above) {
    const least = this.scene.size * 1e-4;
    const distance = Math.max(least, Math.min(this.scene.size * 20, this.distance / factor));
    this.pan(left, above);
    this.distance = distance;
    this.pan(-left, -above);
  }

  /**
   * Returns the matrix from the world to the image. With `pixel`, the matrix maps only this pixel of an image with this
   * width and height.
   */
  matrix(aspect, pixel) {
    const { right, up, back } = this.axes;
    const eye = this.target.map((part, axis) => part + back[axis] * this.distance);
    const toCenter = Math.hypot(...eye.map((part, axis) => part - this.scene.center[axis]));
    const far = (toCenter + this.scene.size) * 1.1;
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
    const projection = Float64Array.of(
      1 / (HALF_HEIGHT * aspect),
      0,
      0,
      0,
      0,
      1 / HALF_HEIGHT,
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
    const matrix = multiply(projection, view);
    if (!pixel) return matrix;
    const { x, y, width, height } = pixel;
    const crop = Float64Array.of(width, 0, 0, 0, 0, height, 0, 0, 0, 0, 1, 0, width - 2 * x, 2 * y - height, 0, 1);
    return multiply(crop, matrix);
  }
}

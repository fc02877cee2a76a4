//! Where objects stand.

use super::same_bits;

/// Where an object stands: three axes of the model in the world, and a place. World coordinates are x east, y up, z north, in
/// metres from the south-west corner; left-handed. A point v of the model is at
/// `v.x · aside + v.y · up + v.z · dir + position`.
///
/// Files have mirrored, sheared and infinite ones and such of signalling NaN: all bits are kept, and equality is that of bits.
#[derive(Debug, Clone, Copy)]
pub struct Matrix {
    /// The model's x axis.
    pub aside: [f32; 3],
    /// The model's y axis.
    pub up: [f32; 3],
    /// The model's z axis.
    pub dir: [f32; 3],
    /// Where the model's *bounding centre* is; not its origin, and not above the ground.
    pub position: [f32; 3],
}

impl Matrix {
    /// A height that tells the game to put the object on the ground.
    pub const FIT_TO_GROUND: f32 = 32768.0;

    /// Upright, looking north, of its own size.
    pub const fn at(position: [f32; 3]) -> Self {
        Self { aside: [1.0, 0.0, 0.0], up: [0.0, 1.0, 0.0], dir: [0.0, 0.0, 1.0], position }
    }

    /// The twelve numbers in the order of the file.
    pub const fn numbers(&self) -> [f32; 12] {
        let Self { aside: [a, b, c], up: [d, e, f], dir: [g, h, i], position: [x, y, z] } = *self;
        [a, b, c, d, e, f, g, h, i, x, y, z]
    }

    /// The opposite of [`numbers`](Self::numbers).
    pub const fn from_numbers([a, b, c, d, e, f, g, h, i, x, y, z]: [f32; 12]) -> Self {
        Self { aside: [a, b, c], up: [d, e, f], dir: [g, h, i], position: [x, y, z] }
    }

    /// The twelve numbers as the file has them.
    #[inline]
    pub fn to_bytes(&self) -> [u8; 48] {
        let mut bytes = [0; 48];
        for (place, number) in bytes.as_chunks_mut::<4>().0.iter_mut().zip(self.numbers()) {
            *place = number.to_le_bytes();
        }
        bytes
    }

    /// The opposite of [`to_bytes`](Self::to_bytes).
    #[inline]
    pub fn from_bytes(bytes: &[u8; 48]) -> Self {
        let mut numbers = [0.0; 12];
        for (number, place) in numbers.iter_mut().zip(bytes.as_chunks::<4>().0) {
            *number = f32::from_le_bytes(*place);
        }
        Self::from_numbers(numbers)
    }

    /// Whether all numbers are finite.
    pub fn is_finite(&self) -> bool {
        self.numbers().iter().all(|number| number.is_finite())
    }

    /// Whether the game is to put the object on the ground.
    pub fn fits_to_ground(&self) -> bool {
        let [_, y, _] = self.position;
        y.to_bits() == Self::FIT_TO_GROUND.to_bits()
    }

    /// The compass heading in degrees: 0 north, 90 east.
    pub fn heading(&self) -> f64 {
        let [x, _, z] = self.dir.map(f64::from);
        x.atan2(z).to_degrees().rem_euclid(360.0)
    }

    /// The lengths of the three axes.
    pub fn scales(&self) -> [f64; 3] {
        [self.aside, self.up, self.dir].map(|axis| dot(axis, axis).sqrt())
    }

    /// The volume of what was a cube of 1 m; negative where the object is mirrored.
    pub fn determinant(&self) -> f64 {
        let [[a, b, c], [d, e, f], [g, h, i]] = [self.aside, self.up, self.dir].map(|axis| axis.map(f64::from));
        a * (e * i - f * h) + b * (f * g - d * i) + c * (d * h - e * g)
    }

    /// Whether the model is mirrored, which the game undoes.
    pub fn is_mirrored(&self) -> bool {
        self.determinant() < 0.0
    }

    /// Whether axes are of other lengths than one another, by more than a thousandth, or not at right angles, which the game undoes
    /// but for forests.
    pub fn is_sheared(&self) -> bool {
        let [a, u, d] = self.scales();
        let leans = |p, q, lengths: f64| f64::abs(dot(p, q)) > 1e-3 * lengths;
        a.max(u).max(d) / a.min(u).min(d) > 1.001
            || leans(self.aside, self.up, a * u)
            || leans(self.aside, self.dir, a * d)
            || leans(self.up, self.dir, u * d)
    }

    /// Where a point of the model is in the world.
    pub fn apply(&self, point: [f64; 3]) -> [f64; 3] {
        let [p, q, r] = point;
        let axes = [self.aside, self.up, self.dir, self.position].map(|axis| axis.map(f64::from));
        let [[a, b, c], [d, e, f], [g, h, i], [x, y, z]] = axes;
        [p * a + q * d + r * g + x, p * b + q * e + r * h + y, p * c + q * f + r * i + z]
    }
}

fn dot(a: [f32; 3], b: [f32; 3]) -> f64 {
    a.iter().zip(b).map(|(&a, b)| f64::from(a) * f64::from(b)).sum()
}

impl PartialEq for Matrix {
    fn eq(&self, other: &Self) -> bool {
        same_bits(&self.numbers(), &other.numbers())
    }
}

impl Eq for Matrix {}

/// Where an object of 1WVR and 2WVR stands. Equality is that of bits.
#[derive(Debug, Clone, Copy)]
pub struct Heading {
    /// East, in cells.
    pub x: f32,
    /// Above the ground, in metres.
    pub y: f32,
    /// North, in cells.
    pub z: f32,
    /// Clockwise from north, in degrees.
    pub heading: f32,
}

impl Heading {
    /// The four numbers as the file has them.
    pub fn to_bytes(&self) -> [u8; 16] {
        let mut bytes = [0; 16];
        for (place, number) in bytes.as_chunks_mut::<4>().0.iter_mut().zip([self.x, self.y, self.z, self.heading]) {
            *place = number.to_le_bytes();
        }
        bytes
    }

    /// The opposite of [`to_bytes`](Self::to_bytes).
    pub fn from_bytes(bytes: &[u8; 16]) -> Self {
        let mut numbers = [0.0; 4];
        for (number, place) in numbers.iter_mut().zip(bytes.as_chunks::<4>().0) {
            *number = f32::from_le_bytes(*place);
        }
        let [x, y, z, heading] = numbers;
        Self { x, y, z, heading }
    }

    /// The same as a matrix, over ground of that cell size.
    pub fn matrix(&self, ground: &super::Ground<'_>, cell: f32) -> Matrix {
        let [x, z] = [self.x, self.z].map(|cells| cells * cell);
        let surface = ground.at(f64::from(x), f64::from(z)).unwrap_or(0.0);
        let (sin, cos) = f64::from(self.heading).to_radians().sin_cos();
        // Metres of a map and sines: f32 is what the formats have.
        #[allow(clippy::cast_possible_truncation)]
        let [sin, cos, y] = [sin, cos, surface + f64::from(self.y)].map(|number| number as f32);
        Matrix { aside: [cos, 0.0, -sin], up: [0.0, 1.0, 0.0], dir: [sin, 0.0, cos], position: [x, y, z] }
    }
}

impl PartialEq for Heading {
    fn eq(&self, other: &Self) -> bool {
        self.to_bytes() == other.to_bytes()
    }
}

impl Eq for Heading {}

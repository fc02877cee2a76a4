//! Transforms of objects.

use super::same_bits;
use crate::steps::to_f32;
use mapwright_io::math;

/// Transform of an object: the three axes of the model in the world, and a position.
///
/// World coordinates are left-handed, in metres from the south-west corner: x east, y up, z north. A point v of the model is at
/// `v.x · aside + v.y · up + v.z · dir + position`.
///
/// Files contain mirrored, sheared and infinite matrices, and signalling NaN. All bits are preserved, and equality compares bits.
#[derive(Debug, Clone, Copy)]
pub struct Matrix {
    /// The model's x axis.
    pub aside: [f32; 3],
    /// The model's y axis.
    pub up: [f32; 3],
    /// The model's z axis.
    pub dir: [f32; 3],
    /// Position of the model's *bounding centre*, not of its origin. Height is above the sea, not above the ground.
    pub position: [f32; 3],
}

impl Matrix {
    /// Height that makes the game put the object on the ground.
    pub const FIT_TO_GROUND: f32 = 32768.0;

    /// Creates the matrix of an upright object that faces north and has its own size.
    pub const fn from_position(position: [f32; 3]) -> Self {
        Self { aside: [1.0, 0.0, 0.0], up: [0.0, 1.0, 0.0], dir: [0.0, 0.0, 1.0], position }
    }

    /// Returns the twelve numbers in file order.
    pub const fn numbers(&self) -> [f32; 12] {
        let Self { aside: [a, b, c], up: [d, e, f], dir: [g, h, i], position: [x, y, z] } = *self;
        [a, b, c, d, e, f, g, h, i, x, y, z]
    }

    /// Creates a matrix from twelve numbers in file order.
    pub const fn from_numbers([a, b, c, d, e, f, g, h, i, x, y, z]: [f32; 12]) -> Self {
        Self { aside: [a, b, c], up: [d, e, f], dir: [g, h, i], position: [x, y, z] }
    }

    /// Returns the encoded bytes.
    #[inline]
    pub fn to_bytes(&self) -> [u8; 48] {
        let mut bytes = [0; 48];
        for (chunk, number) in bytes.as_chunks_mut::<4>().0.iter_mut().zip(self.numbers()) {
            *chunk = number.to_le_bytes();
        }
        bytes
    }

    /// Creates a matrix from its encoded bytes.
    #[inline]
    pub fn from_bytes(bytes: &[u8; 48]) -> Self {
        let mut numbers = [0.0; 12];
        for (number, chunk) in numbers.iter_mut().zip(bytes.as_chunks::<4>().0) {
            *number = f32::from_le_bytes(*chunk);
        }
        Self::from_numbers(numbers)
    }

    /// Returns `true` if all numbers are finite.
    pub fn is_finite(&self) -> bool {
        self.numbers().iter().all(|number| number.is_finite())
    }

    /// Returns `true` if the game puts the object on the ground.
    pub fn fits_to_ground(&self) -> bool {
        let [_, y, _] = self.position;
        y.to_bits() == Self::FIT_TO_GROUND.to_bits()
    }

    /// Returns the matrix of the object after it turns clockwise around the vertical axis through its position.
    #[must_use]
    pub fn turned(&self, degrees: f64) -> Self {
        let (sin, cos) = math::sin_cos(degrees.to_radians());
        self.map_axes(|[x, y, z]| [cos * x + sin * z, y, cos * z - sin * x])
    }

    /// Returns the matrix with axes that are longer by a factor.
    #[must_use]
    pub fn scaled(&self, factor: f64) -> Self {
        self.map_axes(|axis| axis.map(|number| number * factor))
    }

    fn map_axes(&self, change: impl Fn([f64; 3]) -> [f64; 3]) -> Self {
        let axis = |axis: [f32; 3]| change(axis.map(f64::from)).map(to_f32);
        Self { aside: axis(self.aside), up: axis(self.up), dir: axis(self.dir), position: self.position }
    }

    /// Returns the compass heading in degrees: 0 is north, 90 is east.
    pub fn heading(&self) -> f64 {
        let [x, _, z] = self.dir.map(f64::from);
        math::atan2(x, z).to_degrees().rem_euclid(360.0)
    }

    /// Returns the lengths of the three axes.
    pub fn scales(&self) -> [f64; 3] {
        [self.aside, self.up, self.dir].map(|axis| dot(axis, axis).sqrt())
    }

    /// Returns the determinant, which is negative if the object is mirrored.
    pub fn determinant(&self) -> f64 {
        let [[a, b, c], [d, e, f], [g, h, i]] = [self.aside, self.up, self.dir].map(|axis| axis.map(f64::from));
        a * (e * i - f * h) + b * (f * g - d * i) + c * (d * h - e * g)
    }

    /// Returns `true` if the model is mirrored. The game removes the mirroring.
    pub fn is_mirrored(&self) -> bool {
        self.determinant() < 0.0
    }

    /// Returns `true` if the axes differ in length by more than 0.1 % or are not orthogonal. The game removes this, except of forests.
    pub fn is_sheared(&self) -> bool {
        let [a, u, d] = self.scales();
        let leans = |p, q, lengths: f64| f64::abs(dot(p, q)) > 1e-3 * lengths;
        a.max(u).max(d) / a.min(u).min(d) > 1.001
            || leans(self.aside, self.up, a * u)
            || leans(self.aside, self.dir, a * d)
            || leans(self.up, self.dir, u * d)
    }

    /// Transforms a point of the model to the world.
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

/// Placement of an upright object of 1WVR and 2WVR. Equality compares bits.
#[derive(Debug, Clone, Copy)]
pub struct Heading {
    /// Distance to the east, in cells.
    pub x: f32,
    /// Height above the ground, in metres.
    pub y: f32,
    /// Distance to the north, in cells.
    pub z: f32,
    /// Direction clockwise from north, in degrees.
    pub heading: f32,
}

impl Heading {
    /// Returns the encoded bytes.
    pub fn to_bytes(&self) -> [u8; 16] {
        let mut bytes = [0; 16];
        for (chunk, number) in bytes.as_chunks_mut::<4>().0.iter_mut().zip([self.x, self.y, self.z, self.heading]) {
            *chunk = number.to_le_bytes();
        }
        bytes
    }

    /// Creates a heading from its encoded bytes.
    pub fn from_bytes(bytes: &[u8; 16]) -> Self {
        let mut numbers = [0.0; 4];
        for (number, chunk) in numbers.iter_mut().zip(bytes.as_chunks::<4>().0) {
            *number = f32::from_le_bytes(*chunk);
        }
        let [x, y, z, heading] = numbers;
        Self { x, y, z, heading }
    }

    /// Converts the placement to a matrix, given the ground and the cell size in metres.
    pub fn to_matrix(&self, ground: &super::Ground<'_>, cell: f32) -> Matrix {
        let [x, z] = [self.x, self.z].map(|cells| cells * cell);
        let surface = ground.height_at(f64::from(x), f64::from(z)).unwrap_or(0.0);
        let (sin, cos) = math::sin_cos(f64::from(self.heading).to_radians());
        // The formats store f32.
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

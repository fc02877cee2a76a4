//! Vectors of three numbers.

pub(crate) fn dot([a, b, c]: [f64; 3], [x, y, z]: [f64; 3]) -> f64 {
    a * x + b * y + c * z
}

pub(crate) fn cross([a, b, c]: [f64; 3], [x, y, z]: [f64; 3]) -> [f64; 3] {
    [b * z - c * y, c * x - a * z, a * y - b * x]
}

pub(crate) fn sub([a, b, c]: [f64; 3], [x, y, z]: [f64; 3]) -> [f64; 3] {
    [a - x, b - y, c - z]
}

pub(crate) fn add([a, b, c]: [f64; 3], [x, y, z]: [f64; 3]) -> [f64; 3] {
    [a + x, b + y, c + z]
}

pub(crate) fn scale(vector: [f64; 3], factor: f64) -> [f64; 3] {
    vector.map(|part| part * factor)
}

pub(crate) fn length(vector: [f64; 3]) -> f64 {
    dot(vector, vector).sqrt()
}

//! Elementary functions with the same bits on every system.
//!
//! The functions of the standard library are those of the system, whose last bits differ. The same input would then give different files. The
//! workspace forbids them, and the results here depend only on the version of `libm`; `sqrt`, `abs`, rounding and arithmetic are exact everywhere.

/// Returns the sine and the cosine of an angle in radians.
pub fn sin_cos(x: f64) -> (f64, f64) {
    libm::sincos(x)
}

/// Returns the sine of an angle in radians.
pub fn sin(x: f64) -> f64 {
    libm::sin(x)
}

/// Returns the cosine of an angle in radians.
pub fn cos(x: f64) -> f64 {
    libm::cos(x)
}

/// Returns the angle in radians whose sine is `x`.
pub fn asin(x: f64) -> f64 {
    libm::asin(x)
}

/// Returns the angle in radians whose cosine is `x`.
pub fn acos(x: f64) -> f64 {
    libm::acos(x)
}

/// Returns the angle in radians whose tangent is `x`.
pub fn atan(x: f64) -> f64 {
    libm::atan(x)
}

/// Returns the hyperbolic sine of `x`.
pub fn sinh(x: f64) -> f64 {
    libm::sinh(x)
}

/// Returns 2 to the power of `x`.
pub fn exp2(x: f64) -> f64 {
    libm::exp2(x)
}

/// Returns the natural logarithm of `x`.
pub fn ln(x: f64) -> f64 {
    libm::log(x)
}

/// Returns the logarithm of `x` to base 2.
pub fn log2(x: f64) -> f64 {
    libm::log2(x)
}

/// Returns the logarithm of `x` to base 10.
pub fn log10(x: f64) -> f64 {
    libm::log10(x)
}

/// Returns the cube root of `x`.
pub fn cbrt(x: f64) -> f64 {
    libm::cbrt(x)
}

/// Returns the angle in radians of the point (`x`, `y`), from −π to π.
pub fn atan2(y: f64, x: f64) -> f64 {
    libm::atan2(y, x)
}

/// Returns the length of the hypotenuse of a right triangle with these legs.
pub fn hypot(x: f64, y: f64) -> f64 {
    libm::hypot(x, y)
}

/// Returns `base` to the power of `exponent`.
pub fn powf(base: f64, exponent: f64) -> f64 {
    libm::pow(base, exponent)
}

/// Returns `x`, or 0 for −0.
///
/// `min` and `max` of the standard library return either zero if both are compared, depending on the processor. Use this function where
/// such a result reaches a file.
pub fn positive_zero(x: f64) -> f64 {
    // The sum of zeros with different signs is the positive one.
    x + 0.0
}

#[cfg(test)]
mod tests {
    use super::*;

    /// A hash of the bits of results for many arguments. Every system must have the same.
    fn hash(function: impl Fn(f64) -> f64) -> u64 {
        // Steps without a short binary form, from −4 to 4.
        let arguments = (0..10_000).map(|step| f64::from(step) * 0.000_8 - 4.0);
        arguments.map(&function).fold(0xcbf2_9ce4_8422_2325, |hash, result| {
            // There are many bit patterns of NaN, and systems differ in them.
            let bits = if result.is_nan() { 0 } else { result.to_bits() };
            (hash ^ bits).wrapping_mul(0x0000_0100_0000_01b3)
        })
    }

    #[test]
    fn only_the_negative_zero_changes() {
        let bits = |x| positive_zero(x).to_bits();
        assert_eq!(bits(-0.0), 0);
        for x in [0.0, -1.5, 5e-324, -5e-324, f64::MAX, f64::NEG_INFINITY] {
            assert_eq!(bits(x), x.to_bits());
        }
    }

    #[test]
    fn all_systems_have_the_same_bits() {
        let hashes = [
            hash(sin),
            hash(cos),
            hash(asin),
            hash(acos),
            hash(atan),
            hash(sinh),
            hash(exp2),
            hash(ln),
            hash(log2),
            hash(log10),
            hash(cbrt),
            hash(|x| atan2(x, 0.3)),
            hash(|x| hypot(x, 0.3)),
            hash(|x| powf(x, 2.4)),
        ];
        assert_eq!(hashes.map(|hash| format!("{hash:016x}")), HASHES);
    }

    const HASHES: [&str; 14] = [
        "705e7c55935df1ba",
        "9e1de1f5471e8c67",
        "b45471ae4dbdb06a",
        "d561cea58060c364",
        "6c2d1a6fa81b9153",
        "1840a5367890743b",
        "85b9a840a971a111",
        "928599d0c5347242",
        "ff027a3d4a761dd7",
        "9790518bcf5b8cf1",
        "fe39dae49aad9201",
        "31fc57ff4fce9e0e",
        "86b8506d4a487670",
        "7ebbeca12054f5f6",
    ];

    #[test]
    fn functions_are_those_of_their_names() {
        let near = |a: f64, b: f64| (a - b).abs() < 1e-15;
        let (sine, cosine) = sin_cos(0.5);
        assert!(near(sine, 0.479_425_538_604_203) && near(cosine, 0.877_582_561_890_372_8));
        assert_eq!((sin(0.5), cos(0.5)), (sine, cosine));
        assert!(near(asin(sine), 0.5) && near(acos(cosine), 0.5) && near(atan(sine / cosine), 0.5));
        assert!(near(atan2(1.0, -1.0), 3.0 * std::f64::consts::FRAC_PI_4) && hypot(3.0, 4.0) == 5.0);
        assert!(near(ln(std::f64::consts::E), 1.0) && log2(8.0) == 3.0 && near(log10(1000.0), 3.0));
        assert!(near(cbrt(27.0), 3.0) && exp2(3.0) == 8.0 && powf(9.0, 0.5) == 3.0 && near(sinh(0.0), 0.0));
    }
}

//! Rotations in degrees and as quaternions.

use mapwright_io::math;
use mapwright_scene::{Properties, Value, angles};

use super::AXES;

/// Returns the rotation, in the frame of scenes, of the keys of an entity: `angles`, or `angle` with −1 for up and −2 for down.
/// Returns `None` without such numbers.
pub(super) fn rotation(properties: &Properties) -> Option<[f64; 4]> {
    let text = |key| properties.get(key).and_then(Value::as_text);
    let angles = match (text("angles").and_then(numbers), text("angle").and_then(numbers)) {
        (Some(angles), _) => angles,
        (None, Some([-1.0])) => [-90.0, 0.0, 0.0],
        (None, Some([-2.0])) => [90.0, 0.0, 0.0],
        (None, Some([yaw])) => [0.0, yaw, 0.0],
        (None, None) => return None,
    };
    Some(from_degrees(angles))
}

/// Parses exactly N finite numbers.
pub(super) fn numbers<const N: usize>(text: &str) -> Option<[f64; N]> {
    let mut numbers = [0.0; N];
    let mut words = text.split_ascii_whitespace();
    for number in &mut numbers {
        *number = words.next()?.parse().ok().filter(|number: &f64| number.is_finite())?;
    }
    words.next().is_none().then_some(numbers)
}

fn from_degrees(degrees: [f64; 3]) -> [f64; 4] {
    AXES.rotation(angles::to_rotation(degrees))
}

/// Converts a rotation in the frame of scenes to pitch, yaw and roll in degrees, rounded to a millionth.
pub(super) fn degrees(rotation: [f64; 4]) -> [f64; 3] {
    angles::from_rotation(AXES.inverse().rotation(rotation)).map(|angle| (angle * 1e6).round() / 1e6)
}

/// Returns `true` if two quaternions are the same rotation.
pub(super) fn is_same_rotation(a: [f64; 4], b: [f64; 4]) -> bool {
    a.iter().zip(b).map(|(a, b)| a * b).sum::<f64>().abs() > 1.0 - 1e-12
}

/// Returns the shortest decimal number of degrees that reads back as the same radians.
pub(super) fn shortest_degrees(radians: f64) -> f64 {
    let degrees = radians.to_degrees();
    let rounded = (0..15).filter_map(|digits| format!("{degrees:.digits$}").parse::<f64>().ok());
    let near = [degrees, degrees.next_up(), degrees.next_down()];
    rounded.chain(near).find(|candidate| candidate.to_radians() == radians).unwrap_or(degrees)
}

/// Returns sine and cosine, exact for quarter turns.
pub(super) fn sin_cos(radians: f64) -> (f64, f64) {
    let quarters = (radians / std::f64::consts::FRAC_PI_2).round();
    if quarters * std::f64::consts::FRAC_PI_2 != radians {
        return math::sin_cos(radians);
    }
    match quarters.rem_euclid(4.0) {
        0.0 => (0.0, 1.0),
        1.0 => (1.0, 0.0),
        2.0 => (0.0, -1.0),
        _ => (-1.0, 0.0),
    }
}

#[cfg(test)]
mod tests {
    use mapwright_scene::Transform;

    use super::*;

    fn forward(keys: &[(&str, &str)]) -> [f64; 3] {
        let rotation = rotation(&keys.iter().copied().collect()).unwrap();
        let turn = Transform::Trs { translation: [0.0; 3], rotation, scale: [1.0; 3] };
        AXES.inverse().apply(turn.vector(AXES.apply([1.0, 0.0, 0.0]))).map(|c| (c * 1e9).round() / 1e9 + 0.0)
    }

    #[test]
    fn entities_look_in_the_direction_of_their_angles() {
        assert_eq!(forward(&[("angle", "90")]), [0.0, 1.0, 0.0], "to the left");
        assert_eq!(forward(&[("angle", "-1")]), [0.0, 0.0, 1.0]);
        assert_eq!(forward(&[("angle", "-2")]), [0.0, 0.0, -1.0]);
        assert_eq!(forward(&[("angles", "90 0 0"), ("angle", "5")]), [0.0, 0.0, -1.0], "down");
        assert_eq!(forward(&[("angles", "0 180 77")]), [-1.0, 0.0, 0.0]);
        assert_eq!(rotation(&[("angles", "1 2"), ("angle", "x")].into_iter().collect()), None);
    }

    #[test]
    fn degrees_come_back() {
        for angles in [[10.0, 20.0, 30.0], [-45.5, 170.0, -90.0], [80.0, -100.0, 5.25]] {
            assert_eq!(degrees(from_degrees(angles)), angles);
        }
        assert!(is_same_rotation(from_degrees([0.0, 360.0, 0.0]), [0.0, 0.0, 0.0, -1.0]));
        for degrees in [45.0, 33.3, -0.1, 1e-9, 123_456.789, 7.0 / 3.0] {
            assert_eq!(shortest_degrees(f64::to_radians(degrees)), degrees);
        }
    }
}

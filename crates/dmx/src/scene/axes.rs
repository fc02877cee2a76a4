//! Axes of models.

use mapwright_scene::{AxisChange, Losses, Transform};

use crate::ElementRef;

/// The axes of a model, as the FBX SDK numbers them.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub struct AxisSystem {
    /// The axis that points up: 1 for X, 2 for Y, 3 for Z; negative for the opposite direction.
    pub up: i32,
    /// The axis that points forward: 1 for the first of the two other axes, 2 for the second; negative for the opposite direction.
    pub forward: i32,
}

impl AxisSystem {
    /// Z up, X forward, as in Source.
    pub const SOURCE: Self = Self { up: 3, forward: 1 };

    /// Returns the axes that a model stores. Reports unknown and unusual ones.
    pub(super) fn from_model(model: ElementRef<'_>, losses: &mut Losses) -> Self {
        let Some(element) = model.child("axisSystem") else { return Self::SOURCE };
        let number = |name| element.int(name).unwrap_or(0);
        let axes = Self { up: number("upAxis"), forward: number("forwardParity") };
        if axes.rows().is_none() || number("coordSys") != 0 {
            losses.approximated("axisSystem", format!("unknown axes {axes:?}: Z up and X forward are assumed"));
            return Self::SOURCE;
        }
        if axes != Self::SOURCE {
            losses.approximated(
                "axisSystem",
                format!("rotated from {axes:?} to Z up and X forward; compilers are assumed to do the same"),
            );
        }
        axes
    }

    /// Returns the directions forward, left and up, each as an axis and a sign. `None` if the numbers are invalid.
    fn rows(self) -> Option<[(usize, f64); 3]> {
        let sign = |number: i32| if number < 0 { -1.0 } else { 1.0 };
        let others = match self.up.unsigned_abs() {
            1 => [1, 2],
            2 => [0, 2],
            3 => [0, 1],
            _ => return None,
        };
        let up = usize::try_from(self.up.unsigned_abs()).ok()?.checked_sub(1)?;
        let forward = *others.get(usize::try_from(self.forward.unsigned_abs()).ok()?.checked_sub(1)?)?;
        let left = 3_usize.checked_sub(up.checked_add(forward)?)?;
        // Left is up × forward: positive if the three axes are in cyclic order.
        let cyclic = if (up + 1) % 3 == forward { 1.0 } else { -1.0 };
        let (up_sign, forward_sign) = (sign(self.up), sign(self.forward));
        Some([(forward, forward_sign), (left, cyclic * up_sign * forward_sign), (up, up_sign)])
    }

    /// Converts a point to the axes of scenes.
    pub(super) fn point(self, point: [f64; 3]) -> [f64; 3] {
        let rows = self.rows().unwrap_or([(0, 1.0), (1, 1.0), (2, 1.0)]);
        let turned = rows.map(|(axis, sign)| sign * point.get(axis).copied().unwrap_or_default());
        AxisChange::Z_UP_TO_Y_UP.apply(turned)
    }

    /// Converts a transform to the axes of scenes. The conversion is a rotation, so the axis of a quaternion is converted like a point.
    pub(super) fn transform(self, translation: [f64; 3], [x, y, z, w]: [f64; 4]) -> Transform {
        let [x, y, z] = self.point([x, y, z]);
        Transform::Trs { translation: self.point(translation), rotation: [x, y, z, w], scale: [1.0; 3] }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Source: section "Axis system", in the axes of Source: forward, left, up.
    #[test]
    fn known_axis_systems_turn_as_published() {
        let to_source = |up, forward| {
            let turned = AxisSystem { up, forward }.point([1.0, 2.0, 3.0]);
            AxisChange::Z_UP_TO_Y_UP.inverse().apply(turned)
        };
        assert_eq!(to_source(3, 1), [1.0, 2.0, 3.0]);
        assert_eq!(to_source(3, -2), [-2.0, 1.0, 3.0]);
        assert_eq!(to_source(2, 2), [3.0, 1.0, 2.0]);
    }

    #[test]
    fn every_axis_system_is_a_rotation() {
        for (up, forward) in
            [-3, -2, -1, 1, 2, 3].into_iter().flat_map(|up| [-2, -1, 1, 2].map(|forward| (up, forward)))
        {
            let axes = AxisSystem { up, forward };
            let [x, y, z] = [[1.0, 0.0, 0.0], [0.0, 1.0, 0.0], [0.0, 0.0, 1.0]].map(|axis| axes.point(axis));
            assert_eq!(mapwright_scene::transform::cross(x, y), z, "{axes:?}");
        }
        for (up, forward) in [(0, 1), (4, 1), (1, 0), (1, 3), (i32::MIN, 1)] {
            assert_eq!(AxisSystem { up, forward }.rows(), None);
        }
    }
}

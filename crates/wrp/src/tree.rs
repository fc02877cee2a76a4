//! The trees that store grids in OPRW since version 10. The engine calls them quad trees, but each node has sixteen children.
//!
//! The first byte is 1 if the root is a node, 0 if it is a leaf. A node is a mask of 16 bits and sixteen children, four rows of four
//! from the south. A set bit marks a child that is a node; other children are leaves. A leaf has four bytes: one, two or four
//! values that repeat over its area.

use mapwright_io::{Input, Output};

use crate::{ReadError, ReadErrorKind};

/// A value in the leaves of a tree.
pub(crate) trait Value: Copy + Default + PartialEq {
    /// Number of bits of x and of z that select a value of a leaf.
    const BITS: [u32; 2];

    /// Decodes the values of a leaf. A leaf with fewer than four values fills only the first ones.
    fn unpack(leaf: [u8; 4]) -> [Self; 4];

    /// Encodes the values of a leaf.
    fn pack(values: [Self; 4]) -> [u8; 4];
}

impl Value for u8 {
    const BITS: [u32; 2] = [1, 1];

    fn unpack(leaf: [u8; 4]) -> [Self; 4] {
        leaf
    }

    fn pack(values: [Self; 4]) -> [u8; 4] {
        values
    }
}

impl Value for u16 {
    const BITS: [u32; 2] = [1, 0];

    fn unpack([a, b, c, d]: [u8; 4]) -> [Self; 4] {
        [Self::from_le_bytes([a, b]), Self::from_le_bytes([c, d]), 0, 0]
    }

    fn pack([left, right, ..]: [Self; 4]) -> [u8; 4] {
        let ([a, b], [c, d]) = (left.to_le_bytes(), right.to_le_bytes());
        [a, b, c, d]
    }
}

impl Value for u32 {
    const BITS: [u32; 2] = [0, 0];

    fn unpack(leaf: [u8; 4]) -> [Self; 4] {
        [Self::from_le_bytes(leaf), 0, 0, 0]
    }

    fn pack([value, ..]: [Self; 4]) -> [u8; 4] {
        value.to_le_bytes()
    }
}

/// Returns the index of a cell's value in its leaf.
fn slot<T: Value>(x: usize, z: usize) -> usize {
    // There is at most one bit, so the mask equals the number of bits.
    let [across, up] = T::BITS;
    (z & up as usize) << across | x & across as usize
}

/// Returns the maximum number of levels of nodes for a grid.
fn levels<T: Value>(size: [u32; 2]) -> u32 {
    let [across, up] = T::BITS;
    let [columns, rows] = size;
    let levels = |cells: u32, bits: u32| {
        // Number of bits of the last cell's index.
        let needed = u32::BITS.saturating_sub(cells.saturating_sub(1).leading_zeros());
        needed.saturating_sub(bits).div_ceil(2)
    };
    levels(columns, across).max(levels(rows, up))
}

/// Area of a grid that a child covers.
#[derive(Clone, Copy)]
struct Area {
    x: u64,
    z: u64,
    /// Maximum number of levels of nodes below.
    levels: u32,
}

impl Area {
    /// Returns the number of cells per side.
    fn size<T: Value>(self) -> [u64; 2] {
        T::BITS.map(|bits| 1_u64.wrapping_shl(bits.saturating_add(self.levels.saturating_mul(2))))
    }

    /// Returns one of the sixteen parts.
    fn part<T: Value>(self, child: u8) -> Self {
        let part = Self { levels: self.levels.saturating_sub(1), ..self };
        let [width, height] = part.size::<T>();
        let along = |start: u64, step: u64, count: u8| start.saturating_add(step.saturating_mul(count.into()));
        Self { x: along(self.x, width, child & 3), z: along(self.z, height, child >> 2), ..part }
    }

    /// Returns the columns and rows of the area that are inside the grid. Both are empty if one is, because the other may have
    /// billions.
    fn clip<T: Value>(self, size: [u32; 2]) -> [std::ops::Range<usize>; 2] {
        let [width, height] = self.size::<T>();
        let [columns, rows] = size;
        let clip = |start: u64, length: u64, cells: u32| {
            let [start, end] = [start, start.saturating_add(length)]
                .map(|cell| usize::try_from(cell.min(cells.into())).unwrap_or(usize::MAX));
            start..end
        };
        let [across, up] = [clip(self.x, width, columns), clip(self.z, height, rows)];
        if across.is_empty() || up.is_empty() { [0..0, 0..0] } else { [across, up] }
    }
}

/// A node whose children are being read.
struct Node {
    mask: u16,
    next: u8,
    area: Area,
}

/// Unpacks a tree into the values of its grid, row by row from the south. The caller has checked the number of values.
pub(crate) fn unpack<T: Value>(input: &mut Input<'_>, size: [u32; 2]) -> Result<Vec<T>, ReadError> {
    let [columns, rows] = size;
    let [width, height] = size.map(|cells| usize::try_from(cells).unwrap_or(usize::MAX));
    let mut values = vec![T::default(); width.saturating_mul(height)];
    let mut fill = |area: Area, leaf: [u8; 4]| {
        let leaf = T::unpack(leaf);
        let [across, up] = area.clip::<T>(size);
        for z in up {
            let start = z.saturating_mul(width);
            let row = values.get_mut(start..start.saturating_add(width)).and_then(|row| row.get_mut(across.clone()));
            for (x, value) in across.clone().zip(row.unwrap_or_default()) {
                *value = leaf.get(slot::<T>(x, z)).copied().unwrap_or_default();
            }
        }
    };
    let levels = levels::<T>(size);
    let too_deep = |input: &Input<'_>| ReadError::new(ReadErrorKind::Tree { levels, columns, rows }, input.position());
    let whole = Area { x: 0, z: 0, levels };
    if input.u8()? == 0 {
        fill(whole, input.array()?);
        return Ok(values);
    }
    if levels == 0 {
        return Err(too_deep(input));
    }
    let mut open = vec![Node { mask: input.u16_le()?, next: 0, area: whole }];
    while let Some(node) = open.last_mut() {
        if node.next == 16 {
            open.pop();
            continue;
        }
        let area = node.area.part::<T>(node.next);
        let is_node = node.mask & 1 == 1;
        node.mask >>= 1;
        node.next = node.next.saturating_add(1);
        if !is_node {
            fill(area, input.array()?);
        } else if area.levels == 0 {
            return Err(too_deep(input));
        } else {
            open.push(Node { mask: input.u16_le()?, next: 0, area });
        }
    }
    Ok(values)
}

/// Packs the values of a grid as a tree. Areas whose values repeat become leaves; values outside the grid are 0.
pub(crate) fn pack<T: Value>(values: &[T], size: [u32; 2]) -> Vec<u8> {
    let mut output = Output::new();
    let whole = Area { x: 0, z: 0, levels: levels::<T>(size) };
    if let Some(leaf) = leaf(values, size, whole) {
        output.u8(0);
        output.bytes(&leaf);
    } else {
        output.u8(1);
        pack_node(values, size, whole, &mut output);
    }
    output.into_bytes()
}

/// Writes a node. Recursion is limited by the number of levels, sixteen.
fn pack_node<T: Value>(values: &[T], size: [u32; 2], area: Area, output: &mut Output) {
    let leaves: [Option<[u8; 4]>; 16] =
        std::array::from_fn(|child| leaf(values, size, area.part::<T>(child.to_le_bytes()[0])));
    let nodes = leaves.iter().rev().fold(0, |mask, leaf| mask << 1 | u16::from(leaf.is_none()));
    output.u16_le(nodes);
    for (child, leaf) in (0..).zip(leaves) {
        match leaf {
            Some(leaf) => output.bytes(&leaf),
            None => pack_node(values, size, area.part::<T>(child), output),
        }
    }
}

/// Returns the leaf of an area if its values repeat.
fn leaf<T: Value>(values: &[T], size: [u32; 2], area: Area) -> Option<[u8; 4]> {
    let [columns, _] = size;
    let width = usize::try_from(columns).unwrap_or(usize::MAX);
    let mut leaf = [None; 4];
    let [across, up] = area.clip::<T>(size);
    for z in up {
        for x in across.clone() {
            let value = values.get(z.saturating_mul(width).saturating_add(x)).copied().unwrap_or_default();
            let slot = leaf.get_mut(slot::<T>(x, z))?;
            if *slot.get_or_insert(value) != value {
                return None;
            }
        }
    }
    Some(T::pack(leaf.map(Option::unwrap_or_default)))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn levels_depend_on_the_larger_side() {
        assert_eq!(
            [levels::<u32>([1, 1]), levels::<u32>([4, 1]), levels::<u32>([1, 5]), levels::<u32>([16, 16])],
            [0, 1, 2, 2]
        );
        assert_eq!(
            [levels::<u16>([2, 1]), levels::<u16>([2, 2]), levels::<u16>([8, 4]), levels::<u16>([9, 1])],
            [0, 1, 1, 2]
        );
        assert_eq!(
            [levels::<u8>([2, 2]), levels::<u8>([3, 2]), levels::<u8>([8, 8]), levels::<u8>([0, 9])],
            [0, 1, 1, 2]
        );
        assert_eq!(levels::<u32>([u32::MAX, 1]), 16);
    }

    fn unpacked<T: Value>(packed: &[u8], size: [u32; 2]) -> Result<Vec<T>, ReadErrorKind> {
        let mut input = Input::new(packed);
        let values = unpack(&mut input, size).map_err(ReadError::into_kind)?;
        assert!(input.is_empty(), "{} bytes are left", input.remaining());
        Ok(values)
    }

    #[test]
    fn the_values_of_a_leaf_repeat() {
        assert_eq!(unpacked::<u8>(&[0, 1, 2, 3, 4], [3, 3]).unwrap(), [1, 2, 1, 3, 4, 3, 1, 2, 1]);
        assert_eq!(unpacked::<u16>(&[0, 1, 0, 2, 0], [3, 2]).unwrap(), [1, 2, 1, 1, 2, 1]);
        assert_eq!(unpacked::<u32>(&[0, 1, 0, 0, 0], [2, 1]).unwrap(), [1, 1]);
        assert_eq!(unpacked::<u32>(&[0, 1, 0, 0, 0], [0, u32::MAX]).unwrap(), []);
    }

    #[test]
    fn children_go_from_west_to_east_and_then_north() {
        // A node of leaves on a grid of four by four.
        let mut packed = vec![1, 0, 0];
        (0..16_u32).for_each(|child| packed.extend(child.to_le_bytes()));
        assert_eq!(unpacked::<u32>(&packed, [4, 4]).unwrap(), (0..16).collect::<Vec<_>>());
        // The same on a smaller grid: values outside it are read and dropped.
        assert_eq!(unpacked::<u32>(&packed, [3, 2]).unwrap(), [0, 1, 2, 4, 5, 6]);
        // One more level: child 6 is a node, and its child 1 is 99.
        let mut packed = vec![1, 1 << 6, 0];
        for child in 0..16_u32 {
            if child == 6 {
                packed.extend([0, 0]);
                (0..16).for_each(|inner| packed.extend(if inner == 1 { 99_u32 } else { 100 }.to_le_bytes()));
            } else {
                packed.extend(child.to_le_bytes());
            }
        }
        let grid = unpacked::<u32>(&packed, [16, 16]).unwrap();
        assert_eq!(grid[4 * 16..5 * 16], [4, 4, 4, 4, 5, 5, 5, 5, 100, 99, 100, 100, 7, 7, 7, 7]);
        assert_eq!(grid[15 * 16], 12);
    }

    #[test]
    fn trees_deeper_than_their_grid_are_rejected() {
        let deep = [&[1][..], &[255; 5000]].concat();
        for size in [[1, 1], [4, 4], [16, 16], [u32::MAX, 1]] {
            let error = unpack::<u32>(&mut Input::new(&deep), if size[0] > 99 { [65_536, 1] } else { size });
            assert!(matches!(error.map_err(ReadError::into_kind), Err(ReadErrorKind::Tree { .. })));
        }
        assert!(matches!(
            unpack::<u8>(&mut Input::new(&[1, 0, 0, 1]), [8, 8]).map_err(ReadError::into_kind),
            Err(ReadErrorKind::Input(_))
        ));
    }

    #[test]
    fn packed_values_unpack_to_the_input() {
        fn check<T: Value + std::fmt::Debug>(value: impl Fn(usize) -> T) {
            for size in [[0, 0], [1, 1], [2, 2], [3, 1], [1, 40], [16, 16], [20, 20], [65, 64], [7, 300]] {
                let [columns, rows] = size.map(|cells| usize::try_from(cells).unwrap());
                for shift in [0, 1, 3, 20] {
                    let cells = (0..rows).flat_map(|z| (0..columns).map(move |x| (x >> shift, z >> shift)));
                    let values: Vec<T> = cells.map(|(x, z)| value(x * 31 + z * 7)).collect();
                    let packed = pack(&values, size);
                    assert_eq!(unpacked::<T>(&packed, size).unwrap(), values, "{size:?} {shift}");
                    if shift == 20 {
                        assert_eq!(packed.len(), 5, "all equal");
                    }
                }
            }
        }
        check(|number| number.to_le_bytes()[0]);
        check(|number| u16::try_from(number & 0xffff).unwrap());
        check(|number| u32::try_from(number).unwrap().wrapping_mul(0x0101_0101));
    }
}

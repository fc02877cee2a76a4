//! The objects of a plane.

use std::fmt;
use std::ops::{Deref, DerefMut, Range};
use std::sync::{Arc, OnceLock};

use mapwright_io::{Fault, Input};

use super::record::Field as _;
use super::{Object, split};

/// The objects of a plane, in the order of the file.
///
/// Use it as the `Vec` that it dereferences to. Objects that were read stay in the main block, where their sizes were checked. The
/// first access decodes all of them into a list that copies share; the first change drops the bytes. [`len`](Self::len) decodes
/// nothing.
#[derive(Clone, Default)]
pub struct Objects {
    /// Empty as long as `read` contains the objects.
    own: Vec<Object>,
    read: Option<Arc<Read>>,
}

/// Encoded objects in a main block.
struct Read {
    main: Arc<Vec<u8>>,
    bytes: Range<usize>,
    count: usize,
    list: OnceLock<Vec<Object>>,
}

impl Read {
    fn bytes(&self) -> &[u8] {
        self.main.get(self.bytes.clone()).unwrap_or_default()
    }

    /// Decodes the objects. [`Objects::skip`] checked each of them before.
    fn decode(&self) -> Vec<Object> {
        let mut input = Input::new(self.bytes());
        let mut objects = Vec::with_capacity(self.count);
        while objects.len() < self.count && object(&mut input, &mut objects).is_ok() {}
        objects
    }
}

impl Objects {
    /// Creates an empty list.
    pub const fn new() -> Self {
        Self { own: Vec::new(), read: None }
    }

    /// Returns the number of objects.
    pub fn len(&self) -> usize {
        self.read.as_ref().map_or(self.own.len(), |read| read.count)
    }

    /// Returns `true` if there are no objects.
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// Takes `count` objects in a range of a main block that [`skip`](Self::skip) has checked.
    pub(crate) fn in_block(main: &Arc<Vec<u8>>, bytes: Range<usize>, count: usize) -> Self {
        let read = Read { main: Arc::clone(main), bytes, count, list: OnceLock::new() };
        Self { own: Vec::new(), read: Some(Arc::new(read)) }
    }

    /// Skips an object without decoding it. It fails where [`object`] would.
    pub(crate) fn skip(input: &mut Input<'_>) -> Result<(), Fault> {
        let bytes = input.take(Object::FILE_SIZE)?;
        let (lengths, _) = bytes.get(Object::DERIVED).unwrap_or_default().as_chunks::<4>();
        for length in lengths {
            input.take(size(u32::get(length)))?;
        }
        Ok(())
    }

    /// Returns the encoded objects, if they were read and have not changed.
    pub(crate) fn bytes(&self) -> Option<&[u8]> {
        self.read.as_ref().map(|read| read.bytes())
    }

    /// Returns `true` if the objects are stored at this index of a main block, without comparing them.
    pub(crate) fn are_stored_at(&self, main: &Arc<Vec<u8>>, at: usize) -> bool {
        self.read.as_ref().is_some_and(|read| Arc::ptr_eq(&read.main, main) && read.bytes.start == at)
    }

    fn to_mut(&mut self) -> &mut Vec<Object> {
        if let Some(read) = self.read.take() {
            self.own = match Arc::try_unwrap(read) {
                Ok(mut read) => read.list.take().unwrap_or_else(|| read.decode()),
                Err(read) => read.list.get().cloned().unwrap_or_else(|| read.decode()),
            };
        }
        &mut self.own
    }
}

/// Reads an object into the list. It is built in place: moving a value of this size costs time.
fn object(input: &mut Input<'_>, objects: &mut Vec<Object>) -> Result<(), Fault> {
    let bytes = input.array::<{ Object::FILE_SIZE }>()?;
    let (fields, lengths) = split::<_, { Object::SIZE }, 4>(&bytes, Object::DERIVED);
    let mut text = |length: u32| input.take(size(length)).map(<[u8]>::to_vec);
    let [name, logic, image_set, animation] = lengths;
    let (name, logic, image_set, animation) = (text(name)?, text(logic)?, text(image_set)?, text(animation)?);
    objects.push(Object { name, logic, image_set, animation, ..Object::get(&fields) });
    Ok(())
}

fn size(length: u32) -> usize {
    usize::try_from(length).unwrap_or(usize::MAX)
}

impl Deref for Objects {
    type Target = Vec<Object>;

    fn deref(&self) -> &Vec<Object> {
        self.read.as_ref().map_or(&self.own, |read| read.list.get_or_init(|| read.decode()))
    }
}

impl DerefMut for Objects {
    fn deref_mut(&mut self) -> &mut Vec<Object> {
        self.to_mut()
    }
}

impl From<Vec<Object>> for Objects {
    fn from(own: Vec<Object>) -> Self {
        Self { own, read: None }
    }
}

impl FromIterator<Object> for Objects {
    fn from_iter<I: IntoIterator<Item = Object>>(objects: I) -> Self {
        Vec::from_iter(objects).into()
    }
}

impl IntoIterator for Objects {
    type Item = Object;
    type IntoIter = std::vec::IntoIter<Object>;

    fn into_iter(mut self) -> Self::IntoIter {
        std::mem::take(self.to_mut()).into_iter()
    }
}

impl<'a> IntoIterator for &'a Objects {
    type Item = &'a Object;
    type IntoIter = std::slice::Iter<'a, Object>;

    fn into_iter(self) -> Self::IntoIter {
        self.iter()
    }
}

impl<'a> IntoIterator for &'a mut Objects {
    type Item = &'a mut Object;
    type IntoIter = std::slice::IterMut<'a, Object>;

    fn into_iter(self) -> Self::IntoIter {
        self.iter_mut()
    }
}

impl PartialEq for Objects {
    fn eq(&self, other: &Self) -> bool {
        match (&self.read, &other.read) {
            // Every byte of an object is in one of its fields.
            (Some(read), Some(others)) => {
                read.count == others.count
                    && (other.are_stored_at(&read.main, read.bytes.start) || read.bytes() == others.bytes())
            }
            _ => self.len() == other.len() && **self == **other,
        }
    }
}

impl Eq for Objects {}

impl fmt::Debug for Objects {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        (**self).fmt(f)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{Document, Plane};

    fn is_decoded(objects: &Objects) -> bool {
        objects.read.as_ref().is_none_or(|read| read.list.get().is_some())
    }

    fn object(id: i32, logic: &[u8]) -> Object {
        Object { id, logic: logic.to_vec(), name: b"a\0b".to_vec(), ..Object::default() }
    }

    /// A level of two planes with objects, as it was built and as it is read.
    fn level() -> (Document, Document) {
        let mut level = Document::new();
        for logic in [b"Rat", b"Bat"] {
            let objects = [object(1, logic), object(2, b""), object(-3, logic)];
            level.planes.push(Plane { objects: objects.into_iter().collect(), ..Plane::default() });
        }
        let read = Document::from_bytes(&level.to_bytes().unwrap()).unwrap();
        (level, read)
    }

    #[test]
    fn objects_are_decoded_at_the_first_access() {
        let (level, read) = level();
        let again = Document::from_bytes(&level.to_bytes().unwrap()).unwrap();
        assert_eq!(read.to_bytes().unwrap(), level.to_bytes().unwrap());
        assert!(read == again && read.clone() == read && read.planes[0].objects != again.planes[1].objects);
        for document in [&read, &again] {
            for plane in &document.planes {
                assert!((plane.objects.len(), plane.objects.is_empty()) == (3, false) && !is_decoded(&plane.objects));
            }
        }
        assert!(Objects::new().is_empty() && Objects::new() == Objects::default());
        assert_eq!(read.planes[1].objects[2], object(-3, b"Bat"));
        assert!(!is_decoded(&read.planes[0].objects) && is_decoded(&read.planes[1].objects));
        assert_eq!(read.planes, level.planes);
        assert_eq!(level.planes, again.planes);
        assert_eq!(format!("{:?}", read.planes), format!("{:?}", level.planes));
        assert_eq!(format!("{:?}", Objects::new()), "[]");
    }

    #[test]
    fn copies_share_the_list_until_one_of_them_changes() {
        let (level, mut read) = level();
        let objects = &mut read.planes[0].objects;
        // Before an access: a change of the copy does not decode the original.
        let mut changed = objects.clone();
        changed[1].x = 7;
        let copy = objects.clone();
        assert!(changed.bytes().is_none() && !is_decoded(objects));
        // After an access.
        assert_eq!(objects.as_ptr(), copy.as_ptr());
        assert!(changed != *objects && *objects == level.planes[0].objects);
        let mut changed = copy.clone();
        changed.push(Object::default());
        assert_eq!((changed.len(), copy.len()), (4, 3));
        changed.pop();
        assert_eq!((&changed, &copy), (&*objects, &level.planes[0].objects));
        // The last owner moves the list instead of copying it.
        drop(copy);
        let list = objects.as_ptr();
        for object in &mut *objects {
            object.y = 9;
        }
        assert_eq!(objects.as_ptr(), list);
        let ys: Vec<i32> = std::mem::take(objects).into_iter().map(|object| object.y).collect();
        assert_eq!((ys, objects.len()), (vec![9; 3], 0));
        let ids: Vec<i32> = read.planes[1].objects.clone().into_iter().map(|object| object.id).collect();
        assert_eq!((ids, is_decoded(&read.planes[1].objects)), (vec![1, 2, -3], false));
    }

    #[test]
    fn a_change_does_not_decode_the_objects_of_other_planes() {
        let (mut level, mut read) = level();
        for document in [&mut level, &mut read] {
            document.planes[0].objects.remove(1);
            document.planes[1].z_coord = 5;
        }
        let written = read.to_bytes().unwrap();
        assert_eq!(written, level.to_bytes().unwrap());
        let main = &read.stored.as_ref().unwrap().main;
        assert!(
            !is_decoded(&read.planes[1].objects)
                && Arc::ptr_eq(&read.planes[1].objects.read.as_ref().unwrap().main, main)
        );
        assert_eq!(Document::from_bytes(&written).unwrap().planes, level.planes);
    }
}

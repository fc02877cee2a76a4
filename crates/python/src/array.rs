//! Views of memory as NumPy arrays, without a copy.
//!
//! NumPy reads the address and the shape of an array from the attribute `__array_interface__` of an object, and keeps the object alive.
//! The object owns the memory together with the other views, and nothing changes it.

use std::any::Any;
use std::sync::Arc;

use pyo3::exceptions::PyValueError;
use pyo3::prelude::*;
use pyo3::types::{PyDict, PyTuple};

/// A view of memory. NumPy arrays refer to it.
#[pyclass(frozen, module = "mapwright._native")]
struct View {
    _owner: Arc<dyn Any + Send + Sync>,
    address: usize,
    shape: Vec<usize>,
    kind: &'static str,
}

#[pymethods]
impl View {
    /// The memory, as the array interface protocol describes it.
    #[getter]
    fn __array_interface__<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyDict>> {
        let interface = PyDict::new(py);
        interface.set_item("version", 3)?;
        interface.set_item("shape", PyTuple::new(py, &self.shape)?)?;
        interface.set_item("typestr", self.kind)?;
        let is_read_only = true;
        interface.set_item("data", (self.address, is_read_only))?;
        Ok(interface)
    }
}

/// A type whose values are rows of numbers in memory.
pub(crate) trait Row: 'static {
    /// The type of the numbers, in the notation of the protocol.
    const KIND: &'static str;
    /// Adds the lengths of the inner dimensions.
    fn add_shape(_shape: &mut Vec<usize>) {}
}

macro_rules! rows {
    ($($type:ty: $little:literal $big:literal,)*) => { $(
        impl Row for $type {
            const KIND: &'static str = if cfg!(target_endian = "little") { $little } else { $big };
        }
    )* };
}
rows! { bool: "|b1" "|b1", u8: "|u1" "|u1", i16: "<i2" ">i2", u32: "<u4" ">u4", i64: "<i8" ">i8", f32: "<f4" ">f4", f64: "<f8" ">f8", }

impl Row for usize {
    const KIND: &'static str = match (cfg!(target_pointer_width = "64"), cfg!(target_endian = "little")) {
        (true, true) => "<u8",
        (true, false) => ">u8",
        (false, true) => "<u4",
        (false, false) => ">u4",
    };
}

impl<T: Row, const N: usize> Row for [T; N] {
    const KIND: &'static str = T::KIND;

    fn add_shape(shape: &mut Vec<usize>) {
        shape.push(N);
        T::add_shape(shape);
    }
}

/// Returns a NumPy array of values that the owner contains.
pub(crate) fn view<'py, O: Any + Send + Sync, T: Row>(
    py: Python<'py>,
    owner: &Arc<O>,
    values: fn(&O, usize) -> &[T],
    index: usize,
) -> PyResult<Bound<'py, PyAny>> {
    let values = values(owner, index);
    view_of(py, owner, values, vec![values.len()])
}

/// Returns a NumPy array of computed values.
pub(crate) fn owned<T: Row + Send + Sync>(py: Python<'_>, values: Vec<T>) -> PyResult<Bound<'_, PyAny>> {
    let owner = Arc::new(values);
    view_of(py, &owner, &owner, vec![owner.len()])
}

/// Returns a NumPy array of values with these outer dimensions. The caller passes a part of what the owner contains.
///
/// # Errors
/// Fails if the dimensions do not fit the number of values.
pub(crate) fn view_of<'py, O: Any + Send + Sync, T: Row>(
    py: Python<'py>,
    owner: &Arc<O>,
    values: &[T],
    mut shape: Vec<usize>,
) -> PyResult<Bound<'py, PyAny>> {
    // The size that NumPy reads must not exceed the memory.
    if shape.iter().try_fold(1_usize, |size, &length| size.checked_mul(length)) != Some(values.len()) {
        let message = format!("invalid size of an array: expected shape {shape:?}, found {} values", values.len());
        return Err(PyValueError::new_err(message));
    }
    T::add_shape(&mut shape);
    let owner: Arc<dyn Any + Send + Sync> = owner.clone();
    let view = View { _owner: owner, address: values.as_ptr() as usize, shape, kind: T::KIND };
    py.import("numpy")?.call_method1("asarray", (Py::new(py, view)?,))
}

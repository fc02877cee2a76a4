//! Matrices and properties as Python objects.

use mapwright::scene::{Properties, Transform, Value};
use pyo3::IntoPyObjectExt;
use pyo3::prelude::*;
use pyo3::types::{PyBytes, PyDict, PyList};

use crate::array::owned;

/// Returns the rows of a matrix. Scenes store columns.
pub(super) fn rows_of(transform: &Transform) -> [[f64; 4]; 4] {
    let columns = transform.matrix();
    std::array::from_fn(|row| std::array::from_fn(|column| columns[column][row]))
}

/// Returns properties as a dict. Of several properties with one name, the first counts.
pub(super) fn to_dict<'py>(py: Python<'py>, properties: &Properties) -> PyResult<Bound<'py, PyDict>> {
    dict_at(py, properties, 0)
}

fn dict_at<'py>(py: Python<'py>, properties: &Properties, depth: usize) -> PyResult<Bound<'py, PyDict>> {
    let dict = PyDict::new(py);
    for (name, value) in properties.iter() {
        if !dict.contains(name)? {
            dict.set_item(name, to_object(py, value, depth)?)?;
        }
    }
    Ok(dict)
}

/// Returns the value of a property. Values below the maximum depth are left out; readers create none.
fn to_object<'py>(py: Python<'py>, value: &Value, depth: usize) -> PyResult<Bound<'py, PyAny>> {
    if depth > Value::MAX_DEPTH {
        return Ok(py.None().into_bound(py));
    }
    match value {
        Value::Bool(flag) => flag.into_bound_py_any(py),
        Value::Int(number) => number.into_bound_py_any(py),
        Value::Float(number) => number.into_bound_py_any(py),
        Value::Text(text) => text.into_bound_py_any(py),
        Value::Bytes(bytes) => Ok(PyBytes::new(py, bytes).into_any()),
        Value::List(values) => {
            let list = PyList::empty(py);
            values.iter().try_for_each(|value| list.append(to_object(py, value, depth + 1)?))?;
            Ok(list.into_any())
        }
        Value::Map(properties) => Ok(dict_at(py, properties, depth + 1)?.into_any()),
    }
}

pub(super) fn matrix<'py>(py: Python<'py>, transform: &Transform) -> PyResult<Bound<'py, PyAny>> {
    owned(py, rows_of(transform).to_vec())
}

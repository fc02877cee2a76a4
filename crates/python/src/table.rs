//! Fields of objects as columns.

use std::sync::Arc;

use mapwright::query::{Column as Values, ColumnValues};
use pyo3::exceptions::PyKeyError;
use pyo3::prelude::*;

use crate::array::view_of;

/// Fields of objects as columns, by name.
#[pyclass(frozen, mapping, module = "mapwright")]
pub(crate) struct Table {
    columns: Vec<Arc<Values>>,
}

impl Table {
    pub(crate) fn new(columns: Vec<Values>) -> Self {
        Self { columns: columns.into_iter().map(Arc::new).collect() }
    }
}

#[pymethods]
impl Table {
    /// The names of the columns.
    #[getter]
    fn names(&self) -> Vec<&str> {
        self.columns.iter().map(|column| column.name.as_str()).collect()
    }

    /// The columns.
    #[getter]
    fn columns(&self) -> Vec<Column> {
        self.columns.iter().cloned().map(Column).collect()
    }

    /// The number of rows.
    #[getter]
    fn num_rows(&self) -> usize {
        self.columns.first().map_or(0, |column| length(column))
    }

    /// Returns a column as `Column.to_numpy` does.
    fn __getitem__<'py>(&self, py: Python<'py>, name: &str) -> PyResult<Bound<'py, PyAny>> {
        let column = self.columns.iter().find(|column| column.name == name);
        Column(column.ok_or_else(|| PyKeyError::new_err(name.to_owned()))?.clone()).to_numpy(py)
    }

    fn __contains__(&self, name: &str) -> bool {
        self.columns.iter().any(|column| column.name == name)
    }

    /// The number of columns.
    fn __len__(&self) -> usize {
        self.columns.len()
    }

    /// Returns the columns as a table of pyarrow. Columns of complete numbers and of text are not copied.
    fn to_arrow<'py>(slf: Bound<'py, Self>) -> PyResult<Bound<'py, PyAny>> {
        slf.py().import("mapwright._arrays")?.call_method1("table_to_arrow", (slf,))
    }

    fn __repr__(&self) -> String {
        format!("<Table {} rows: {}>", self.num_rows(), self.names().join(", "))
    }
}

/// A field of all objects of a table.
#[pyclass(frozen, module = "mapwright")]
pub(crate) struct Column(Arc<Values>);

fn length(column: &Values) -> usize {
    match &column.values {
        ColumnValues::Bool(values) => values.len(),
        ColumnValues::Int(values) => values.len(),
        ColumnValues::Float(values) => values.len(),
        ColumnValues::Numbers { width, values } => values.len() / width.max(&1),
        ColumnValues::Text { offsets, .. } => offsets.len().saturating_sub(1),
        _ => 0,
    }
}

#[pymethods]
impl Column {
    /// The name of the field.
    #[getter]
    fn name(&self) -> &str {
        &self.0.name
    }

    /// The type of the values: bool, int, float, numbers or text.
    #[getter]
    fn kind(&self) -> &'static str {
        match &self.0.values {
            ColumnValues::Bool(_) => "bool",
            ColumnValues::Int(_) => "int",
            ColumnValues::Float(_) => "float",
            ColumnValues::Numbers { .. } => "numbers",
            _ => "text",
        }
    }

    /// The number of rows.
    fn __len__(&self) -> usize {
        length(&self.0)
    }

    /// True for each row with a value, or None if all rows have one.
    #[getter]
    fn is_valid<'py>(&self, py: Python<'py>) -> PyResult<Option<Bound<'py, PyAny>>> {
        let valid = &self.0.is_valid;
        (!valid.is_empty()).then(|| view_of(py, &self.0, valid, vec![valid.len()])).transpose()
    }

    /// The values without a copy: numbers, or the UTF-8 of all texts. Rows without a value are 0 or empty.
    #[getter]
    fn values<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyAny>> {
        let rows = length(&self.0);
        match &self.0.values {
            ColumnValues::Bool(values) => view_of(py, &self.0, values, vec![rows]),
            ColumnValues::Int(values) => view_of(py, &self.0, values, vec![rows]),
            ColumnValues::Float(values) => view_of(py, &self.0, values, vec![rows]),
            ColumnValues::Numbers { width, values } => view_of(py, &self.0, values, vec![rows, *width]),
            ColumnValues::Text { text, .. } => view_of(py, &self.0, text.as_bytes(), vec![text.len()]),
            _ => Ok(py.None().into_bound(py)),
        }
    }

    /// The end of each text in `values`, after a first 0. None for numbers.
    #[getter]
    fn offsets<'py>(&self, py: Python<'py>) -> PyResult<Option<Bound<'py, PyAny>>> {
        match &self.0.values {
            ColumnValues::Text { offsets, .. } => view_of(py, &self.0, offsets, vec![offsets.len()]).map(Some),
            _ => Ok(None),
        }
    }

    /// Returns the texts of a column of text; other columns give None. A row without a value is None.
    fn to_texts(&self) -> Option<Vec<Option<&str>>> {
        let ColumnValues::Text { offsets, text } = &self.0.values else { return None };
        let rows = offsets.windows(2).enumerate().map(|(row, ends)| {
            let is_valid = self.0.is_valid.get(row).is_none_or(|valid| *valid);
            let [start, end] = [ends.first()?, ends.last()?].map(|end| usize::try_from(*end).unwrap_or(usize::MAX));
            text.get(start..end).filter(|_| is_valid)
        });
        Some(rows.collect())
    }

    /// Returns the values as a NumPy array: numbers without a copy if all rows have one, text as objects. A missing number is NaN, a
    /// missing whole number is masked.
    fn to_numpy<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyAny>> {
        py.import("mapwright._arrays")?.call_method1("column_to_numpy", (Py::new(py, Self(self.0.clone()))?,))
    }

    fn __repr__(&self) -> String {
        format!("<Column {}: {} {} rows>", self.0.name, length(&self.0), self.kind())
    }
}

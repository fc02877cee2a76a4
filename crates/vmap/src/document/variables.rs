//! Map variables.

use super::Document;
use super::root::root_child;
use super::value::{Texts, view};

view! {
    /// The variables of a map. A prefab can give them values.
    Variables {}
}

/// A map variable.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Variable<'a> {
    /// Name. Any text.
    pub name: &'a [u8],
    /// Value as text.
    pub value: &'a [u8],
    /// Type: `boolean`, `string`, `float`, `color255`, `resource:vmdl`… Empty in formats 16 and 18.
    pub type_name: &'a [u8],
    /// Parameter of the type; mostly empty.
    pub type_parameter: &'a [u8],
}

impl<'a> Variables<'a> {
    /// Iterates over the variables in order. Missing items of an array are empty.
    pub fn iter(self) -> impl ExactSizeIterator<Item = Variable<'a>> {
        let values = Texts::new(self.0, "variableValues");
        let type_names = Texts::new(self.0, "variableTypeNames");
        let type_parameters = Texts::new(self.0, "variableTypeParameters");
        Texts::new(self.0, "variableNames").iter().enumerate().map(move |(index, name)| Variable {
            name,
            value: values.get(index).unwrap_or_default(),
            type_name: type_names.get(index).unwrap_or_default(),
            type_parameter: type_parameters.get(index).unwrap_or_default(),
        })
    }

    /// Returns the groups of choices.
    pub fn choice_groups(self) -> impl Iterator<Item = ChoiceGroup<'a>> {
        self.0.children("m_ChoiceGroups").map(ChoiceGroup)
    }
}

view! {
    /// A group of choices. Each sets several variables. The name of the group is that of the element.
    ChoiceGroup {
        /// Name of the active choice.
        active: &'a [u8] = "m_ActiveValue", b"";
    }
}

impl<'a> ChoiceGroup<'a> {
    /// Returns the names of the variables.
    pub fn variables(self) -> Texts<'a> {
        Texts::new(self.0, "m_ChoiceVariables")
    }

    /// Returns the choices.
    pub fn choices(self) -> impl Iterator<Item = Choice<'a>> {
        self.0.children("m_Choices").map(Choice)
    }
}

view! {
    /// A choice. Its name is that of the element.
    Choice {}
}

impl<'a> Choice<'a> {
    /// Returns a value for each variable of the group.
    pub fn values(self) -> Texts<'a> {
        Texts::new(self.0, "m_ChoiceValues")
    }
}

impl Document {
    /// Returns the variables of the map.
    pub fn variables(&self) -> Option<Variables<'_>> {
        root_child(self, &["mapVariables"]).map(Variables)
    }
}

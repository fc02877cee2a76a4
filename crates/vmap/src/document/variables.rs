//! Map variables.

use super::Document;
use super::root::{part, texts};
use super::value::{Texts, view};

view! {
    /// The variables of a map: values that a prefab can be given where it is placed.
    Variables {}
}

/// A map variable.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Variable<'a> {
    /// The name. Any text.
    pub name: &'a [u8],
    /// The value, as text.
    pub value: &'a [u8],
    /// The type: `boolean`, `string`, `float`, `color255`, `resource:vmdl`… Empty in formats 16 and 18.
    pub type_name: &'a [u8],
    /// What the type takes besides. Mostly empty.
    pub type_parameter: &'a [u8],
}

impl<'a> Variables<'a> {
    /// The variables in order. What an array lacks is empty.
    pub fn iter(self) -> impl ExactSizeIterator<Item = Variable<'a>> {
        let values = texts(self.0, "variableValues");
        let type_names = texts(self.0, "variableTypeNames");
        let type_parameters = texts(self.0, "variableTypeParameters");
        texts(self.0, "variableNames").iter().enumerate().map(move |(index, name)| Variable {
            name,
            value: values.get(index).unwrap_or_default(),
            type_name: type_names.get(index).unwrap_or_default(),
            type_parameter: type_parameters.get(index).unwrap_or_default(),
        })
    }

    /// The groups of choices.
    pub fn choice_groups(self) -> impl Iterator<Item = ChoiceGroup<'a>> {
        self.0.children("m_ChoiceGroups").map(ChoiceGroup)
    }
}

view! {
    /// A choice that sets several variables at once. Its name is that of the element.
    ChoiceGroup {
        /// The name of the choice that is made.
        active: &'a [u8] = "m_ActiveValue", b"";
    }
}

impl<'a> ChoiceGroup<'a> {
    /// The variables that are set.
    pub fn variables(self) -> Texts<'a> {
        texts(self.0, "m_ChoiceVariables")
    }

    /// The choices.
    pub fn choices(self) -> impl Iterator<Item = Choice<'a>> {
        self.0.children("m_Choices").map(Choice)
    }
}

view! {
    /// What can be chosen. Its name is that of the element.
    Choice {}
}

impl<'a> Choice<'a> {
    /// A value for each variable of the group.
    pub fn values(self) -> Texts<'a> {
        texts(self.0, "m_ChoiceValues")
    }
}

impl Document {
    /// The variables of the map.
    pub fn variables(&self) -> Option<Variables<'_>> {
        part(self, &["mapVariables"]).map(Variables)
    }
}

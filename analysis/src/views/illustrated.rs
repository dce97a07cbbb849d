//! Sections of a document with their pictures, for a page of HTML.

use serde_json::{Value, json};

use super::plots::Picture;
use crate::document::{Document, Section};

/// The sections of a document with their pictures. Each picture of a topic moves to the topic's first section; those of no section stay.
pub(super) fn illustrated(document: &Document, pictures: &mut Vec<Picture>) -> Vec<Value> {
    let illustrated = |section: &Section| {
        json!({
            "anchor": section.anchor(),
            "title": section.title,
            // Whether it is a part of the section before it.
            "is_part": section.level > 2,
            "html": section.html(),
            "figures": figures(pictures.extract_if(.., |picture| picture.topic == section.topic)),
        })
    };
    document.sections.iter().map(illustrated).collect()
}

/// The pictures that were drawn.
pub(super) fn figures(pictures: impl IntoIterator<Item = Picture>) -> Vec<Value> {
    let drawn =
        |Picture { name, title, drawing, .. }| Some(json!({ "name": name, "title": title, "svg": drawing.ok()? }));
    pictures.into_iter().filter_map(drawn).collect()
}

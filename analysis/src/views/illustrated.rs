//! Sections of a document with their pictures, for a page of HTML.

use serde::Serialize;

use super::plots::Picture;
use crate::document::{Document, Section};

/// A section with the pictures of its topic.
#[derive(Debug, Serialize)]
pub(super) struct Illustrated {
    pub(super) anchor: String,
    pub(super) title: String,
    /// Whether it is a part of the section before it.
    pub(super) is_part: bool,
    html: String,
    figures: Vec<Figure>,
}

/// A drawn picture.
#[derive(Debug, Serialize)]
pub(super) struct Figure {
    name: &'static str,
    title: &'static str,
    svg: String,
}

/// The sections of a document. Each picture of a topic moves to the topic's first section; those of no section stay.
pub(super) fn illustrated(document: &Document, pictures: &mut Vec<Picture>) -> Vec<Illustrated> {
    let illustrated = |section: &Section| Illustrated {
        anchor: section.anchor(),
        title: section.title.clone(),
        is_part: section.level > 2,
        html: section.html(),
        figures: figures(pictures.extract_if(.., |picture| picture.topic == section.topic)),
    };
    document.sections.iter().map(illustrated).collect()
}

/// The pictures that were drawn.
pub(super) fn figures(pictures: impl IntoIterator<Item = Picture>) -> Vec<Figure> {
    let drawn = |Picture { name, title, drawing, .. }| Some(Figure { name, title, svg: drawing.ok()? });
    pictures.into_iter().filter_map(drawn).collect()
}

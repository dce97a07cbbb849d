//! Sections of a document with their pictures, for a page of HTML.

use serde::Serialize;

use super::document::Document;
use super::plots::{Drawing, Picture};

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

/// The sections of a document, and the pictures of no section. A picture follows the first section of its topic.
pub(super) fn illustrated(document: &Document, pictures: Vec<Picture>) -> (Vec<Illustrated>, Vec<Picture>) {
    let mut left = pictures;
    let mut sections = Vec::new();
    for section in &document.sections {
        let (own, others) = left.into_iter().partition(|picture| picture.topic == section.topic);
        left = others;
        sections.push(Illustrated {
            anchor: section.anchor(),
            title: section.title.clone(),
            is_part: section.level > 2,
            html: section.html(),
            figures: figures(own),
        });
    }
    (sections, left)
}

/// The pictures that were drawn.
pub(super) fn figures(pictures: Vec<Picture>) -> Vec<Figure> {
    let drawn = |picture: Picture| match picture.drawing {
        Drawing::Drawn(svg) => Some(Figure { name: picture.name, title: picture.title, svg }),
        Drawing::Missing(_) => None,
    };
    pictures.into_iter().filter_map(drawn).collect()
}

//! SVG to PNG, with the fonts of the system or one that the user names.

use std::path::{Path, PathBuf};
use std::sync::Arc;

use resvg::tiny_skia::{Pixmap, Transform};
use resvg::usvg::{Options, Tree, fontdb};

/// Pixels of a PNG for one of the SVG, in each direction.
const ENLARGED: f32 = 2.0;

/// Families that are taken if they are there, in this order.
const FAMILIES: [&str; 6] = ["DejaVu Sans", "Verdana", "Arial", "Helvetica", "Liberation Sans", "Noto Sans"];

/// A failure to make a PNG.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum PngError {
    /// No font was found.
    #[error("no font for PNG was found; install DejaVu Sans or another of {}, or name a TrueType file with --font", FAMILIES.join(", "))]
    NoFont,
    /// The named file has no font.
    #[error("{}: {problem}", path.display())]
    Font { path: PathBuf, problem: String },
    /// The SVG could not be drawn.
    #[error("a picture could not be turned into PNG: {0}")]
    Draw(String),
}

/// The fonts that texts are drawn with.
#[derive(Debug, Clone)]
pub struct PngFonts {
    fonts: Arc<fontdb::Database>,
    family: String,
}

impl PngFonts {
    /// Takes a font file, or finds a font on the system.
    ///
    /// # Errors
    /// It does not exist, or the file has none.
    pub fn find(file: Option<&Path>) -> Result<Self, PngError> {
        let mut fonts = fontdb::Database::new();
        let family = match file {
            Some(path) => {
                let problem = |problem: String| PngError::Font { path: path.to_owned(), problem };
                fonts.load_font_file(path).map_err(|error| problem(error.to_string()))?;
                let family = fonts.faces().find_map(|face| Some(face.families.first()?.0.clone()));
                family.ok_or_else(|| problem("not a font that can be read".into()))?
            }
            None => {
                fonts.load_system_fonts();
                let has =
                    |name: &&str| fonts.faces().any(|face| face.families.iter().any(|(family, _)| family == name));
                FAMILIES.into_iter().find(has).ok_or(PngError::NoFont)?.to_owned()
            }
        };
        fonts.set_sans_serif_family(&family);
        Ok(Self { fonts: Arc::new(fonts), family })
    }

    /// The family that is taken.
    pub fn family(&self) -> &str {
        &self.family
    }

    /// Draws an SVG as PNG, twice as large.
    ///
    /// # Errors
    /// The SVG cannot be read or is too large.
    pub fn png(&self, svg: &str) -> Result<Vec<u8>, PngError> {
        let draw = |error: String| PngError::Draw(error);
        let options =
            Options { fontdb: Arc::clone(&self.fonts), font_family: self.family.clone(), ..Options::default() };
        let tree = Tree::from_str(svg, &options).map_err(|error| draw(error.to_string()))?;
        let size = tree.size().to_int_size().scale_by(ENLARGED).ok_or_else(|| draw("no size".into()))?;
        let mut pixels = Pixmap::new(size.width(), size.height()).ok_or_else(|| draw("too large".into()))?;
        resvg::render(&tree, Transform::from_scale(ENLARGED, ENLARGED), &mut pixels.as_mut());
        pixels.encode_png().map_err(|error| draw(error.to_string()))
    }
}

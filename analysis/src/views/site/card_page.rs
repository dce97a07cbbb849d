//! The page of a card: its report in addition to the timings.

use serde_json::{Value, json};

use super::card::{Card, banner};
use crate::document::Document;
use crate::views::origin::device;
use crate::views::report::illustrated;
use crate::views::{FONTS, Picture, findings, pictures};

/// Tables whose rows are on the pages of their instructions.
const ON_OTHER_PAGES: [&str; 7] =
    ["timings", "validation", "disputes", "semantics", "variants", "throughput", "distributions"];

/// The content of a card's template.
pub(super) fn card_page(card: &Card<'_>) -> Value {
    // Instructions have pages of their own, and a reader of the site knows what is said before them.
    let mut page = Document::default();
    device(&mut page, card.run);
    findings(&mut page, card.run);
    let shortened = |picture: Picture| Picture { drawing: picture.drawing.map(|svg| shortened(&svg)), ..picture };
    let mut pictures = pictures(card.run, None).into_iter().map(shortened).collect();
    let mut tables = card.run.tables(None);
    tables.retain(|table| !ON_OTHER_PAGES.contains(&table.id.as_str()));
    json!({
        "name": card.run.record.device.name,
        "root": "../",
        "slug": card.slug,
        "banner": banner(std::iter::once(card)),
        "sections": illustrated(&page, &mut pictures),
        "tables": tables,
    })
}

/// A picture without the styles of the site's style sheet: a card's page is a third as large.
fn shortened(svg: &str) -> String {
    // What SVG has without a word, and what most of the texts have.
    let font = format!(" font-family=\"{FONTS}\"");
    let common = [" font-size=\"11\"", " text-anchor=\"middle\""];
    let without = [&*font, " opacity=\"1\"", " stroke=\"none\"", " fill=\"#000000\"", common[0], common[1]];
    let svg = without.into_iter().fold(svg.to_owned(), |svg, words| svg.replace(words, ""));
    outlined(&svg.replacen("<svg", &format!("<svg{}", common.concat()), 1).replace("\n<", "<").replace(">\n", ">"))
}

/// With one rectangle where two lie upon each other, the second of them nothing but an outline.
fn outlined(svg: &str) -> String {
    const RECT: &str = "<rect ";
    let mut parts = svg.split(RECT).peekable();
    let mut short = parts.next().unwrap_or_default().to_owned();
    while let Some(part) = parts.next() {
        let (place, rest) = part.split_once(" fill=").unwrap_or_default();
        let outline = parts.peek().and_then(|next| next.strip_prefix(place)?.strip_prefix(" fill=\"none\""));
        match rest.strip_suffix("/>").zip(outline) {
            Some((fill, outline)) if !fill.contains('>') => {
                short.extend([RECT, place, " fill=", fill, outline]);
                parts.next();
            }
            _ => short.extend([RECT, part]),
        }
    }
    short
}

#[cfg(test)]
mod tests {
    use super::outlined;

    #[test]
    fn an_outline_joins_its_rectangle() {
        let both = "<svg><rect x=\"1\" y=\"2\" fill=\"#FFF\"/><rect x=\"1\" y=\"2\" fill=\"none\" stroke=\"#DDD\"/><text/></svg>";
        assert_eq!(outlined(both), "<svg><rect x=\"1\" y=\"2\" fill=\"#FFF\" stroke=\"#DDD\"/><text/></svg>");
        let apart = both.replace("y=\"2\" fill=\"none\"", "y=\"3\" fill=\"none\"");
        assert_eq!(outlined(&apart), apart);
    }
}

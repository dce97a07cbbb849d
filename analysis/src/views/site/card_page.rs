//! The page of a card: its report in addition to the timings.

use serde::Serialize;

use super::banner::banner;
use super::card::Card;
use crate::views::{Drawing, FONTS, Picture, Table, pictures};

/// Pictures of a card's page; the others are of single instructions, or of a source.
const PICTURES: [&str; 6] = ["occupancy", "alignment", "jumps", "masking", "scheduling", "lds-strides"];

/// Tables whose rows are on the pages of their instructions.
const ON_OTHER_PAGES: [&str; 7] =
    ["timings", "validation", "disputes", "semantics", "variants", "throughput", "distributions"];

/// The content of a card's template.
#[derive(Debug, Serialize)]
pub(super) struct CardPage {
    name: String,
    root: &'static str,
    slug: String,
    banner: Option<&'static str>,
    facts: Vec<Fact>,
    dpfactor: Option<String>,
    tables: Vec<Table>,
    pictures: Vec<CardPicture>,
}

/// A name and its meaning.
#[derive(Debug, Serialize)]
struct Fact {
    name: &'static str,
    value: String,
}

#[derive(Debug, Serialize)]
struct CardPicture {
    title: &'static str,
    svg: String,
}

impl CardPage {
    pub(super) fn of(card: &Card<'_>) -> Self {
        let drawn = |picture: Picture| match picture.drawing {
            Drawing::Drawn(svg) if PICTURES.contains(&picture.name) => {
                Some(CardPicture { title: picture.title, svg: shortened(&svg) })
            }
            _ => None,
        };
        Self {
            name: card.run.record.device.name.clone(),
            root: "../",
            slug: card.slug.clone(),
            banner: banner(std::iter::once(card)),
            facts: facts(card),
            dpfactor: dpfactor(card),
            tables: card
                .run
                .tables()
                .into_iter()
                .filter(|table| !ON_OTHER_PAGES.contains(&table.id.as_str()))
                .collect(),
            pictures: pictures(card.run, None).into_iter().filter_map(drawn).collect(),
        }
    }
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

fn facts(card: &Card<'_>) -> Vec<Fact> {
    let fact = |name, value| Fact { name, value };
    let (record, device) = (&card.run.record, &card.run.record.device);
    let numbers = card.run.timings.iter().filter(|row| row.cycles.or(row.taken).is_some()).count();
    let kept = if card.run.estimates.is_empty() { "tables alone, without readings" } else { "readings and tables" };
    let mut facts = vec![
        fact("Target", format!("{}, {}", device.target, device.generation_title())),
        fact("Driver", device.driver.clone()),
        fact("Tool", record.tool.clone()),
        fact("Instructions", format!("{} listed, {numbers} with a number", card.run.timings.len())),
        fact("Kept", kept.to_owned()),
    ];
    if device.compute_units > 0 {
        facts.push(fact("Compute units", device.compute_units.to_string()));
    }
    if !record.start.is_empty() {
        let end = record.end.as_deref().unwrap_or("the run is incomplete");
        facts.push(fact("Run", format!("{} to {end}", record.start)));
    }
    facts
}

fn dpfactor(card: &Card<'_>) -> Option<String> {
    let found = card.run.dpfactor.as_ref().ok()?;
    let is_exact = found.low == found.high;
    let within = if is_exact { String::new() } else { format!(" {}", found.bracketed()) };
    Some(format!(
        "{}{within}: double precision runs at {} of single precision. {}.",
        found.words(),
        found.rate(),
        found.agreement()
    ))
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

//! The page of a card: its report in addition to the timings.

use serde::Serialize;

use super::banner::banner;
use super::card::Card;
use super::numbers::{Grid, GridRow};
use crate::occupancy::{Allocation, IssueRow, OccupancyRow};
use crate::rules::PenaltyRow;
use crate::tables::{Number, Single, decimal};
use crate::views::{Drawing, FONTS, Picture, pictures};

/// Pictures of a card's page; the others are of single instructions, or of a source.
const PICTURES: [&str; 6] = ["occupancy", "alignment", "jumps", "masking", "scheduling", "lds-strides"];

/// The content of a card's template.
#[derive(Debug, Serialize)]
pub(super) struct CardPage {
    name: String,
    root: &'static str,
    slug: String,
    banner: Option<&'static str>,
    facts: Vec<Fact>,
    dpfactor: Option<String>,
    tables: Vec<CardTable>,
    pictures: Vec<CardPicture>,
}

/// A name and its meaning.
#[derive(Debug, Serialize)]
struct Fact {
    name: &'static str,
    value: String,
}

#[derive(Debug, Serialize)]
struct CardTable {
    id: &'static str,
    title: &'static str,
    note: &'static str,
    head: &'static str,
    grid: Grid,
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
            tables: [occupancy(card), allocation(card), issue(card), penalties(card)].into_iter().flatten().collect(),
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
        let end = record.end.as_deref().unwrap_or("the run did not come to its end");
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

fn plain(value: f64) -> Number {
    Number::certain(decimal(value))
}

fn table(
    [id, title, note, head]: [&'static str; 4],
    columns: &[&str],
    rows: impl Iterator<Item = GridRow>,
) -> Option<CardTable> {
    let columns = columns.iter().map(|&column| column.to_owned()).collect();
    let grid = Grid { columns, rows: rows.collect() }.if_any()?;
    Some(CardTable { id, title, note, head, grid })
}

fn occupancy(card: &Card<'_>) -> Option<CardTable> {
    let whole = |value: Option<u32>| value.map(|value| plain(value.into()));
    let row = |row: &OccupancyRow| GridRow {
        head: row.waves_per_simd.to_string(),
        cells: [whole(row.sgprs), whole(row.vgprs), row.lds_dwords_per_lane.map(plain), row.issue.map(Number::rate)]
            .map(Number::or_dash)
            .into(),
    };
    table(
        [
            "occupancy",
            "Occupancy",
            "The most that each wave may have for so many waves to run at once on a SIMD, and the most instructions that were issued per \
             cycle then.",
            "Waves",
        ],
        &["SGPRs", "VGPRs", "LDS dwords of a lane", "Issued per cycle"],
        card.run.occupancy.table.iter().map(row),
    )
}

fn allocation(card: &Card<'_>) -> Option<CardTable> {
    let text = |text: String| Some(Number::certain(text));
    let row = |row: &Allocation| GridRow {
        head: row.resource.to_string(),
        cells: [
            text(row.granules.text().replace(' ', " or ")),
            text(row.total.0.to_string()),
            row.total.1.map(|most| plain(most.into())),
        ]
        .map(Number::or_dash)
        .into(),
    };
    table(
        [
            "allocation",
            "How registers and LDS are given out",
            "Granules and totals that explain at which amounts one wave fewer runs: of a SIMD, and of a compute unit for LDS (bytes).",
            "Resource",
        ],
        &["Granule", "In all, at least", "At most"],
        card.run.occupancy.allocations.iter().map(row),
    )
}

fn issue(card: &Card<'_>) -> Option<CardTable> {
    let row = |row: &IssueRow| GridRow {
        head: row.mix.clone(),
        cells: [Some(plain(row.waves_per_simd.into())), row.issue.map(Number::rate)].map(Number::or_dash).into(),
    };
    table(
        [
            "issue",
            "Unlike instructions at once",
            "Instructions per cycle and compute unit in blocks of instructions of unlike kinds.",
            "Block",
        ],
        &["Waves on a SIMD", "Issued per cycle"],
        card.run.occupancy.issue.iter().map(row),
    )
}

fn penalties(card: &Card<'_>) -> Option<CardTable> {
    let row = |row: &PenaltyRow| GridRow {
        head: format!("{}: {}", row.experiment, row.case),
        cells: [
            row.offset_dwords.map(|offset| plain(offset.into())),
            Some(plain(row.waves_per_simd.into())),
            row.penalty.map(Number::cycles),
        ]
        .map(Number::or_dash)
        .into(),
    };
    table(
        ["penalties", "Penalties", "What each case costs more, in shader cycles.", "Case"],
        &["Dword offset or stride", "Waves on a SIMD", "Penalty"],
        card.run.penalties.iter().map(row),
    )
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

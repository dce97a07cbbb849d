//! The table of what becomes of the kernels of libraries: a file, and the same in a page.

use gcn_predict::Basis;

use crate::corpora::counts::Counts;
use crate::corpora::library::Library;

/// The columns of the file; those of the page are fewer.
const COLUMNS: [&str; 18] = [
    "package",
    "version",
    "target",
    "gpu",
    "each",
    "kernels",
    "instructions",
    "loops",
    "straight",
    "predicted",
    "not_steady",
    "instructions_in_regions",
    "instructions_reached",
    "gpu_file_percent",
    "published_percent",
    "rule_percent",
    "estimated_percent",
    "refused",
];
/// The columns of the page, and their headings.
const OF_PAGE: [(&str, &str); 13] = [
    ("package", "package"),
    ("target", "target"),
    ("gpu", "GPU"),
    ("kernels", "kernels"),
    ("loops", "loops"),
    ("straight", "without loop"),
    ("predicted", "predicted"),
    ("not_steady", "not steady"),
    ("gpu_file_percent", "GPU file, %"),
    ("published_percent", "published, %"),
    ("rule_percent", "rule, %"),
    ("estimated_percent", "estimated, %"),
    ("refused", "refused"),
];

/// The first line of the file.
pub(crate) fn heading() -> String {
    format!("{}\n", COLUMNS.join(","))
}

/// The row of each n-th kernel for a GPU.
pub(crate) fn row(library: &Library, target: &str, gpu: &str, (each, counts): (usize, &Counts)) -> String {
    let issue: f64 = counts.issue.values().sum();
    let percent = |basis: Basis| format!("{:.1}", counts.issue.get(&basis).copied().unwrap_or(0.0) / issue * 100.0);
    let refused = counts.refused.iter().map(|(reason, count)| format!("{count}: {reason}"));
    let cells = [
        library.package.to_owned(),
        library.version.to_owned(),
        target.to_owned(),
        gpu.to_owned(),
        each.to_string(),
        counts.kernels.to_string(),
        counts.instructions.to_string(),
        counts.loops.to_string(),
        counts.straight.to_string(),
        counts.predicted.to_string(),
        counts.not_steady.to_string(),
        counts.in_regions.to_string(),
        counts.reached.to_string(),
        percent(Basis::GpuFile),
        percent(Basis::Published),
        percent(Basis::Rule),
        percent(Basis::Estimated),
        refused.collect::<Vec<_>>().join("; "),
    ];
    format!("{}\n", cells.join(","))
}

/// The row of kernels for a target that no GPU here has.
pub(crate) fn row_without_gpu(library: &Library, target: &str, kernels: usize) -> String {
    let known = format!("{},{},{target},,1,{kernels}", library.package, library.version);
    format!("{known}{}{kernels}: no GPU of this table has the target\n", ",".repeat(COLUMNS.len() - 6))
}

/// The row of the file for all kernels of a library for a target, if it has as many.
pub(crate) fn whole_row_of(file: &str, library: &Library, target: &str, kernels: usize) -> Option<String> {
    let start = format!("{},{},{target},", library.package, library.version);
    let whole = ["1".to_owned(), kernels.to_string()];
    let is_row = |line: &&str| line.starts_with(&start) && line.split(',').skip(4).take(2).eq(whole.iter());
    file.lines().find(is_row).map(|line| format!("{line}\n"))
}

/// The rows of the file with a GPU as a table of the page.
pub(crate) fn of_page(file: &str) -> String {
    let mut reader = csv::Reader::from_reader(file.as_bytes());
    let columns: Vec<usize> = {
        let headers = reader.headers().unwrap();
        OF_PAGE.iter().map(|(column, _)| headers.iter().position(|header| header == *column).unwrap()).collect()
    };
    let line = |cells: Vec<&str>| format!("| {} |\n", cells.join(" | "));
    let mut table = line(OF_PAGE.iter().map(|(_, heading)| *heading).collect());
    table += &line(vec!["---"; OF_PAGE.len()]);
    let place = |name: &str| COLUMNS.iter().position(|column| *column == name).unwrap();
    let (gpu, each) = (place("gpu"), place("each"));
    for row in reader.records().map(Result::unwrap).filter(|row| !row[gpu].is_empty() && &row[each] == "1") {
        table += &line(columns.iter().map(|column| &row[*column]).collect());
    }
    table
}

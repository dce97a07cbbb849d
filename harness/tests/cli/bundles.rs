//! Bundles: their content, the removals, and refused parts.

use std::fs;
use std::io::Write;
use std::path::{Path, PathBuf};
use std::process::Command;

use gcn_analysis::run::{JournalEntry, RunKey, StoredFile, StoredFiles, derived, load_run_record, run_record_text};
use gcn_harness::bundle::{BundleError, MOST_OF_A_BUNDLE, check};
use gcn_model::record::{ExperimentStatus, RunRecord};
use proptest::prelude::*;
use proptest::test_runner::TestRunner;
use tempfile::TempDir;

use super::{CommandOutput, failure, names, program, run, said, small_run, temporary, text};

/// A user and a machine that do not exist, and a folder with private data.
const USER: &str = "zaphodbeeblebrox";
const HOST: &str = "heartofgold";
const PROJECT: &str = "infinite-improbability";

/// Somebody's machine: a home folder with a card's file and a run in it.
struct Host {
    folder: TempDir,
}

impl Host {
    fn new() -> Self {
        let machine = Self { folder: temporary() };
        fs::create_dir_all(machine.home().join(PROJECT)).unwrap();
        fs::write(machine.home().join(PROJECT).join("card.toml"), "base = \"tahiti\"\nname = \"mine\"\n").unwrap();
        machine
    }

    fn home(&self) -> PathBuf {
        self.folder.path().join("people").join(USER)
    }

    fn command(&self) -> Command {
        let mut command = program();
        let domain = format!("{HOST}.galaxy.example");
        command.env("HOME", self.home()).env("USER", USER).env("LOGNAME", USER).env("HOSTNAME", domain);
        command.current_dir(self.home().join(PROJECT));
        command
    }

    /// A run of the card there.
    fn run(&self) -> PathBuf {
        let device = format!("sim:{}", self.home().join(PROJECT).join("card.toml").display());
        let mut command = self.command();
        command.args(["measure", "--device", &device, "--only", "V_*_F64", "--waves", "1,2", "--out", "run"]);
        let CommandOutput { code, error, .. } = said(command.output().unwrap());
        assert_eq!(code, Some(0), "{error}");
        self.home().join(PROJECT).join("run")
    }

    /// A bundle of the run there, by this name.
    fn bundle(&self, name: &str) -> (PathBuf, String) {
        let CommandOutput { code, out, error } =
            said(self.command().args(["bundle", "run", "--out", name]).output().unwrap());
        assert_eq!((code, error.as_str()), (Some(0), ""), "{out}");
        (self.home().join(PROJECT).join(name), out)
    }

    /// What must not stand anywhere.
    fn secrets(&self) -> Vec<String> {
        let folder = self.folder.path().display().to_string();
        [USER, HOST, PROJECT].map(str::to_owned).into_iter().chain([folder]).collect()
    }

    fn assert_clean(&self, bytes: &[u8]) {
        let bytes = bytes.to_ascii_lowercase();
        for secret in self.secrets() {
            let secret = secret.to_ascii_lowercase();
            let is_there = bytes.windows(secret.len()).any(|window| window == secret.as_bytes());
            assert!(!is_there, "{secret} is in it");
        }
    }
}

/// The bytes of a bundle, as they are and as they were before they were compressed.
fn both(file: &Path) -> [Vec<u8>; 2] {
    let packed = fs::read(file).unwrap();
    let unpacked = zstd::decode_all(packed.as_slice()).unwrap();
    [packed, unpacked]
}

fn bundled() -> Vec<u8> {
    let folder = temporary();
    let path = small_run(&folder);
    let file = folder.path().join("bundle");
    assert_eq!(run(&["bundle", text(&path), "--out", text(&file)]).code, Some(0));
    fs::read(file).unwrap()
}

#[test]
fn a_bundle_says_nothing_of_its_owner_and_gives_the_same_tables_elsewhere() {
    let machine = Host::new();
    let original = machine.run();
    assert!(fs::read_to_string(original.join("run.json")).unwrap().contains(USER), "there is something to take out");
    let (file, out) = machine.bundle("bundle.tar.zst");
    for bytes in both(&file) {
        machine.assert_clean(&bytes);
    }
    for told in ["inside    run.json", "inside    readings.csv", "taken out path "] {
        assert!(out.contains(told), "{out}");
    }
    // The same run gives the same bytes; nothing is overwritten.
    let (again, _) = machine.bundle("again.tar.zst");
    assert_eq!(fs::read(&again).unwrap(), fs::read(&file).unwrap());
    let CommandOutput { code, error, .. } =
        said(machine.command().args(["bundle", "run", "--out", "again.tar.zst"]).output().unwrap());
    assert!(code == Some(1) && error.contains("exists: nothing is overwritten"), "{error}");

    let elsewhere = temporary();
    let there = elsewhere.path().join("received");
    fs::copy(&file, &there).unwrap();
    let CommandOutput { code, out, error } = run(&["bundle", "--check", text(&there)]);
    assert_eq!((code, error.as_str()), (Some(0), ""));
    assert!(out.contains("whole: ") && out.contains("those of the sender") && out.contains("DPFACTOR"), "{out}");
    let CommandOutput { code, out, error } = run(&["bundle", "--check", text(&there), "--json"]);
    assert_eq!((code, error.as_str()), (Some(0), ""));
    let checked: serde_json::Value = serde_json::from_str(&out).unwrap();
    assert_eq!(checked["other_tables"], serde_json::json!([]));
    assert!(checked["manifest"]["files"].as_array().is_some_and(|files| files.len() == 4), "{out}");
    assert_eq!(checked["summary"]["simulated"], true);
    assert_eq!(names(elsewhere.path()), ["received"], "nothing is written");
    let unpacked = elsewhere.path().join("run");
    assert_eq!(run(&["bundle", "--unpack", text(&there), "--out", text(&unpacked)]).code, Some(0));
    let tables = |folder: &Path| derived().map(|name| fs::read(folder.join(name)).ok()).collect::<Vec<_>>();
    assert_eq!(tables(&unpacked), tables(&original));
    for name in derived() {
        let _ = fs::remove_file(unpacked.join(name));
    }
    assert_eq!(run(&["analyze", text(&unpacked)]).code, Some(0));
    assert_eq!(tables(&unpacked), tables(&original));
    for name in ["experiments.csv", "readings.csv"] {
        assert_eq!(fs::read(unpacked.join(name)).unwrap(), fs::read(original.join(name)).unwrap(), "{name}");
    }
    let error = failure(&["bundle", "--unpack", text(&there), "--out", text(&unpacked)]);
    assert!(error.contains("exists: nothing is overwritten"), "{error}");
}

/// Writes a run anew in which the last try failed for this reason, and a launch that warmed the card up too.
fn fail_last(folder: &Path, why: &str) {
    let stored = StoredFiles::load(folder).unwrap();
    let record = RunRecord { warm_up_failure: Some(why.to_owned()), ..stored.run().record.clone() };
    let text_of =
        |file, tries: &[_]| -> Vec<u8> { tries.iter().flat_map(|of| stored.text_of(file, of)).copied().collect() };
    let header = |file| {
        let text = stored.complete(file);
        text[..=text.iter().position(|&byte| byte == b'\n').unwrap()].to_vec()
    };
    // In the first sweep each try writes its row.
    let mut sweep: Vec<_> = stored.tries().iter().filter(|tried| tried.round == 0).cloned().collect();
    let last = sweep.pop().unwrap();
    let mut experiment = stored.run().experiments[last.experiment].clone();
    experiment.end(ExperimentStatus::Failed, why);
    let line = |record: &dyn Fn(&mut csv::Writer<Vec<u8>>)| {
        let mut writer = csv::WriterBuilder::new().has_headers(false).from_writer(Vec::new());
        record(&mut writer);
        writer.into_inner().unwrap()
    };
    let entry = JournalEntry {
        round: last.round,
        experiment: &experiment.experiment,
        dp_rates: &last.dp_rates,
        failure: why,
        row: &line(&|writer| writer.serialize(&experiment).unwrap()),
        readings: 0,
        readings_rows: &[],
    };
    let entry = entry.record(&RunKey::of(&record));
    let tries = sweep.len() as u64 + 1;
    let files = [
        ("experiments.csv", StoredFile::Experiments, line(&|writer| writer.serialize(&experiment).unwrap())),
        ("journal.csv", StoredFile::Journal, line(&|writer| writer.serialize(&entry).unwrap())),
        ("readings.csv", StoredFile::Readings, Vec::new()),
    ];
    for (name, file, end) in files {
        fs::write(folder.join(name), [header(file), text_of(file, &sweep), end].concat()).unwrap();
    }
    let record = RunRecord { tries: Some(tries), ..record };
    fs::write(folder.join("run.json"), run_record_text(&record).unwrap()).unwrap();
}

#[test]
fn private_data_in_driver_texts_is_removed() {
    let machine = Host::new();
    let path = machine.run();
    let home = machine.home().display().to_string();
    let why = format!(
        "GPU-0123456789abcdef lost on {}: cannot map {home}/{PROJECT}/x.co for {USER}, uuid 123e4567-e89b-12d3-a456-426614174000",
        HOST.to_uppercase()
    );
    fail_last(&path, &why);
    let (file, out) = machine.bundle("bundle.tar.zst");
    for bytes in both(&file) {
        machine.assert_clean(&bytes);
        let text = String::from_utf8_lossy(&bytes);
        assert!(!text.contains("0123456789abcdef lost") && !text.contains("123e4567"), "serial numbers");
    }
    for told in ["taken out user name ", "taken out host name ", "taken out path ", "taken out serial number or UUID "]
    {
        assert!(out.contains(told), "{out}");
    }
    let folder = temporary();
    let unpacked = folder.path().join("run");
    let CommandOutput { code, out, error } = run(&["bundle", "--unpack", text(&file), "--out", text(&unpacked)]);
    assert_eq!((code, error.as_str()), (Some(0), ""));
    assert!(out.contains("<serial> lost on <host>: cannot map <path> for <user>, uuid <serial>"), "{out}");
    assert!(load_run_record(&unpacked.join("run.json")).unwrap().warm_up_failure.unwrap().contains("<path>"));
}

#[test]
fn commands_for_folders_refuse_a_bundle_with_a_remedy() {
    let folder = temporary();
    let file = folder.path().join("bundle");
    fs::write(&file, bundled()).unwrap();
    let name = text(&file);
    let hint = format!("`gcn-timings bundle --unpack {name} --out DIR`");
    for arguments in [
        &["analyze", name][..],
        &["validate", name],
        &["dpfactor", name],
        &["plot", name],
        &["report", name],
        &["compare", name, name],
        &["merge", name, "--out", "merged"],
        &["measure", "--only", "V_ADD_F64", "--resume", "--out", name],
        &["bundle", name],
        &["predict", "--gpu", name, "no-such-file.s"],
    ] {
        let error = failure(arguments);
        assert!(error.contains(&hint), "{arguments:?}: {error}");
    }
}

/// An entry of an archive that is made by hand.
struct Forged<'a> {
    name: &'a str,
    kind: tar::EntryType,
    /// The header's statement, if it is not the truth.
    size: Option<u64>,
    bytes: &'a [u8],
}

impl<'a> Forged<'a> {
    fn file(name: &'a str, bytes: &'a [u8]) -> Self {
        Self { name, kind: tar::EntryType::Regular, size: None, bytes }
    }
}

fn archive(entries: &[Forged<'_>]) -> Vec<u8> {
    let mut archive = Vec::new();
    for Forged { name, kind, size, bytes } in entries {
        let mut header = tar::Header::new_ustar();
        // As it stands: the library would refuse some of these names.
        header.as_old_mut().name[..name.len()].copy_from_slice(name.as_bytes());
        header.set_entry_type(*kind);
        header.set_size(size.unwrap_or(bytes.len() as u64));
        header.set_link_name("evil").unwrap();
        header.set_cksum();
        archive.extend_from_slice(header.as_bytes());
        archive.extend_from_slice(bytes);
        archive.resize(archive.len().next_multiple_of(512), 0);
    }
    archive.resize(archive.len() + 1024, 0);
    zstd::encode_all(archive.as_slice(), 3).unwrap()
}

/// The entries of a bundle, by name.
fn entries(bundle: &[u8]) -> Vec<(String, Vec<u8>)> {
    let mut archive = tar::Archive::new(zstd::Decoder::new(bundle).unwrap());
    let entry = |entry: std::io::Result<tar::Entry<'_, _>>| {
        let mut entry: tar::Entry<'_, _> = entry.unwrap();
        let mut bytes = Vec::new();
        std::io::Read::read_to_end(&mut entry, &mut bytes).unwrap();
        (entry.path().unwrap().display().to_string(), bytes)
    };
    archive.entries().unwrap().map(entry).collect()
}

#[test]
fn other_files_than_bundles_are_refused_and_write_nothing() {
    let whole = bundled();
    let parts = entries(&whole);
    let part = |name: &str| parts.iter().find(|(known, _)| known == name).map(|(_, bytes)| bytes.as_slice()).unwrap();
    let file = |name: &'static str| Forged::file(name, part(name));
    let manifest = |from: &str, to: &str| {
        let text = String::from_utf8(part("manifest.json").to_vec()).unwrap();
        assert!(text.contains(from), "{text}");
        text.replacen(from, to, 1).into_bytes()
    };
    let all = || ["manifest.json", "run.json", "experiments.csv", "journal.csv", "readings.csv"].map(file);
    let with = |place: usize, entry: Forged<'_>| {
        let mut entries: Vec<_> = all().into_iter().collect();
        entries[place] = Forged { ..entry };
        archive(&entries)
    };
    let forged_readings = [part("readings.csv"), b"\n"].concat();
    let bytes = part("run.json").len();
    let readings = format!("\"bytes\": {}", part("readings.csv").len());
    let bomb = manifest(&readings, "\"bytes\": 20000000");
    let [device, forged_lines] = [("device", "x"), ("target", "a\\nwhole: fake")].map(|(key, value)| {
        let value = format!("\"{key}\": {value:?}").replace("\\\\", "\\");
        let text = String::from_utf8(part("manifest.json").to_vec()).unwrap();
        let line = text.lines().find(|line| line.trim_start().starts_with(&format!("\"{key}\""))).unwrap();
        text.replacen(line.trim().trim_end_matches(','), &value, 1).into_bytes()
    });
    let (version, giant, climbing) = (
        manifest("\"version\": 1", "\"version\": 2"),
        manifest(&format!("\"bytes\": {bytes}"), "\"bytes\": 18446744073709551615"),
        manifest("\"name\": \"run.json\"", "\"name\": \"../run.json\""),
    );
    let longest = vec![b' '; (1 << 20) + 1];
    let link = |kind| Forged { name: "run.json", kind, size: None, bytes: &[] };
    let mut behind = all().into_iter().collect::<Vec<_>>();
    behind.push(Forged::file("../evil", b"evil"));
    assert!(check_bytes(&archive(&all())).is_ok(), "what is forged below is well made but for one thing");
    for (what, bytes, says) in [
        ("nothing", Vec::new(), "not a bundle"),
        ("text", b"no bundle at all".to_vec(), "not a Zstandard file"),
        ("another archive", archive(&[Forged::file("x", b"x")]), "its first file is \"x\""),
        ("no entries", archive(&[]), "it is empty"),
        ("compressed text", zstd::encode_all(&b"text"[..], 3).unwrap(), "damaged"),
        ("a name that climbs", with(1, Forged::file("../evil", part("run.json"))), "not in its manifest"),
        ("a name from the root", with(1, Forged::file("/evil", part("run.json"))), "not in its manifest"),
        ("a manifest that climbs", with(0, Forged::file("manifest.json", &climbing)), "those of a bundle are"),
        ("a link", with(1, link(tar::EntryType::Symlink)), "not a plain file"),
        ("a hard link", with(1, link(tar::EntryType::Link)), "not a plain file"),
        ("a folder", with(1, link(tar::EntryType::Directory)), "not a plain file"),
        ("a device", with(1, link(tar::EntryType::Block)), "not a plain file"),
        (
            "a long name",
            with(1, Forged { size: Some(1 << 40), ..link(tar::EntryType::GNULongName) }),
            "not a plain file",
        ),
        ("holes", with(1, link(tar::EntryType::GNUSparse)), "not a plain file"),
        ("a giant entry", with(4, Forged { size: Some(1 << 32), ..file("readings.csv") }), "are expected"),
        ("a giant manifest", with(0, Forged::file("manifest.json", &longest)), "are expected"),
        (
            "a manifest of giants",
            with(0, Forged::file("manifest.json", &giant)),
            "its files have more than 16777216 bytes",
        ),
        ("a bomb", with(0, Forged::file("manifest.json", &bomb)), "and 128 times the bundle's size"),
        ("another card", with(0, Forged::file("manifest.json", &device)), "says device \"x\", and run.json says"),
        ("forged lines", with(0, Forged::file("manifest.json", &forged_lines)), "says target \"a\\nwhole: fake\""),
        (
            "another version",
            with(0, Forged::file("manifest.json", &version)),
            "version 2, and this tool reads version 1",
        ),
        ("longer readings", with(4, Forged::file("readings.csv", &forged_readings)), "are expected"),
        ("a file twice", with(2, file("run.json")), "not in its manifest"),
        ("a file less", archive(&all()[..4]), "readings.csv is missing"),
        ("a file more", archive(&behind), "not in its manifest"),
        ("something behind", [&whole[..], b"evil"].concat(), "damaged"),
    ] {
        let folder = temporary();
        let path = folder.path().join("bundle");
        fs::write(&path, bytes).unwrap();
        let out = folder.path().join("out");
        for arguments in
            [&["bundle", "--check", text(&path)][..], &["bundle", "--unpack", text(&path), "--out", text(&out)]]
        {
            let error = failure(arguments);
            assert!(error.contains("bundle") && error.contains(says), "{what}: {error}");
        }
        assert_eq!(names(folder.path()), ["bundle"], "{what}: nothing is written");
    }
}

/// The manifest of a bundle of these bytes.
fn check_bytes(bytes: &[u8]) -> Result<(), BundleError> {
    let mut file = tempfile::NamedTempFile::new().unwrap();
    file.write_all(bytes).unwrap();
    check(file.path(), MOST_OF_A_BUNDLE).map(|_| ())
}

#[test]
fn every_damage_is_found() {
    let whole = bundled();
    assert!(check_bytes(&whole).is_ok());
    let unpacked = zstd::decode_all(whole.as_slice()).unwrap();
    let damage = (0..whole.len(), any::<u8>(), any::<bool>());
    let tried = TestRunner::deterministic().run(&damage, |(at, byte, is_cut)| {
        let mut bytes = whole.clone();
        if is_cut {
            bytes.truncate(at);
        } else {
            prop_assume!(bytes[at] != byte);
            bytes[at] = byte;
        }
        // The window that a frame asks for may be larger than it needs: then nothing is damaged.
        let is_same = || zstd::decode_all(bytes.as_slice()).is_ok_and(|text| text == unpacked);
        prop_assert!(check_bytes(&bytes).is_err() || is_same(), "cut: {is_cut}, at {at}");
        Ok(())
    });
    tried.unwrap_or_else(|error| panic!("{error}"));
}

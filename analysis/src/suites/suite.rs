//! What a suite adds to the results of a run.

use gcn_model::record::RunRecord;

use crate::document::Document;
use crate::many_waves::ThroughputRow;
use crate::one_wave::OneWave;
use crate::tables::{ForEach, Rows, Tabled, TablesError};

/// The tables of a suite.
pub(crate) trait Tables: Sized {
    fn for_each_table(&self, task: &mut impl ForEach);

    /// The same from files; empty where there is none.
    ///
    /// # Errors
    /// A file differs from a run's output.
    fn read(files: &impl Rows) -> Result<Self, TablesError>;
}

impl<T: Tabled> Tables for Vec<T> {
    fn for_each_table(&self, task: &mut impl ForEach) {
        task.table(self);
    }

    fn read(files: &impl Rows) -> Result<Self, TablesError> {
        files.rows()
    }
}

/// Says which fields are the tables of a suite.
macro_rules! tables_of {
    ($suite:ident { $($field:ident),+ }) => {
        impl $crate::suites::suite::Tables for $suite {
            fn for_each_table(&self, task: &mut impl $crate::tables::ForEach) {
                $(task.table(&self.$field);)+
            }

            fn read(files: &impl $crate::tables::Rows) -> Result<Self, $crate::tables::TablesError> {
                Ok(Self { $($field: $crate::tables::Rows::rows(files)?),+ })
            }
        }
    };
}

pub(super) use tables_of;

/// A suite: its tables, how they follow from a run, and what a reader is told.
pub(crate) trait Suite: Tables {
    /// From the experiments of a run; `cases` are those of rules on many waves.
    fn of(waves: &OneWave<'_>, cases: &[ThroughputRow]) -> Self;

    /// Adds the section, if the run has the suite.
    fn section(&self, page: &mut Document, record: &RunRecord);

    /// The suite's line of the summary, if it has one.
    fn words(&self) -> Option<String> {
        None
    }
}

/// The results of the suites: a field for each with its type, in the order in which a reader meets them.
macro_rules! suites {
    ($($(#[$doc:meta])* $field:ident: $suite:ty),+ $(,)?) => {
        /// The results of the suites that stand for themselves; each is empty without its suite.
        #[derive(Debug, Clone)]
        pub struct Suites {
            $($(#[$doc])* pub $field: $suite),+
        }

        impl Suites {
            pub(crate) fn of(waves: &OneWave<'_>, cases: &[ThroughputRow]) -> Self {
                Self { $($field: Suite::of(waves, cases)),+ }
            }

            pub(crate) fn read(files: &impl Rows) -> Result<Self, TablesError> {
                Ok(Self { $($field: Tables::read(files)?),+ })
            }

            pub(crate) fn for_each_table(&self, task: &mut impl ForEach) {
                $(self.$field.for_each_table(task);)+
            }

            pub(crate) fn sections(&self, page: &mut Document, record: &RunRecord) {
                $(self.$field.section(page, record);)+
            }

            /// What each suite found, by its name.
            pub(crate) fn words(&self) -> impl Iterator<Item = (&'static str, Option<String>)> {
                [$((stringify!($field), self.$field.words())),+].into_iter()
            }
        }
    };
}

pub(super) use suites;

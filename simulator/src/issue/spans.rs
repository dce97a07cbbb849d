//! The time of the waves that repeat a block, one part after the other.

use crate::issue::activity::Activity;

/// A part of a wave's time.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct Span {
    /// Number of the step in its program that the time is spent on.
    pub step: u32,
    pub activity: Activity,
    /// Shader cycles, at least 1.
    pub cycles: u64,
}

/// The time of a wave.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct WaveSpans {
    /// Number of the wave in the launch.
    pub number: u32,
    /// The cycle at which it was launched, from which on its spans follow each other.
    pub start: u64,
    pub spans: Vec<Span>,
    /// The cycles at which it issued the first step of the program.
    pub iterations: Vec<u64>,
}

/// The time of all waves of a compute unit, in the order of their launch.
#[derive(Debug, Default)]
pub(crate) struct Spans {
    pub waves: Vec<WaveSpans>,
}

impl WaveSpans {
    /// Its spans, each with the cycle at which it starts.
    pub(crate) fn timed(&self) -> impl Iterator<Item = (u64, Span)> + '_ {
        self.spans.iter().scan(self.start, |until, span| {
            let start = *until;
            *until += span.cycles;
            Some((start, *span))
        })
    }
}

impl Spans {
    /// The next wave of the compute unit starts.
    pub(crate) fn start(&mut self, number: u32, start: u64) {
        self.waves.push(WaveSpans { number, start, spans: Vec::new(), iterations: Vec::new() });
    }

    /// A wave of the compute unit issued a step.
    pub(crate) fn execute(&mut self, wave: u32, step: u32, cycle: u64) {
        if step == 0 {
            self.waves[wave as usize].iterations.push(cycle);
        }
    }

    /// A wave of the compute unit continues with this.
    pub(crate) fn spend(&mut self, wave: u32, span: Span) {
        self.waves[wave as usize].spans.push(span);
    }
}

//! Values and cycles of the simulated machine, against stated formulas and traces of cards.

mod machine;
mod silicon;
mod traces;

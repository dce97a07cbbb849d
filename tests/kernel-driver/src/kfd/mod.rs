//! The driver's side of `/dev/kfd`, which ROCm uses: queues in memory that the GPU's thread polls.

mod allocations;
mod aql;
mod dispatch;
pub(crate) mod event;
mod packet;
mod pm4;
pub(crate) mod processor;
mod queue;
mod request;
mod requests;
pub(crate) mod ring;
mod sdma;
mod sdma_packet;
mod signal;
mod symbol;
pub(crate) mod topology;

pub(crate) use allocations::Allocations;
pub(crate) use request::LETTER;
pub(crate) use requests::answer;

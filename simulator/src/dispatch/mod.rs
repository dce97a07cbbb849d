//! From a kernel and its shape to waves on compute units.

pub(crate) mod dispatcher;
pub(crate) mod initial;
pub(crate) mod launch;
pub(crate) mod launch_record;
pub(crate) mod needs;
pub(crate) mod packet;
pub(crate) mod profile;
pub(crate) mod register_dispatch;
pub(crate) mod scratch;
pub(crate) mod shape;
pub(crate) mod timeless;
pub(crate) mod user_data;

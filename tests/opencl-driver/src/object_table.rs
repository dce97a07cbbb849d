//! The objects that the program has, by handle, with their reference counts.

use std::collections::BTreeMap;
use std::sync::Arc;

use opencl_sys::*;

use crate::buffer::Buffer;
use crate::context::Context;
use crate::event::Event;
use crate::failure::{Done, Failure};
use crate::handle::Handle;
use crate::kernel::Kernel;
use crate::program::Program;
use crate::queue::Queue;

/// An object of the API.
#[derive(Debug, Clone)]
pub(crate) enum Object {
    /// `cl_context`.
    Context(Arc<Context>),
    /// `cl_command_queue`.
    Queue(Arc<Queue>),
    /// `cl_mem`.
    Buffer(Arc<Buffer>),
    /// `cl_program`.
    Program(Arc<Program>),
    /// `cl_kernel`.
    Kernel(Arc<Kernel>),
    /// `cl_event`.
    Event(Arc<Event>),
}

/// A kind of objects.
pub(crate) trait Kind: Sized {
    /// What messages call it.
    const NAME: &str;
    /// The error code for something else where one belongs.
    const CODE: cl_int;
    /// The object, if it is of this kind.
    fn of(object: &Object) -> Option<&Arc<Self>>;
}

macro_rules! kinds {
    ($($kind:ident $name:literal $code:ident,)*) => {
        $(impl Kind for $kind {
            const NAME: &str = $name;
            const CODE: cl_int = $code;
            fn of(object: &Object) -> Option<&Arc<Self>> {
                if let Object::$kind(object) = object { Some(object) } else { None }
            }
        })*

        impl Object {
            fn kind(&self) -> &'static str {
                match self { $(Self::$kind(_) => $name,)* }
            }
        }
    };
}

kinds! {
    Context "context" CL_INVALID_CONTEXT,
    Queue "command queue" CL_INVALID_COMMAND_QUEUE,
    Buffer "buffer" CL_INVALID_MEM_OBJECT,
    Program "program" CL_INVALID_PROGRAM,
    Kernel "kernel" CL_INVALID_KERNEL,
    Event "event" CL_INVALID_EVENT,
}

/// An object and the program's use of it.
#[derive(Debug)]
struct Entry {
    /// Nothing after the last release.
    object: Option<Object>,
    kind: &'static str,
    /// Number among those of its kind, from 1.
    number: u32,
    references: u32,
}

/// All objects that ever were.
#[derive(Debug, Default)]
pub(crate) struct ObjectTable {
    entries: BTreeMap<Handle, Entry>,
    made: BTreeMap<&'static str, u32>,
}

impl ObjectTable {
    /// Adds an object with one reference.
    pub(crate) fn add(&mut self, handle: Handle, object: Object) -> Handle {
        let kind = object.kind();
        let number = self.made.entry(kind).or_default();
        *number += 1;
        self.entries.insert(handle, Entry { object: Some(object), kind, number: *number, references: 1 });
        handle
    }

    /// What messages call the object.
    pub(crate) fn label(&self, handle: Handle) -> String {
        self.entries
            .get(&handle)
            .map_or_else(|| "the object".into(), |entry| format!("{} {}", entry.kind, entry.number))
    }

    fn entry<T: Kind>(&mut self, handle: Handle) -> Done<(&mut Entry, Arc<T>)> {
        let wrong = |reason: String| Failure::wrong(T::CODE, reason);
        let Some(entry) = self.entries.get_mut(&handle) else {
            return Err(wrong(format!("the {} is no object of this driver", T::NAME)));
        };
        let Some(object) = &entry.object else {
            return Err(wrong(format!("{} {} is used after its release", entry.kind, entry.number)));
        };
        let Some(object) = T::of(object).cloned() else {
            return Err(wrong(format!("{} {} is no {}", entry.kind, entry.number, T::NAME)));
        };
        Ok((entry, object))
    }

    /// The object of that kind with a handle.
    pub(crate) fn get<T: Kind>(&mut self, handle: Handle) -> Done<Arc<T>> {
        self.entry(handle).map(|(_, object)| object)
    }

    /// How many references the program has.
    pub(crate) fn references<T: Kind>(&mut self, handle: Handle) -> Done<u32> {
        self.entry::<T>(handle).map(|(entry, _)| entry.references)
    }

    /// Adds a reference.
    pub(crate) fn retain<T: Kind>(&mut self, handle: Handle) -> Done<()> {
        self.entry::<T>(handle).map(|(entry, _)| entry.references += 1)
    }

    /// Takes a reference away, and the object with the last one; gives the object.
    pub(crate) fn release<T: Kind>(&mut self, handle: Handle) -> Done<Arc<T>> {
        let (entry, object) = self.entry::<T>(handle)?;
        entry.references -= 1;
        if entry.references == 0 {
            entry.object = None;
        }
        Ok(object)
    }

    /// The objects that were not released: each kind with its count and the numbers of its objects.
    pub(crate) fn leaks(&self) -> Vec<String> {
        let mut kinds: BTreeMap<&str, Vec<String>> = BTreeMap::new();
        for entry in self.entries.values().filter(|entry| entry.object.is_some()) {
            let times =
                if entry.references == 1 { String::new() } else { format!(" ({} references)", entry.references) };
            kinds.entry(entry.kind).or_default().push(format!("{}{times}", entry.number));
        }
        let line = |(kind, mut numbers): (&str, Vec<String>)| {
            numbers.sort();
            format!("{} {kind}(s) of {} never released: {}", numbers.len(), self.made[kind], numbers.join(", "))
        };
        kinds.into_iter().map(line).collect()
    }
}

//! The mistakes that the host program can make.

macro_rules! mistakes {
    ($($(#[doc = $text:literal])* $name:ident $spelling:literal,)*) => {
        /// A wrong use of the API.
        #[derive(Debug, Clone, Copy, PartialEq, Eq)]
        pub(crate) enum Mistake {
            $($(#[doc = $text])* $name,)*
        }

        impl Mistake {
            /// The mistake of that name.
            pub(crate) fn named(name: &str) -> Option<Self> {
                match name {
                    $($spelling => Some(Self::$name),)*
                    _ => None,
                }
            }
        }
    };
}

mistakes! {
    /// The input's buffer is released before the kernel is enqueued.
    BufferReleasedEarly "buffer-released-early",
    /// The input's buffer is released a second time.
    BufferReleasedTwice "buffer-released-twice",
    /// 8 bytes for an argument of 4.
    ArgumentSize "argument-size",
    /// One argument more than the kernel has.
    ArgumentIndex "argument-index",
    /// One argument is not set.
    ArgumentMissing "argument-missing",
    /// A queue where a buffer belongs.
    ArgumentKind "argument-kind",
    /// A pointer for local memory.
    LocalValue "local-value",
    /// No bytes of local memory.
    LocalEmpty "local-empty",
    /// More local memory than a work-group has.
    LocalTooLarge "local-too-large",
    /// A work-group of 512.
    GroupTooLarge "group-too-large",
    /// Work-items that are no multiple of the work-group.
    Ragged "ragged",
    /// Four dimensions.
    Dimensions "dimensions",
    /// The program is not built.
    NotBuilt "not-built",
    /// Options for a code object.
    BuildOptions "build-options",
    /// A kernel that is not there.
    KernelName "kernel-name",
    /// One byte more than the buffer has.
    ReadBeyond "read-beyond",
    /// Two kinds of host memory.
    FlagsExclusive "flags-exclusive",
    /// A flag without the pointer that it needs.
    HostPointerMissing "host-pointer-missing",
    /// A buffer of 0 bytes.
    BufferEmpty "buffer-empty",
    /// A wait list without a count.
    WaitList "wait-list",
    /// A buffer of another context.
    OtherContext "other-context",
    /// Reading through a queue after its release.
    QueueReleased "queue-released",
    /// Times of a queue that keeps none.
    TimesNotKept "times-not-kept",
    /// A kernel on a buffer that is mapped.
    Mapped "mapped",
    /// The results are looked at before the queue was finished.
    ReadTooEarly "read-too-early",
    /// Kernel and output buffer are never released.
    Leak "leak",
}

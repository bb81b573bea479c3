internal import SystemServices

/// The limits for callers. A program that needs more is at fault, and gets an error.
///
/// Those for sessions, prompts and calls are for one connection; those for threads and room are for all together.
enum BusLimits {
    /// The largest number of open sessions.
    static let sessions = 64
    /// The largest number of prompts that were not completed.
    static let prompts = 64
    /// The largest number of calls that were not answered, with the requests of the portal.
    static let calls = 256
    /// The largest number of requests of the portal that were not answered.
    static let portalRequests = 24
    /// The largest number of threads that may prompt.
    static let promptingThreads = 64
    /// The largest number of threads that read and store without a prompt.
    static let quietThreads = 32
    /// The largest number of threads for work that never prompts, such as locking.
    static let errandThreads = 16
    /// The number of bytes for secrets on their way to the store, unless the settings say otherwise.
    static let room = 4 * secret
    /// The largest answer with secrets, in bytes. Secrets that do not fit are left out. A bus whose configuration sets no
    /// limit disconnects a program that sends 32 MiB.
    static let answer = 24 << 20
    /// The largest secret in bytes, which is that of a vault.
    static let secret = 16 << 20
    /// The longest text, such as a label, in bytes.
    static let text = 64 << 10
    /// The largest number of attributes.
    static let attributes = 256
    /// The limits for attributes that are read. Together they have at most 1 MiB.
    static let texts = TextLimits(count: attributes, longest: text, total: 1 << 20)
    /// The largest number of objects in one call.
    static let objects = 65_536
    /// The largest number of items that are looked at to find out whether a read needs a prompt. If there are more, it
    /// counts as one that does.
    static let checkedItems = 1000
    /// The shortest time between two announcements of what a collection holds, in milliseconds.
    static let millisecondsBetweenLists = 100
    /// The longest list of items that a signal has. If a list is longer, readers fetch it.
    static let announcedItems = 1000
    /// The largest identifier of an app, in bytes.
    static let appIdentifier = 255
    /// The longest path of an object, in bytes.
    static let path = 4096

    /// The error for arguments that are larger than their limits.
    static let tooLarge = CallError.limit(
        "The arguments are too large. A text has at most \(text) bytes, and attributes have \(texts.total) together. "
            + "A call names at most \(attributes) attributes and \(objects) objects.")
}

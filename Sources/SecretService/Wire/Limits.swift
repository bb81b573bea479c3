/// The limits for one connection. A program that needs more is at fault, and gets an error.
enum Limits {
    /// The largest number of open sessions.
    static let sessions = 64
    /// The largest number of prompts that were not completed.
    static let prompts = 64
    /// The largest number of calls that were not answered.
    static let calls = 256
    /// The largest number of threads that work for all connections.
    static let threads = 64
    /// The largest secret in bytes, which is that of a vault.
    static let secret = 16 << 20
    /// The longest text, such as a label, in bytes.
    static let text = 64 << 10
    /// The largest number of attributes.
    static let attributes = 256
    /// The largest number of objects in one call.
    static let objects = 65_536
    /// The longest list of items that a signal has. If a list is longer, readers fetch it.
    static let announcedItems = 1000
    /// The largest identifier of an app, in bytes.
    static let appIdentifier = 255
}

package import AccessPolicy

/// A decision, as the vault reports it to its watcher.
package struct WatchedDecision: Sendable {
    package let request: Request
    /// The name of the caller.
    package let caller: String
    package let decision: Decision
    /// The rules that fired.
    package let trace: Trace
    /// The device's time.
    package let at: Instant
}

/// A decision about a file, as the vault reports it to its watcher.
package struct WatchedFileDecision: Sendable {
    package let access: FileAccess
    /// The path by which the program named the file.
    package let path: String
    /// The name of the program.
    package let caller: String
    package let decision: FileDecision
    /// The device's time.
    package let at: Instant
}

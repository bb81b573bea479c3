/// The answer to a lock. The keys are gone when it comes.
package struct LockReport: Hashable, Sendable {
    /// The reason why the audit log has no record of the lock; nil if it has one, or the record follows.
    package var trouble: String?
    /// True if the record follows when no other program and no request holds the vault.
    package var isRecordWaiting = false
    /// True if the vault may have folders, whose keys the kernel forgets now.
    package var hasFolders = false

    /// Creates an empty one, to be read.
    package init() {}
}

extension LockReport: CallReply, WireValue {
    /// Hands every member to `coder`.
    package mutating func describe<Coder: WireCoder>(to coder: inout Coder) throws(Coder.Failure) {
        try coder.textIfSaid("unrecorded", &trouble)
        try coder.flagIfTrue("record-waits", &isRecordWaiting)
        try coder.flagIfTrue("folders", &hasFolders)
    }
}

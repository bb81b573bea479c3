package import AccessPolicy

/// A folder that the kernel encrypts, whose key the vault keeps.
package struct EncryptedFolder: Hashable, Sendable {
    /// The protection class of everything in an encrypted folder. It says when the kernel has the key.
    ///
    /// `none` is missing: a folder that is always open needs no vault.
    package enum Protection: String, CaseIterable, Sendable {
        /// Class A: while the vault is unlocked.
        case complete = "complete"
        /// Class B: as class A, and a file that is open stays readable after a lock.
        case unlessOpen = "unless-open"
        /// Class C: from the first unlock until the agent ends.
        case untilFirstUnlock = "until-first-unlock"

        package var ofFiles: FileProtection {
            switch self {
            case .complete: .complete
            case .unlessOpen: .completeUnlessOpen
            case .untilFirstUnlock: .completeUntilFirstUserAuthentication
            }
        }
    }

    /// The treatment of processes that have files of the folder open at a lock.
    package enum Holders: String, CaseIterable, Sendable {
        /// It leaves them alone and reports them. They can go on with what is open.
        case report = "report"
        case end = "end"
    }

    /// The identifier of the key, in hexadecimal digits.
    package var identifier = ""
    /// The absolute path.
    package var path = ""
    package var protection = Protection.complete
    /// The treatment of processes that have files open at a lock.
    package var holders = Holders.report
    /// True while the content is moved into the encrypted folder or out of it. It stays true if the command is interrupted.
    package var isMoving = false

    package init() {}

    package init(reading head: inout WireObject) throws(WireError) { try read(from: &head) }
}

extension EncryptedFolder: WireValue {
    /// Passes every member to `coder`, as it appears on the wire and in the vault.
    package mutating func describe<Coder: WireCoder>(to coder: inout Coder) throws(Coder.Failure) {
        try coder.text("identifier", &identifier)
        try coder.text("path", &path)
        try coder.word("class", &protection)
        try coder.word("holders", &holders)
        try coder.flagIfTrue("moving", &isMoving)
    }
}

/// An encrypted folder, and the state of its key.
package struct EncryptedFolderReport: Hashable, Sendable {
    /// The state of the key in the kernel.
    package enum State: String, CaseIterable, Sendable {
        /// The kernel has the key.
        case open = "open"
        /// The kernel does not have the key, and nothing of the folder is in memory.
        case locked = "locked"
        /// The key is gone. What processes had open stays readable, for other processes too, until they close it.
        case held = "held"
        /// Another user of the machine has added the key too, so the folder is open.
        case kept = "kept"
        /// Another vault of this user has the key and is unlocked, so the folder is open.
        case shared = "shared"
        /// The folder at its path is not encrypted: `protect` or `unprotect` is at work, or was interrupted.
        case plain = "plain"
        /// A file system that may have the key cannot be asked.
        case unreached = "unreached"
        /// There is no such folder at its path now.
        case missing = "missing"
    }

    package var folder = EncryptedFolder()
    package var state = State.locked
    /// The reason why the agent could not open or lock it; nil if it could.
    package var trouble: String?
    /// Processes that have files of the folder open, in words. They are looked up only if the folder is held.
    package var processes: [String] = []
    /// The number of dropped files that wait for the folder to open.
    package var drops = 0

    package init() {}

    package init(reading head: inout WireObject) throws(WireError) { try read(from: &head) }
}

extension EncryptedFolderReport: WireValue {
    /// Passes every member to `coder`, as it appears on the wire and in `--json` output.
    package mutating func describe<Coder: WireCoder>(to coder: inout Coder) throws(Coder.Failure) {
        try folder.describe(to: &coder)
        try coder.word("state", &state)
        try coder.textOrNull("trouble", &trouble)
        try coder.texts("processes", &processes)
        try coder.number("drops", &drops)
    }
}

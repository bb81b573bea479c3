/// A rule that grants or denies an access to a file.
public enum FileRule: UInt8, CaseIterable, Sendable {
    /// The key of the file's class is available.
    case classOpen = 0
    /// A locked device creates a file that its owner can open after the unlock.
    case createdWhileLocked = 1
    /// A file that was opened before the lock, or created since, stays usable.
    case heldOpen = 2
    /// Names, sizes and attributes are visible, and files can be renamed and deleted, in every state of the device.
    case metadata = 3
    /// The file cannot be opened or created while the device is locked.
    case locked = 4
    /// The file is not open, and cannot be opened while the device is locked.
    case closedUntilUnlock = 5
    /// The file cannot be opened before the first unlock since the device started.
    case beforeFirstUnlock = 6
    /// The file was open when the device was locked, and its key is gone.
    case heldWhenLocked = 7

    /// The facts about this rule: its effect, its text, its evidence and its remedy.
    public var facts: RuleFacts {
        switch self {
        case .classOpen:
            .init(
                "file.class-open", .allows, .documentation, "8.1", .nothing,
                "the key of the file's protection class is available")
        case .createdWhileLocked:
            .init(
                "file.created-while-locked", .allows, .documentation, "8.1", .nothing,
                "a locked device can create a completeUnlessOpen file")
        case .heldOpen:
            .init(
                "file.held-open", .allows, .documentation, "8.1", .nothing,
                "a completeUnlessOpen file that is open stays usable after a lock")
        case .metadata:
            .init(
                "file.metadata", .allows, .field, "8.3", .nothing,
                "protection covers the content of a file, not its name, size and attributes")
        case .locked:
            .init(
                "file.locked", .denies, .documentation, "8.1", .unlock,
                "a file of this class cannot be opened or created while the device is locked")
        case .closedUntilUnlock:
            .init(
                "file.closed-until-unlock", .denies, .documentation, "8.1", .unlock,
                "a completeUnlessOpen file that is not open cannot be opened while the device is locked")
        case .beforeFirstUnlock:
            .init(
                "file.before-first-unlock", .denies, .documentation, "8.1", .enterPasscode,
                "a file of this class can be opened only after the first unlock since the device started")
        case .heldWhenLocked:
            .init(
                "file.held-when-locked", .denies, .field, "8.3", .unlock,
                "the file was open when the device locked, and its class allows no use while it is locked")
        }
    }
}

extension FileRule: CatalogRule {}

/// An access to a file of a protection class.
public enum FileAccess: Hashable, Sendable {
    /// Creates a file in this class. A replacement by a new file, as an atomic write makes it, is one too.
    case create(FileProtection)
    /// Opens a file of this class, to read or to write.
    case open(FileProtection)
    /// Reads or writes a file of this class that the caller opened or created before. A restart closes every file.
    case use(FileProtection)
    /// Moves a file of the first class to the second one.
    case protect(FileProtection, as: FileProtection)
    /// Looks at the name, size and attributes of a file of this class, renames or deletes it.
    case manage(FileProtection)
}

/// The answer to an access to a file.
public struct FileDecision: Hashable, Sendable {
    /// The rule that grants or denies the access.
    public let rule: FileRule

    /// True if the access may go ahead.
    public var isGranted: Bool { rule.facts.effect == .allows }
}

/// Decides whether an access to a file may go ahead under the given conditions.
///
/// The protection class of a file says when its key is available. No prompt opens a file, so the answer is never a
/// challenge.
///
/// ```swift
/// var device = Conditions()
/// device.isLocked = true
/// device.openClasses = [.always, .afterFirstUnlock]
///
/// let reading = decide(.open(.complete), under: device)
/// // Denied by file.locked.
///
/// let recording = decide(.create(.completeUnlessOpen), under: device)
/// // Granted by file.created-while-locked.
/// ```
///
/// - Parameters:
///   - access: The access, with the class of the file.
///   - conditions: The state of the device at this moment.
/// - Returns: The rule that grants or denies the access.
public func decide(_ access: FileAccess, under conditions: Conditions) -> FileDecision {
    let isOpen = { (protection: FileProtection) in conditions.openClasses.contains(protection.keyClass) }
    switch access {
    case .manage: return FileDecision(rule: .metadata)
    case .create(let protection):
        if isOpen(protection) { return FileDecision(rule: .classOpen) }
        // A new file is sealed to the public half of the class key, which a lock does not take away.
        if protection == .completeUnlessOpen { return FileDecision(rule: .createdWhileLocked) }
        return FileDecision(rule: closed(protection, conditions))
    case .open(let protection):
        return FileDecision(rule: isOpen(protection) ? .classOpen : closed(protection, conditions))
    case .use(let protection):
        if isOpen(protection) { return FileDecision(rule: .classOpen) }
        if protection.isHeldOpen { return FileDecision(rule: .heldOpen) }
        return FileDecision(rule: conditions.hasFirstUnlock ? .heldWhenLocked : .beforeFirstUnlock)
    case .protect(let former, let next):
        let opening = decide(.open(former), under: conditions)
        return opening.isGranted ? decide(.create(next), under: conditions) : opening
    }
}

/// Returns the rule by which a file whose key is not available stays closed.
private func closed(_ protection: FileProtection, _ conditions: Conditions) -> FileRule {
    if !conditions.hasFirstUnlock { return .beforeFirstUnlock }
    return protection == .completeUnlessOpen ? .closedUntilUnlock : .locked
}

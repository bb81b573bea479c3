/// Everything that a decision may depend on, in the words of the tables. `Bridge` translates it into the engine's
/// types, so that the naive evaluator does not use them.
struct Facts: Hashable {
    enum Lock: Int, CaseIterable { case unlocked, grace, locked, beforeFirstUnlock, noPasscode }
    enum Passcode: Int, CaseIterable { case ready, delayed, disabled }
    enum Biometry: Int, CaseIterable {
        case noHardware, noUsageText, notPermitted, notEnrolled, lockedOut, notYetPermitted, ready
    }
    enum Companion: Int, CaseIterable { case notPaired, away, locked, ready }
    enum Set: Int, CaseIterable { case same, changed, reset }
    enum Groups: Int, CaseIterable { case own, other, none }
    enum Interaction: Int, CaseIterable { case allowed, fail, skip, preflight }
    enum Proof: Int, CaseIterable {
        case none, counts, otherSession, otherSet, otherSensor, otherItem, refused, refusedByOther
    }
    enum Unlock: Int, CaseIterable { case none, fresh, notWanted, old, otherSet, otherSensor }

    var lock = Lock.unlocked
    var passcode = Passcode.ready
    var biometry = Biometry.ready
    var passcodeRequired = false
    var companion = Companion.ready
    var set = Set.same
    var passcodeWasRemoved = false
    var groups = Groups.own
    var namesGroup = false
    var interaction = Interaction.allowed
    var invalidated = false
    var isKey = false
    var synchronizable = false
    var fingerProof = Proof.none
    var companionProof = Proof.none
    var passcodeProof = Proof.none
    var passwordProof = Proof.none
    var passwordAtHand = false
    var unlock = Unlock.none
    /// Fidelity: the device is a Mac, where a companion satisfies presence too.
    var isMac = false
    /// Fidelity: storing during a lockout is refused.
    var lockoutKeepsFromStoring = false
    /// Fidelity: attributes need no authentication; duplicates are reported at once; a changed set has a status of its
    /// own.
    var attributesOpen = false
    var duplicatesAtOnce = false
    var changedSetIsTold = true
}

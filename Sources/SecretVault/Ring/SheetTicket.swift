/// One prompt for a passcode or a finger. If the device is locked meanwhile, or another session begins, its answer does not
/// count.
package struct SheetTicket: Hashable, Sendable {
    let session: UInt64
    /// The life of the device's keys, if it is typed to unlock the device: a lock ends that life. Nil on an unlocked device.
    var epoch: KeyRing.Epoch?
    /// True if it is typed to unlock the device.
    package var isToUnlock: Bool { epoch != nil }
}

/// One attempt at the passcode: where it is typed, and in which life of the keys it began.
struct Attempt: Sendable {
    let sheet: SheetTicket?
    let epoch: KeyRing.Epoch
}

/// The verdict of another authenticator, such as PAM, on a passcode.
package enum OtherVerdict: Sendable {
    /// It is right.
    case accepted
    /// It is wrong.
    case wrong
    /// It was not checked.
    case unavailable
}

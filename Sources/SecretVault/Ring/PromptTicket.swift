/// One prompt for a passcode or a finger. Its answer does not count if the device is locked meanwhile or another
/// session begins.
package struct PromptTicket: Hashable, Sendable {
    let session: UInt64
    /// The life of the device's keys if the answer is to unlock the device, because a lock ends that life. Nil on an
    /// unlocked device.
    var epoch: KeyRing.Epoch?
    /// True if the answer is to unlock the device.
    package var isToUnlock: Bool { epoch != nil }
}

/// One attempt at the passcode: the prompt at which it was typed, and the life of the keys in which it began.
struct Attempt: Sendable {
    let sheet: PromptTicket?
    let epoch: KeyRing.Epoch
    /// True if another authenticator, such as PAM, checks the passcode itself.
    var isJudged = false
    /// True if the owner's settings were checked before another authenticator was asked, which they may name.
    var hadCheckedSettings = false
}

/// The verdict of another authenticator, such as PAM, on a passcode.
package enum OtherVerdict: Sendable {
    case accepted
    case wrong
    /// The authenticator did not check the passcode.
    case unavailable
}

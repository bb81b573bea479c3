internal import AccessPolicy
internal import DeviceModel
internal import SodiumKit

/// The attempts at the passcode that count: the wrong ones since the last right one, and the one under way.
///
/// The model numbers passcodes. The right one is 0 or 1, in turn, so that a changed one is another; wrong ones follow in the
/// order in which they were typed.
struct PasscodeAttempts: Equatable, Sendable {
    /// The wrong passcodes, each by a keyed hash of what it stretches to.
    private(set) var wrong: [Tag] = []
    /// The place of the next one if there is no room for another.
    private(set) var next: UInt8 = 0
    /// The attempt under way. One that is found here under the lock of attempts was never told right from wrong.
    var pending: Tag?

    private static let firstWrong: UInt8 = 2
    private static let capacity = 62

    /// The first passcode of a device.
    static let first = number(0)

    /// Returns the passcode of this number.
    static func number(_ value: UInt8) -> Passcode {
        guard let code = Passcode(rawValue: value) else { preconditionFailure("a passcode is numbered below 64") }
        return code
    }

    /// Returns the number of a wrong passcode: that of an equal one that was typed before, or a new one.
    mutating func number(ofWrong attempt: Tag, on device: inout Device) -> Passcode {
        if let place = wrong.firstIndex(where: { $0.equals(attempt) }) {
            return Self.number(Self.firstWrong + UInt8(place))
        }
        if wrong.count < Self.capacity {
            wrong.append(attempt)
            return Self.number(Self.firstWrong + UInt8(wrong.count) - 1)
        }
        // The one that was replaced longest ago makes room, so that another wrong passcode still counts as another.
        let place = next % UInt8(Self.capacity)
        next = place + 1
        wrong[Int(place)] = attempt
        let code = Self.number(Self.firstWrong + place)
        device.wrongPasscodes.remove(code)
        return code
    }

    /// Counts an attempt that was never checked to the end as a wrong one. It erases nothing.
    mutating func countPending(on device: inout Device) {
        guard let attempt = pending else { return }
        pending = nil
        let isLast = device.wrongPasscodes.count + 1 >= device.settings.fidelity.passcodeDelays.limit
        if isLast && device.settings.attemptEnd == .erases { return }
        _ = device.apply(.passcodeEntered(number(ofWrong: attempt, on: &device)))
    }

    /// Forgets the wrong passcodes.
    mutating func forgetWrong() {
        wrong = []
        next = 0
    }
}

extension PasscodeAttempts: Stored {
    mutating func code<Coder: StoredCoder>(with coder: inout Coder) throws(Coder.Failure) {
        try coder.list("wrong", &wrong, countedBy: UInt8.self, blank: .none)
        try coder.number("next", &next)
        var hasPending = pending != nil
        var tag = pending ?? .none
        try coder.flag("pending", &hasPending)
        try coder.tag("pending", &tag)
        pending = hasPending ? tag : nil
    }
}

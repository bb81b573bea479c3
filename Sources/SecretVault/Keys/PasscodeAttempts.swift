internal import AccessPolicy
internal import DeviceModel
internal import SodiumKit

/// The passcode attempts that count: the wrong ones since the last right one, and the one being checked.
///
/// The device model knows passcodes by number. The right one alternates between 0 and 1, so that a changed passcode has
/// another number. Wrong ones follow in the order in which they were first typed.
struct PasscodeAttempts: Equatable, Sendable {
    /// The wrong passcodes, each as a keyed hash of its stretched form.
    private(set) var wrong: [Tag] = []
    /// The index that the next wrong passcode takes over once the list is full.
    private(set) var next: UInt8 = 0
    /// The attempt being checked. If a process holds the attempt lock and finds one here, an earlier check was cut
    /// short.
    var pending: Tag?

    private static let firstWrong: UInt8 = 2
    private static let capacity = 62

    /// The number of a device's first passcode.
    static let first = number(0)

    static func number(_ value: UInt8) -> Passcode {
        guard let code = Passcode(rawValue: value) else { preconditionFailure("a passcode is numbered below 64") }
        return code
    }

    /// Returns the number of a wrong passcode: the one it already has, or a new one.
    mutating func number(ofWrong attempt: Tag, on device: inout Device) -> Passcode {
        if let place = wrong.firstIndex(where: { $0.equals(attempt) }) {
            return Self.number(Self.firstWrong + UInt8(place))
        }
        if wrong.count < Self.capacity {
            wrong.append(attempt)
            return Self.number(Self.firstWrong + UInt8(wrong.count) - 1)
        }
        // The list is full. The entry that was replaced longest ago makes room, so a different wrong passcode still
        // counts.
        let place = next % UInt8(Self.capacity)
        next = place + 1
        wrong[Int(place)] = attempt
        let code = Self.number(Self.firstWrong + place)
        device.wrongPasscodes.remove(code)
        return code
    }

    /// Counts an attempt whose check was cut short as a wrong one. Such an attempt never erases the device.
    mutating func countPending(on device: inout Device) {
        guard let attempt = pending else { return }
        pending = nil
        let isLast = device.wrongPasscodes.count + 1 >= device.settings.fidelity.passcodeDelays.limit
        if isLast && device.settings.attemptEnd == .erases { return }
        _ = device.apply(.passcodeEntered(number(ofWrong: attempt, on: &device)))
    }

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

internal import AccessPolicy
internal import DeviceModel
internal import SodiumKit

extension Enclave {
    /// Judges a passcode by whether it opens the keybag, and what follows from that.
    ///
    /// The attempt is on record before it is judged: whoever pulls the plug to hide a wrong one has used it up.
    mutating func enter(_ passcode: borrowing SecureBytes, in context: ContextState?) throws -> Effects {
        try judge(passcode, in: context) { _, _, effects in effects }
    }

    /// The same, and lends out the root while it is there; nil to `body` when the passcode was wrong or not taken.
    mutating func judge<Result>(
        _ passcode: borrowing SecureBytes, in context: ContextState? = nil,
        _ body: (inout Enclave, borrowing Key?, Effects) throws -> Result
    ) throws -> Result {
        try Self.requirePasscodeLength(passcode)
        try refresh()
        if let refusal = passcodeRefusal { return try body(&self, nil, refusal) }
        // The slow part is done without the lock; what somebody else has changed meanwhile is looked at under it.
        var stretched = try Stretched(passcode, bag)
        let store = store
        return try store.locked {
            try refresh()
            if let refusal = passcodeRefusal { return try body(&self, nil, refusal) }
            if !stretched.isOf(bag) { stretched = try Stretched(passcode, bag) }
            let attempt = fixed.attempt(stretched.key)
            try note(attempt: attempt)
            // An attempt that was left unjudged has been counted by now, and may have begun a delay.
            if let refusal = passcodeRefusal { return try body(&self, nil, refusal) }
            let right = device.passcode ?? Self.firstPasscode
            let root = try bag.root(stretched.key, fixed)
            let effects: Effects
            let noted = (bag: bag, device: device)
            do {
                switch root {
                case .none: effects = try settleWrong(attempt)
                case .some(let root):
                    bag.pendingAttempt = nil
                    effects = try happen(.passcodeEntered(right), EventKeys(root: try root.copy()), committing: true)
                }
            } catch {
                // The verdict is not on record, but the attempt is, and whoever comes next has to count it.
                (bag, device) = noted
                isUncertain = true
                throw error
            }
            guard effects.proved(.passcode) else { return try body(&self, nil, effects) }
            switch root {
            case .none: break
            case .some(let root):
                if !Gates.isThere(keys.gate) { keys.gate = try bag.openGateKey(root) }
                try ensureGates()
                if let context {
                    context.gates.passcode = try bag.openPasscodeGate(root)
                    context.context.add(Evidence(.passcode, under: device.conditions()))
                }
            }
            return try body(&self, root, effects)
        }
    }

    /// Why no passcode is taken now; nil when one is.
    private var passcodeRefusal: Effects? {
        if device.passcodeState == .ready { return nil }
        var asked = device
        return asked.apply(.passcodeEntered(Self.firstPasscode))
    }

    static func requirePasscodeLength(_ passcode: borrowing SecureBytes) throws {
        let hasZero = passcode.withBytes { bytes in bytes.withUnsafeBytes { $0.contains(0) } }
        guard (1...511).contains(passcode.count), !hasZero else { throw VaultError.passcodeLength(passcode.count) }
    }

    // MARK: - Numbers for passcodes

    // The model numbers passcodes. The right one is 0 or 1, in turn, so that a changed one is another; wrong ones follow in
    // the order in which they were typed.
    static let firstPasscode = number(0)
    static func number(_ value: UInt8) -> Passcode {
        guard let code = Passcode(rawValue: value) else { preconditionFailure("a passcode is numbered below 64") }
        return code
    }

    private mutating func note(attempt: Tag) throws {
        try transaction(lasting: true) { enclave in
            var bag = enclave.bag
            var device = enclave.device
            try enclave.settle(pending: &bag, &device)
            if device.passcodeState == .ready { bag.pendingAttempt = attempt }
            try enclave.commit(bag, device, destroying: false)
        }
    }

    /// An attempt that nobody finished judging counts as a wrong one, but it erases nothing.
    private func settle(pending bag: inout Keybag, _ device: inout Device) throws {
        guard let pending = bag.pendingAttempt else { return }
        bag.pendingAttempt = nil
        let isLast = device.wrongPasscodes.count + 1 >= device.settings.fidelity.passcodeDelays.limit
        if isLast && device.settings.attemptEnd == .erases { return }
        _ = device.apply(.passcodeEntered(bag.number(ofWrong: pending, &device)))
    }

    private mutating func settleWrong(_ attempt: Tag) throws -> Effects {
        bag.pendingAttempt = nil
        var numbered = device
        let code = bag.number(ofWrong: attempt, &numbered)
        device = numbered
        return try happen(.passcodeEntered(code), EventKeys(), committing: true)
    }

    // MARK: - Biometry and companion

    /// What follows from a sensor's result. A match that unlocks the device is no evidence in any context, unless the context
    /// asks to reuse it.
    mutating func present(_ finger: Finger, in context: ContextState?) throws -> Effects {
        try refresh()
        let wasLocked = device.isLocked
        let effects = try happen(.presented(finger), EventKeys())
        guard effects.proved(.biometry), !wasLocked, let context else { return effects }
        try ensureGates()
        try GateKeeper.release(against: .match(effects), from: self, to: context)
        context.context.add(Evidence(.biometry, under: device.conditions()))
        return effects
    }

    /// What follows from the companion's confirmation; false when there is none that could confirm.
    mutating func confirmByCompanion(in context: ContextState) throws -> Bool {
        try refresh()
        guard device.companion.state == .ready, !device.isLocked else { return false }
        try GateKeeper.release(against: .companion, from: self, to: context)
        context.context.add(Evidence(.companion, under: device.conditions()))
        return true
    }
}

extension Keybag {
    private static let firstWrong: UInt8 = 2
    private static let wrongCapacity = 62

    /// The number of a wrong passcode: that of the same one typed before, or a new one.
    mutating func number(ofWrong attempt: Tag, _ device: inout Device) -> Passcode {
        if let place = wrongPasscodes.firstIndex(where: { $0.equals(attempt) }) {
            return Enclave.number(Self.firstWrong + UInt8(place))
        }
        if wrongPasscodes.count < Self.wrongCapacity {
            wrongPasscodes.append(attempt)
            return Enclave.number(Self.firstWrong + UInt8(wrongPasscodes.count) - 1)
        }
        // No room: the one that was replaced longest ago makes room, so that another wrong one still counts as another.
        let place = nextWrong % UInt8(Self.wrongCapacity)
        nextWrong = place + 1
        wrongPasscodes[Int(place)] = attempt
        let code = Enclave.number(Self.firstWrong + place)
        device.wrongPasscodes.remove(code)
        return code
    }

    mutating func forgetWrongPasscodes() {
        wrongPasscodes = []
        nextWrong = 0
    }
}

/// A passcode, stretched as the keybag of that moment says.
struct Stretched: ~Copyable {
    let key: Key
    private let cost: StretchCost
    private let salt: [UInt8]

    init(_ passcode: borrowing SecureBytes, _ bag: Keybag) throws(SodiumError) {
        let key = try bag.cost.stretch(passcode, salt: bag.salt)
        self.key = key
        cost = bag.cost
        salt = bag.salt
    }

    /// Whether this is how the keybag still says it.
    func isOf(_ bag: Keybag) -> Bool { cost == bag.cost && salt == bag.salt }
}

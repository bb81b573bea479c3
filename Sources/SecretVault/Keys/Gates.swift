internal import AccessPolicy
internal import SodiumKit

/// The gates that one context holds. The context wipes them together with the evidence for which it received them.
struct Gates: ~Copyable {
    private var presence: Key?
    private var companion: Key?
    private var sensor: Key?
    private var sensorOf: UInt32 = 0
    private var state: Key?
    private var stateOf = DomainState(sensor: 0, epoch: 0)
    /// The private half of the passcode gate, which opens items that the passcode protects.
    var passcode: Key?

    mutating func add(_ name: GateName, _ gate: consuming Key?) {
        switch name {
        case .presence: presence = gate
        case .companion: companion = gate
        case .sensor(let number):
            sensor = gate
            sensorOf = number
        case .domainState(let number):
            state = gate
            stateOf = number
        }
    }

    /// Lends a gate to `body`. Returns nil if the context does not hold it.
    borrowing func with<Result: ~Copyable>(
        _ name: GateName, _ body: (borrowing Key) throws -> Result
    ) rethrows -> Result? {
        switch name {
        case .presence: try Self.lend(presence, body)
        case .companion: try Self.lend(companion, body)
        case .sensor(let number): number == sensorOf ? try Self.lend(sensor, body) : nil
        case .domainState(let number): number == stateOf ? try Self.lend(state, body) : nil
        }
    }

    static func lend<Result: ~Copyable>(
        _ key: borrowing Key?, _ body: (borrowing Key) throws -> Result
    ) rethrows -> Result? {
        switch key {
        case .some(let key): try body(key)
        case .none: nil
        }
    }

    /// Wipes the gates that these factors opened.
    mutating func wipe(_ factors: FactorSet) {
        for factor in factors {
            switch factor {
            case .biometry:
                presence = nil
                sensor = nil
                state = nil
            case .companion: companion = nil
            case .passcode: passcode = nil
            case .applicationPassword: break  // The context holds this password; it has no gate.
            }
        }
    }

    /// Wipes the gate that is bound to this enrolled set.
    mutating func wipe(_ destroyed: DomainState) {
        if stateOf == destroyed { state = nil }
    }
}

extension Gates {
    static func isThere(_ key: borrowing Key?) -> Bool {
        switch key {
        case .some: true
        case .none: false
        }
    }
}

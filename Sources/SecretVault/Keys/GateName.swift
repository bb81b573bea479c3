internal import AccessPolicy

/// The name of a gate. A gate is a key that the vault releases only against an authenticator's result.
enum GateName: Hashable, Sendable {
    /// A match on any sensor.
    case presence
    /// The companion's confirmation. This gate stays the same when a companion is paired anew.
    case companion
    /// A match on this sensor.
    case sensor(UInt32)
    /// A match while this is the enrolled set.
    case domainState(DomainState)

    /// Creates the name of the gate for biometry in `constraint`, for an item with this binding.
    init(biometryOf constraint: Constraint, _ binding: Binding) {
        switch constraint.biometry {
        case .currentSet: self = .domainState(binding.domainState)
        case .anyOfSensor: self = .sensor(binding.domainState.sensor)
        case .unbound: self = .presence
        }
    }

    /// Returns the gates that have to exist while `state` identifies the enrolled set.
    static func needed(under state: DomainState) -> [GateName] {
        [.presence, .companion, .sensor(state.sensor), .domainState(state)]
    }

    /// Returns the gates that a match releases while `state` identifies the enrolled set.
    static func matched(under state: DomainState) -> [GateName] {
        [.presence, .sensor(state.sensor), .domainState(state)]
    }
}

extension GateName: Stored {
    private var number: UInt8 {
        switch self {
        case .presence: 1
        case .companion: 2
        case .sensor: 3
        case .domainState: 4
        }
    }

    mutating func code<Coder: StoredCoder>(with coder: inout Coder) throws(Coder.Failure) {
        var number = number
        try coder.number("number", &number)
        if Coder.reads {
            let known: [GateName] = [
                .presence, .companion, .sensor(0), .domainState(DomainState(sensor: 0, epoch: 0)),
            ]
            let read = known.first { $0.number == number }
            try coder.require(read != nil)
            self = read ?? self
        }
        switch self {
        case .presence, .companion: break
        case .sensor(var sensor):
            try coder.number("sensor", &sensor)
            self = .sensor(sensor)
        case .domainState(var state):
            try coder.number("sensor", &state.sensor)
            try coder.number("epoch", &state.epoch)
            self = .domainState(state)
        }
    }
}

internal import AccessPolicy

/// Which gate: a key that is released only against an authenticator's result.
enum GateName: Hashable, Sendable {
    /// A match of whatever sensor there is.
    case presence
    /// The companion. It outlives pairing anew.
    case companion
    /// A match of this sensor.
    case sensor(UInt32)
    /// A match under this enrollment set.
    case domainState(DomainState)

    /// The gate that biometry in `constraint` stands behind, for an item bound like this.
    init(biometryOf constraint: Constraint, _ binding: Binding) {
        switch constraint.biometry {
        case .currentSet: self = .domainState(binding.domainState)
        case .anyOfSensor: self = .sensor(binding.domainState.sensor)
        case .unbound: self = .presence
        }
    }

    /// Those that have to exist while this enrollment set is the present one.
    static func needed(under state: DomainState) -> [GateName] {
        [.presence, .companion, .sensor(state.sensor), .domainState(state)]
    }

    /// Those that a match under this enrollment set releases.
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

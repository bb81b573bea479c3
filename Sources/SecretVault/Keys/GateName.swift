internal import AccessPolicy

/// Which gate: a key that is released only against a judge's result.
enum GateName: Hashable, Sendable {
    /// A match of whatever sensor there is.
    case presence
    /// The companion. It outlives pairing anew.
    case companion
    /// A match of this sensor.
    case sensor(UInt32)
    /// A match under this enrolment set.
    case domainState(DomainState)

    /// The gate that biometry in `constraint` stands behind, for an item bound like this.
    init(biometryOf constraint: Constraint, _ binding: Binding) {
        switch constraint.biometry {
        case .currentSet: self = .domainState(binding.domainState)
        case .anyOfSensor: self = .sensor(binding.domainState.sensor)
        case .unbound: self = .presence
        }
    }

    /// Those that have to exist while this enrolment set is the present one.
    static func needed(under state: DomainState) -> [GateName] {
        [.presence, .companion, .sensor(state.sensor), .domainState(state)]
    }

    /// Those that a match under this enrolment set releases.
    static func matched(under state: DomainState) -> [GateName] {
        [.presence, .sensor(state.sensor), .domainState(state)]
    }

    func write(to bytes: inout [UInt8]) {
        switch self {
        case .presence: bytes.write(1 as UInt8)
        case .companion: bytes.write(2 as UInt8)
        case .sensor(let sensor):
            bytes.write(3 as UInt8)
            bytes.write(sensor)
        case .domainState(let state):
            bytes.write(4 as UInt8)
            bytes.write(state.sensor)
            bytes.write(state.epoch)
        }
    }

    init(from reader: inout ByteReader) throws(ByteReader.Malformed) {
        switch try reader.number(UInt8.self) {
        case 1: self = .presence
        case 2: self = .companion
        case 3: self = .sensor(try reader.number())
        case 4: self = .domainState(DomainState(sensor: try reader.number(), epoch: try reader.number()))
        default: throw ByteReader.Malformed()
        }
    }
}

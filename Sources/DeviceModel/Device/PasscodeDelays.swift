public import AccessPolicy

/// The consequence of the last wrong passcode that a device accepts.
public enum AttemptEnd: UInt8, CaseIterable, Sendable {
    /// The device accepts no more passcodes until it is erased.
    case disables = 0
    /// The device erases itself. As on Apple's devices, this is not the default.
    case erases = 1
    /// The longest delay applies again and again, for a device that leaves the consequence to its authenticator.
    case keepsDelaying = 2
}

extension Fidelity.PasscodeDelays {
    /// The number of different wrong passcodes that have the final consequence.
    public var limit: Int {
        switch self {
        case .older, .newer, .none: 10
        case .measured: 11
        }
    }

    /// Returns the delay after this many different wrong passcodes (semantics 7.3).
    public func delay(after failures: Int) -> TimeSpan {
        switch self {
        case .none: .zero
        case .older:
            Self.delay(after: failures, from: 5, .minutes(1), .minutes(5), .minutes(15), .minutes(15), .hours(1))
        case .measured:
            Self.delay(after: failures, from: 6, .minutes(1), .minutes(5), .minutes(15), .minutes(60), .minutes(60))
        case .newer:
            switch failures {
            case ...3: .zero
            case 4: .minutes(1)
            default:
                Self.delay(after: failures, from: 5, .minutes(5), .minutes(15), .hours(1), .hours(3), .hours(8))
            }
        }
    }

    /// Returns the delay from a table of five steps that begins at `first` failures. The last step has no end.
    private static func delay(
        after failures: Int, from first: Int, _ one: TimeSpan, _ two: TimeSpan, _ three: TimeSpan, _ four: TimeSpan,
        _ five: TimeSpan
    ) -> TimeSpan {
        switch max(failures, first - 1) - first {
        case ..<0: .zero
        case 0: one
        case 1: two
        case 2: three
        case 3: four
        default: five
        }
    }
}

extension Fidelity.PasscodeTimeout {
    /// The time for which the passcode may go unused.
    public var passcodeUnused: TimeSpan {
        switch self {
        case .current: .hours(156)
        case .older: .hours(144)
        }
    }

    /// The time for which biometry may go unused after that.
    public var biometryUnused: TimeSpan {
        switch self {
        case .current: .hours(4)
        case .older: .hours(8)
        }
    }
}

extension AttemptEnd: NamedChoice, CustomStringConvertible {
    /// The name of the consequence in scenario files.
    public var name: String {
        switch self {
        case .disables: "disables"
        case .erases: "erases"
        case .keepsDelaying: "keepsDelaying"
        }
    }

    /// The name of the consequence.
    public var description: String { name }
}

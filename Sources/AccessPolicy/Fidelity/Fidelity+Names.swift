// The names of the choices in scenario files. They never change, and `Fixtures/golden/fidelity.txt` lists them.

extension Fidelity.AddWithoutPasscode: NamedChoice {
    /// The name of the choice in scenario files.
    package var name: String {
        switch self {
        case .notAvailable: "notAvailable"
        case .authFailed: "authFailed"
        case .decode: "decode"
        }
    }
}

extension Fidelity.ChangedSet: NamedChoice {
    /// The name of the choice in scenario files.
    package var name: String {
        switch self {
        case .notFoundWhileBiometryExists: "notFoundWhileBiometryExists"
        case .notFound: "notFound"
        case .authFailed: "authFailed"
        }
    }
}

extension Fidelity.Duplicate: NamedChoice {
    /// The name of the choice in scenario files.
    package var name: String {
        switch self {
        case .authenticates: "authenticates"
        case .answersAtOnce: "answersAtOnce"
        }
    }
}

extension Fidelity.Attributes: NamedChoice {
    /// The name of the choice in scenario files.
    package var name: String {
        switch self {
        case .authenticated: "authenticated"
        case .open: "open"
        }
    }
}

extension Fidelity.ContextLifetime: NamedChoice {
    /// The name of the choice in scenario files.
    package var name: String {
        switch self {
        case .untilInvalidated: "untilInvalidated"
        case .tenMinutes: "tenMinutes"
        }
    }
}

extension Fidelity.LockoutHit: NamedChoice {
    /// The name of the choice in scenario files.
    package var name: String {
        switch self {
        case .authenticationFailed: "authenticationFailed"
        case .biometryLockout: "biometryLockout"
        }
    }
}

extension Fidelity.SensorReset: NamedChoice {
    /// The name of the choice in scenario files.
    package var name: String {
        switch self {
        case .replacesSensor: "replacesSensor"
        case .keepsSensor: "keepsSensor"
        }
    }
}

extension Fidelity.Presence: NamedChoice {
    /// The name of the choice in scenario files.
    package var name: String {
        switch self {
        case .biometryOrPasscode: "biometryOrPasscode"
        case .biometryCompanionOrPasscode: "biometryCompanionOrPasscode"
        }
    }
}

extension Fidelity.AddDuringLockout: NamedChoice {
    /// The name of the choice in scenario files.
    package var name: String {
        switch self {
        case .allowed: "allowed"
        case .refused: "refused"
        }
    }
}

extension Fidelity.PasscodeTimeout: NamedChoice {
    /// The name of the choice in scenario files.
    package var name: String {
        switch self {
        case .current: "current"
        case .older: "older"
        }
    }
}

extension Fidelity.PasscodeDelays: NamedChoice {
    /// The name of the choice in scenario files.
    package var name: String {
        switch self {
        case .older: "older"
        case .measured: "measured"
        case .newer: "newer"
        case .none: "none"
        }
    }
}

extension Fidelity.BoundSynchronizable: NamedChoice {
    /// The name of the choice in scenario files.
    package var name: String {
        switch self {
        case .accepted: "accepted"
        case .refused: "refused"
        }
    }
}

extension Fidelity.DataOfSeveral: NamedChoice {
    /// The name of the choice in scenario files.
    package var name: String {
        switch self {
        case .given: "given"
        case .refused: "refused"
        }
    }
}

extension Fidelity.ResultOfUpdate: NamedChoice {
    /// The name of the choice in scenario files.
    package var name: String {
        switch self {
        case .refused: "refused"
        case .ignored: "ignored"
        }
    }
}

extension Fidelity.DemandByUpdate: NamedChoice {
    /// The name of the choice in scenario files.
    package var name: String {
        switch self {
        case .changed: "changed"
        case .refused: "refused"
        }
    }
}

extension Fidelity.LimitOfDelete: NamedChoice {
    /// The name of the choice in scenario files.
    package var name: String {
        switch self {
        case .refused: "refused"
        case .honored: "honoured"
        }
    }
}

extension Fidelity.MatchOnAdd: NamedChoice {
    /// The name of the choice in scenario files.
    package var name: String {
        switch self {
        case .storesNothing: "storesNothing"
        case .refused: "refused"
        }
    }
}

extension Fidelity.EmptyPort: NamedChoice {
    /// The name of the choice in scenario files.
    package var name: String {
        switch self {
        case .accepted: "accepted"
        case .refused: "refused"
        }
    }
}

extension Fidelity.SuccessText: NamedChoice {
    /// The name of the choice in scenario files.
    package var name: String {
        switch self {
        case .noError: "noError"
        case .number: "number"
        }
    }
}

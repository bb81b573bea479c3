package import AccessPolicy

extension AccountRefusal {
    /// The source of the fact that Apple's system refuses the event for this reason.
    package var source: FactSource {
        switch self {
        case .notSignedIn, .notInCircle: FactSource(.header, "13.4")
        case .notOnList, .noRecoveryKey, .wrongRecoveryKey, .onlyMember: FactSource(.test, "13.4")
        case .mayNotIntroduce, .identityUnknown: FactSource(.code, "13.4")
        case .noRecord, .wrongPasscode: FactSource(.documentation, "13.4")
        case .tooManyDevices, .tooManyIdentities, .alreadySignedIn, .offline, .alreadyInCircle, .circleExists,
            .sponsorLocked, .nothingToChange:
            .choice
        }
    }

    /// The step that would let the event happen; ``Remedy/nothing`` if no single step does.
    package var remedy: Remedy {
        switch self {
        case .notSignedIn, .notOnList: .signIn
        case .notInCircle: .joinCircle
        case .offline: .connect
        case .sponsorLocked: .unlock
        case .tooManyDevices, .tooManyIdentities, .alreadySignedIn, .alreadyInCircle, .circleExists, .mayNotIntroduce,
            .noRecord, .wrongPasscode, .identityUnknown, .noRecoveryKey, .wrongRecoveryKey, .onlyMember,
            .nothingToChange:
            .nothing
        }
    }
}

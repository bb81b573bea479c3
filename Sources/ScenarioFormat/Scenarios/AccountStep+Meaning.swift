package import AccessPolicy

extension AccountStep {
    /// The effect of the step as a clause.
    package var meaning: String {
        switch self {
        case .settle: "every device sends, and then every one fetches, until nothing moves"
        case .deliver: "the other devices send, and this one fetches"
        case .signIn: "the device is signed in, and is outside the circle until it joins"
        case .signOut(deletesData: false): "the device is signed out, and keeps what it has"
        case .signOut(deletesData: true): "the device is signed out, and synced items of Apple's own apps go from it"
        case .establishCircle: "the new circle has this device as its only member"
        case .joinBySponsor: "a member brings the device in, and hands over the keys at once"
        case .joinByPasscode: "the record that a member left under its passcode brings the device in"
        case .joinByRecoveryKey: "a recovery key brings the device in without another one"
        case .setRecoveryKey: "from now on, a device with this key can join"
        case .leaveCircle: "the device leaves the circle, and keeps what it has"
        case .removeFromAccount: "the members exclude the device when they next fetch, and it keeps what it has"
        case .changeAccountPassword: "the password of the account decides nothing about the circle"
        case .resetCircle: "a new circle begins with this device alone, and each device keeps its own items"
        case .offline(true): "the device neither sends nor fetches"
        case .offline(false): "the device can send and fetch again"
        case .syncPasswords(false): "items neither leave the device nor arrive on it"
        case .syncPasswords(true): "items leave the device and arrive on it again"
        }
    }

    /// The source of the effect.
    package var source: FactSource {
        switch self {
        case .settle, .deliver: .choice
        case .signIn: FactSource(.header, "13.4")
        case .signOut: FactSource(.code, "13.3")
        case .establishCircle, .joinByRecoveryKey, .setRecoveryKey, .removeFromAccount, .resetCircle:
            FactSource(.test, "13.4")
        case .joinBySponsor, .joinByPasscode, .changeAccountPassword: FactSource(.code, "13.4")
        case .leaveCircle: FactSource(.test, "13.3")
        case .offline: SyncRule.offline.facts.factSource
        case .syncPasswords: SyncRule.switchedOff.facts.factSource
        }
    }
}

internal import AccessPolicy

extension Profile {
    /// Everybody whom the prover knows by name, in the order of the tables.
    public static let all: [Profile] = [
        owner, injuredOwner, snatcher, borrower, coercedFinger, passcodeThief, watchThief, lostPoweredOff, backupThief,
        maliciousApp, newOwner,
    ]

    /// The profile of this name; nil where there is none.
    public static func named(_ name: String) -> Profile? { all.first { $0.name == name } }

    /// What somebody can do who holds a device and knows nothing.
    private static let handling: Abilities = [.guess, .tryFinger, .lock, .reboot, .wait, .permit, .erase]
    /// What the settings of a device offer to whoever knows its passcode.
    private static let settings: Abilities = [
        .enroll, .remove, .changePasscode, .removePasscode, .pair, .backUp, .restore, .erase,
    ]

    /// The owner.
    public static let owner = Profile(
        name: "owner", summary: "the owner, who has and knows everything, and takes the device out of a pocket",
        knows: [.passcode, .applicationPassword, .backupPassword, .appleAccount],
        carries: [.ownersFinger, .ownFinger, .ownersCompanion],
        holds: .locked, can: settings.union([.lock, .reboot, .wait, .permit]), isOwner: true)

    /// The lock-out side.
    public static let injuredOwner = Profile(
        name: "injured-finger",
        summary: "the owner, whose enrolled finger the sensor does not know any more, with another one to enroll",
        knows: [.passcode, .applicationPassword, .backupPassword, .appleAccount],
        carries: [.ownFinger, .ownersCompanion],
        holds: .locked, can: [.tryFinger, .lock, .reboot, .wait, .enroll, .remove, .permit], isOwner: true)

    /// Somebody who runs away with the unlocked device.
    public static let snatcher = Profile(
        name: "snatcher", summary: "somebody who snatches the unlocked device and keeps it",
        carries: [.ownFinger], holds: .unlocked, can: handling)

    /// Somebody who gives it back.
    public static let borrower = Profile(
        name: "borrower", summary: "somebody who is handed the unlocked device for five minutes",
        carries: [.ownFinger], holds: .unlocked, can: [.tryFinger, .lock, .reboot, .wait, .permit], time: .minutes(5))

    /// Somebody who has the owner's finger at their disposal.
    public static let coercedFinger = Profile(
        name: "coerced-finger",
        summary: "somebody who presses the finger of the owner, asleep or forced, to the locked device",
        carries: [.ownFinger, .ownersFinger], holds: .locked, can: handling)

    /// Somebody who looked over the owner's shoulder.
    public static let passcodeThief = Profile(
        name: "passcode-thief", summary: "somebody who has seen the passcode typed, and then steals the locked device",
        knows: [.passcode], carries: [.ownFinger, .ownCompanion], holds: .locked,
        can: settings.union([.lock, .reboot, .wait, .permit]))

    /// Somebody who has the watch as well.
    public static let watchThief = Profile(
        name: "watch-thief", summary: "somebody who steals the locked device and the unlocked watch of its owner",
        carries: [.ownFinger, .ownersCompanion], holds: .locked, can: handling)

    /// Somebody who finds it.
    public static let lostPoweredOff = Profile(
        name: "lost-powered-off", summary: "somebody who finds the device, which was switched off when it was lost",
        carries: [.ownFinger], holds: .poweredOff, can: handling)

    /// Somebody who has what the owner's computer keeps.
    public static let backupThief = Profile(
        name: "backup-thief",
        summary: "somebody with an encrypted backup of the device, its password, and a device of their own",
        knows: [.backupPassword, .appleAccount], carries: [.ownFinger, .ownCompanion], holds: .backup,
        can: settings.union([.lock, .reboot, .wait, .permit]))

    /// Software, not a person.
    public static let maliciousApp = Profile(
        name: "malicious-app",
        summary: "an app of another access group, on the device of its owner, who answers whatever is asked",
        knows: [.passcode, .applicationPassword], carries: [.ownersFinger, .ownersCompanion], holds: .unlocked,
        can: [.lock, .reboot, .wait, .permit], asksFromOtherGroup: true)

    /// Somebody who bought it.
    public static let newOwner = Profile(
        name: "new-owner", summary: "somebody who has the device after its owner erased it, and sets it up",
        knows: [.appleAccount], carries: [.ownFinger, .ownCompanion], holds: .erased,
        can: settings.union([.lock, .reboot, .wait, .permit]))
}

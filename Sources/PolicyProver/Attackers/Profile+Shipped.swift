internal import AccessPolicy

extension Profile {
    /// The people of the tables, in their order.
    public static let all: [Profile] = [
        owner, injuredOwner, snatcher, borrower, coercedFinger, passcodeThief, watchThief, lostPoweredOff, backupThief,
        maliciousApp, newOwner,
    ]

    /// The profiles that every file and option knows by name, including those that are no row of the tables.
    public static let known: [Profile] = ofOneDevice + ofAccounts

    /// The profiles that make sense without an account.
    public static let ofOneDevice: [Profile] = all + [backgroundApp]

    /// More people, for the tables about a device in an account.
    public static let ofAccounts: [Profile] = [
        newPhone, stolenAccount, accountAndPasscode, accountAndOtherPasscode, accountSnatcher,
    ]

    /// Returns the shipped profile of this name, or nil if there is none.
    public static func named(_ name: String) -> Profile? { known.first { $0.name == name } }

    /// The abilities of an attacker who has the device in hand and knows nothing.
    private static let handling: Abilities = [.guess, .tryFinger, .lock, .reboot, .wait, .permit, .erase]
    /// The abilities that the settings of a device give to an attacker who knows the passcode.
    private static let settings: Abilities = [
        .enroll, .remove, .changePasscode, .removePasscode, .pair, .backUp, .restore, .erase,
    ]

    /// The owner of the device.
    public static let owner = Profile(
        name: "owner",
        summary: "the owner, who knows and carries everything and takes the locked device out of a pocket",
        knows: [.passcode, .applicationPassword, .backupPassword, .appleAccount],
        carries: [.ownersFinger, .ownFinger, .ownersCompanion],
        holds: .locked, can: settings.union([.lock, .reboot, .wait, .permit]), isOwner: true)

    /// An owner whose enrolled finger no longer matches. It shows which policies lock an owner out.
    public static let injuredOwner = Profile(
        name: "injured-finger",
        summary: "the owner, whose enrolled finger no longer matches, with another finger to enroll",
        knows: [.passcode, .applicationPassword, .backupPassword, .appleAccount],
        carries: [.ownFinger, .ownersCompanion],
        holds: .locked, can: [.tryFinger, .lock, .reboot, .wait, .enroll, .remove, .permit], isOwner: true)

    /// A thief who takes the unlocked device out of the owner's hands.
    public static let snatcher = Profile(
        name: "snatcher", summary: "a thief who snatches the unlocked device and keeps it",
        carries: [.ownFinger], holds: .unlocked, can: handling)

    /// A borrower who gives the device back after five minutes.
    public static let borrower = Profile(
        name: "borrower", summary: "a borrower, who has the unlocked device for five minutes",
        carries: [.ownFinger], holds: .unlocked, can: [.tryFinger, .lock, .reboot, .wait, .permit], time: .minutes(5))

    /// An attacker who can press the owner's finger to the sensor.
    public static let coercedFinger = Profile(
        name: "coerced-finger",
        summary: "an attacker who presses the finger of the owner, asleep or forced, to the locked device",
        carries: [.ownFinger, .ownersFinger], holds: .locked, can: handling)

    /// A thief who looked over the owner's shoulder.
    public static let passcodeThief = Profile(
        name: "passcode-thief", summary: "a thief who saw the passcode typed, and then steals the locked device",
        knows: [.passcode], carries: [.ownFinger, .ownCompanion], holds: .locked,
        can: settings.union([.lock, .reboot, .wait, .permit]))

    /// A thief who takes the owner's watch as well.
    public static let watchThief = Profile(
        name: "watch-thief", summary: "a thief who steals the locked device and the owner's unlocked watch",
        carries: [.ownFinger, .ownersCompanion], holds: .locked, can: handling)

    /// A finder of the lost device.
    public static let lostPoweredOff = Profile(
        name: "lost-powered-off", summary: "a finder of the device, which was switched off when it was lost",
        carries: [.ownFinger], holds: .poweredOff, can: handling)

    /// A thief of the backup that the owner's computer keeps.
    public static let backupThief = Profile(
        name: "backup-thief",
        summary: "a thief with an encrypted backup of the device, its password, and a device of their own",
        knows: [.backupPassword, .appleAccount], carries: [.ownFinger, .ownCompanion], holds: .backup,
        can: settings.union([.lock, .reboot, .wait, .permit]))

    /// An app of another access group. It is software on the owner's unlocked device.
    public static let maliciousApp = Profile(
        name: "malicious-app",
        summary: "an app of another access group on the owner's device; the owner answers every prompt",
        knows: [.passcode, .applicationPassword], carries: [.ownersFinger, .ownersCompanion], holds: .unlocked,
        can: [.lock, .reboot, .wait, .permit], asksFromOtherGroup: true)

    /// The next owner, after the former one erased the device.
    public static let newOwner = Profile(
        name: "new-owner",
        summary: "the next owner, who gets the device after the former owner erased it, and sets it up",
        knows: [.appleAccount], carries: [.ownFinger, .ownCompanion], holds: .erased,
        can: settings.union([.lock, .reboot, .wait, .permit]))

    /// The owner without the device.
    public static let newPhone = Profile(
        name: "new-phone",
        summary: "the owner, who no longer has the device and sets up a new one",
        knows: [.passcode, .applicationPassword, .backupPassword, .appleAccount, .otherPasscode],
        carries: [.ownersFinger, .ownFinger, .ownersCompanion, .ownDevice],
        holds: .nothing, can: [.lock, .wait, .changePasscode, .enroll, .permit], isOwner: true)

    /// A thief of the account alone.
    public static let stolenAccount = Profile(
        name: "stolen-account",
        summary: "a thief of the Apple Account, with its password and second factor and a device of their own",
        knows: [.appleAccount], carries: [.ownFinger, .ownDevice], holds: .nothing,
        can: [.lock, .wait, .changePasscode, .enroll, .permit])

    /// A thief of the account who saw the passcode typed.
    public static let accountAndPasscode = Profile(
        name: "account-and-passcode",
        summary: "a thief of the Apple Account who also knows the passcode of the device, but does not have it",
        knows: [.appleAccount, .passcode], carries: [.ownFinger, .ownDevice], holds: .nothing,
        can: [.lock, .wait, .changePasscode, .enroll, .permit])

    /// A thief of the account who saw the passcode of another device typed.
    public static let accountAndOtherPasscode = Profile(
        name: "account-and-other-passcode",
        summary: "a thief of the Apple Account who also knows the passcode of the owner's other device",
        knows: [.appleAccount, .otherPasscode], carries: [.ownFinger, .ownDevice], holds: .nothing,
        can: [.lock, .wait, .changePasscode, .enroll, .permit])

    /// A thief of the account who snatches the device as well.
    public static let accountSnatcher = Profile(
        name: "account-snatcher",
        summary: "a thief of the Apple Account who snatches the unlocked device and has one of their own",
        knows: [.appleAccount], carries: [.ownFinger, .ownDevice], holds: .unlocked, can: handling)

    /// The app without any person. It runs in the background of a locked device, and no one unlocks the device for it.
    public static let backgroundApp = Profile(
        name: "background-app",
        summary: "the app by itself, in the background of the locked device, which no one unlocks for it",
        holds: .locked, isOwner: true)
}

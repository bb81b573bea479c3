internal import AccessPolicy

// Attackers and owners that only a shipped claim needs. Each can do the one thing that the claim is about.

extension Profile {
    static let forgetfulOwner = Profile(
        name: "forgetful-owner", summary: "the owner, who has forgotten the passcode", carries: [.ownersFinger],
        holds: .unlocked, isOwner: true)

    static let prankster = Profile(
        name: "prankster", summary: "a prankster, who shows fingers to an unlocked device", carries: [.ownFinger],
        holds: .unlocked, can: [.tryFinger])

    static let restarter = Profile(
        name: "restarter", summary: "an attacker who switches the device off and on", holds: .unlocked, can: [.reboot])

    static let watcher = Profile(
        name: "watcher", summary: "an attacker who finds the locked device, locks it again, and waits", holds: .locked,
        can: [.lock, .wait])

    static let buttonHolder = Profile(
        name: "button-holder", summary: "an attacker who locks the device and holds its buttons", holds: .unlocked,
        can: [.lock])

    static let keeper = Profile(
        name: "keeper", summary: "a thief who keeps the unlocked device for weeks", holds: .unlocked, can: [.wait])

    static let shelver = Profile(
        name: "shelver", summary: "a thief who keeps the locked device for two days and an hour", holds: .locked,
        can: [.wait], time: .hours(49))

    static let refuser = Profile(
        name: "refuser", summary: "an attacker who refuses the app the use of biometry", holds: .unlocked,
        can: [.permit])

    static let hastyGuesser = Profile(
        name: "hasty-guesser", summary: "an attacker who has five minutes to guess the passcode", holds: .locked,
        can: [.guess, .wait, .erase], time: .minutes(5))

    static let patientGuesser = Profile(
        name: "patient-guesser", summary: "an attacker who guesses the passcode for as long as it takes",
        holds: .locked,
        can: [.guess, .wait])

    static let stubbornGuesser = Profile(
        name: "stubborn-guesser", summary: "an attacker who guesses the passcode and does not wait", holds: .locked,
        can: [.guess])

    static let passcodeRemover = Profile(
        name: "passcode-remover", summary: "an attacker who knows the passcode and removes it", knows: [.passcode],
        holds: .locked, can: [.removePasscode])

    static let fingerRemover = Profile(
        name: "finger-remover", summary: "an attacker who knows the passcode and resets the sensor", knows: [.passcode],
        holds: .locked, can: [.remove])

    static let usurper = Profile(
        name: "usurper",
        summary: "an attacker who knows the passcode and makes the device their own without erasing it",
        knows: [.passcode], holds: .locked, can: [.changePasscode, .remove, .lock])

    static let accountThief = Profile(
        name: "account-thief", summary: "a passcode thief who also has the password of the owner's Apple Account",
        knows: [.passcode, .appleAccount], carries: [.ownFinger, .ownCompanion], holds: .locked,
        can: [.pair, .lock, .wait])

    static let watchPairer = Profile(
        name: "watch-pairer",
        summary: "an attacker who knows the passcode and the Apple Account, and pairs a watch of their own",
        knows: [.passcode, .appleAccount], carries: [.ownCompanion], holds: .locked, can: [.pair])

    static let boldSnatcher = Profile(
        name: "bold-snatcher", summary: "a thief who snatches the unlocked device and tries every setting",
        carries: [.ownFinger, .ownCompanion], holds: .unlocked,
        can: [.enroll, .remove, .changePasscode, .removePasscode, .pair, .backUp, .restore, .erase])

    static let watchSnatcher = Profile(
        name: "watch-snatcher", summary: "a thief with the unlocked device and the owner's watch",
        carries: [.ownersCompanion], holds: .unlocked, can: [.lock])

    static let insider = Profile(
        name: "insider", summary: "an attacker who runs code in the app, knows its password, and has the locked device",
        knows: [.applicationPassword], holds: .locked, can: [.lock, .wait])

    static let coercedRestart = Profile(
        name: "coerced-restart", summary: "an attacker with the owner's finger and the device, which was switched off",
        carries: [.ownersFinger], holds: .poweredOff, can: [.reboot, .wait])

    static let fingerUser = Profile(
        name: "finger-user", summary: "the owner, who unlocks by finger and enrolls another", knows: [.passcode],
        carries: [.ownersFinger, .ownFinger], holds: .unlocked, can: [.enroll], isOwner: true)

    static let waitingUser = Profile(
        name: "waiting-user", summary: "the owner, who unlocks by finger and lets time pass", carries: [.ownersFinger],
        holds: .unlocked, can: [.wait], isOwner: true)

    static let lockingUser = Profile(
        name: "locking-user", summary: "the owner, who locks the device and unlocks it by passcode", knows: [.passcode],
        carries: [.ownersFinger], holds: .unlocked, can: [.lock], isOwner: true)
}

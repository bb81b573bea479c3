internal import AccessPolicy

// People whom a claim needs and who are no profile of the tables: each can do the one thing that the claim is about.

extension Profile {
    static let forgetfulOwner = Profile(
        name: "forgetful-owner", summary: "the owner, who has forgotten the passcode", carries: [.ownersFinger],
        holds: .unlocked, isOwner: true)

    static let prankster = Profile(
        name: "prankster", summary: "somebody who shows fingers to an unlocked device", carries: [.ownFinger],
        holds: .unlocked, can: [.tryFinger])

    static let restarter = Profile(
        name: "restarter", summary: "somebody who switches the device off and on", holds: .unlocked, can: [.reboot])

    static let buttonHolder = Profile(
        name: "button-holder", summary: "somebody who locks the device", holds: .unlocked, can: [.lock])

    static let keeper = Profile(
        name: "keeper", summary: "somebody who keeps the unlocked device for weeks", holds: .unlocked, can: [.wait])

    static let shelver = Profile(
        name: "shelver", summary: "somebody who keeps the locked device for two days and an hour", holds: .locked,
        can: [.wait], time: .hours(49))

    static let refuser = Profile(
        name: "refuser", summary: "somebody who refuses the app the use of biometry", holds: .unlocked,
        can: [.permit])

    static let hastyGuesser = Profile(
        name: "hasty-guesser", summary: "somebody who has five minutes to guess the passcode", holds: .locked,
        can: [.guess, .wait, .erase], time: .minutes(5))

    static let patientGuesser = Profile(
        name: "patient-guesser", summary: "somebody who guesses the passcode for as long as it takes", holds: .locked,
        can: [.guess, .wait])

    static let stubbornGuesser = Profile(
        name: "stubborn-guesser", summary: "somebody who guesses the passcode and does not wait", holds: .locked,
        can: [.guess])

    static let passcodeRemover = Profile(
        name: "passcode-remover", summary: "somebody who knows the passcode and removes it", knows: [.passcode],
        holds: .locked, can: [.removePasscode])

    static let fingerRemover = Profile(
        name: "finger-remover", summary: "somebody who knows the passcode and resets the sensor", knows: [.passcode],
        holds: .locked, can: [.remove])

    static let usurper = Profile(
        name: "usurper", summary: "somebody who knows the passcode, and makes the device their own without erasing it",
        knows: [.passcode], holds: .locked, can: [.changePasscode, .remove, .lock])

    static let accountThief = Profile(
        name: "account-thief", summary: "a passcode thief who also has the password of the owner's Apple Account",
        knows: [.passcode, .appleAccount], carries: [.ownFinger, .ownCompanion], holds: .locked,
        can: [.pair, .lock, .wait])

    static let watchPairer = Profile(
        name: "watch-pairer",
        summary: "somebody who knows the passcode and the Apple Account, and pairs a watch of their own",
        knows: [.passcode, .appleAccount], carries: [.ownCompanion], holds: .locked, can: [.pair])

    static let boldSnatcher = Profile(
        name: "bold-snatcher", summary: "somebody who tries every setting of the unlocked device they snatched",
        carries: [.ownFinger, .ownCompanion], holds: .unlocked,
        can: [.enroll, .remove, .changePasscode, .removePasscode, .pair, .backUp, .restore, .erase])

    static let watchSnatcher = Profile(
        name: "watch-snatcher", summary: "somebody with the unlocked device and the watch of its owner",
        carries: [.ownersCompanion], holds: .unlocked, can: [.lock])

    static let insider = Profile(
        name: "insider", summary: "somebody who runs code in the app, knows its password, and finds the device locked",
        knows: [.applicationPassword], holds: .locked, can: [.lock, .wait])

    static let coercedRestart = Profile(
        name: "coerced-restart", summary: "somebody with the finger of the owner and the device, which was off",
        carries: [.ownersFinger], holds: .poweredOff, can: [.reboot, .wait])

    static let fingerUser = Profile(
        name: "finger-user", summary: "the owner, who unlocks by finger and enrolls another", knows: [.passcode],
        carries: [.ownersFinger, .ownFinger], holds: .unlocked, can: [.enroll], isOwner: true)

    static let waitingUser = Profile(
        name: "waiting-user", summary: "somebody who unlocks by finger and lets time pass", carries: [.ownersFinger],
        holds: .unlocked, can: [.wait], isOwner: true)

    static let lockingUser = Profile(
        name: "locking-user", summary: "somebody who locks the device and unlocks it by passcode", knows: [.passcode],
        carries: [.ownersFinger], holds: .unlocked, can: [.lock], isOwner: true)
}

internal import AccessPolicy
internal import DeviceModel

extension Attack {
    /// The beginning of the story in one or two sentences.
    public var beginning: String {
        let holder = people[0]
        let device =
            switch holder.holds {
            case .unlocked: "The owner has just unlocked the device\(companionWords)."
            case .locked where assumptions.held == .justLocked:
                "The owner has just unlocked the device and locked it again\(companionWords)."
            case .locked: "The device is locked\(companionWords)."
            case .poweredOff: "The device was switched off\(companionWords)."
            case .backup: "There is an encrypted backup of the device."
            case .erased: "The owner has erased the device."
            case .nothing: "The device stays with its owner."
            }
        if isAboutFile, isOpenAtBeginning { return device + " The app holds the file open." }
        guard let authentication else { return device }
        let factors = authentication.factors.map { $0.name }.joined(separator: " and ")
        let keeper = scene.name(of: authentication.app) ?? "The app"
        return device + " \(keeper) keeps a context in which the owner authenticated with \(factors)."
    }

    /// True if the app still holds the file open when the device comes to the first person.
    private var isOpenAtBeginning: Bool {
        scene.beginning(for: people[0], assuming: assumptions).world.files[item].isOpen
    }

    private var companionWords: String { before.contains(.companionAway) ? ", and the owner's watch is away" : "" }

    /// Returns the name of the person who makes this step.
    public func name(of step: Step) -> String { people[step.move.actor].name }

    /// Returns the step as a verb phrase, such as "types the passcode".
    public func words(of step: Step) -> String {
        switch step.move.deed {
        case .event(let event): words(of: event)
        case .request(let action, _, let app):
            "has \(name(of: app)) \(action.inWords)" + (step.prompts.isEmpty ? "" : ", " + step.prompts.inWords)
                + aid(to: step)
        case .file(let use, _): use.inWords
        case .account(let move): move.texts.words
        case .deletionOnOwn: "deletes the item on a device of their own, and so on every device"
        case .arrivalOfNext: "gets the secret that the owner stores next on another device"
        }
    }

    /// Returns the name of an app if the story has to tell several apart.
    private func name(of app: AppID) -> String { scene.name(of: app) ?? "the app" }

    /// Returns the contribution of the app to the step, in words.
    private func aid(to step: Step) -> String {
        (step.kept.isEmpty ? "" : ", in the context that it keeps")
            + (step.bringsPassword ? ", with the application password from the app" : "")
    }

    private func words(of event: Event) -> String {
        let noun = scene.world.device.settings.sensor.noun
        return switch event {
        case .reboot: "switches the device off and on"
        case .lock: "locks the device"
        case .remoteLock: "locks the device from afar"
        case .emergency: "holds the power-off buttons, which locks the device"
        case .passcodeEntered(let code): scene.isKnown(code) ? "types the passcode" : "types a wrong passcode"
        case .passcodeRecovered: "sets a new passcode with the recovery key"
        case .presented(let finger): "shows \(words(of: finger, noun)) to the sensor"
        case .timePassed(let span): "waits \(span.inWords)"
        case .passcodeSet: "sets a passcode of their own"
        case .passcodeChanged: "changes the passcode to one of their own"
        case .passcodeRemoved: "removes the passcode"
        case .enrolled(let finger): "enrolls \(words(of: finger, noun))"
        case .removed(let finger): "removes \(words(of: finger, noun)) from the sensor"
        case .biometryReset: "resets the sensor, which forgets every enrollment"
        case .sensorForgot(let finger): "has the sensor forget \(words(of: finger, noun))"
        case .securityDelayStarted: "authenticates for the settings, which starts the security delay"
        case .companionPaired: "pairs a watch of their own"
        case .companionUnpaired: "forgets the watch"
        case .companionNear: "brings the watch near"
        case .companionAway: "takes the watch away"
        case .companionUnlocked: "unlocks the watch"
        case .companionLocked: "locks the watch"
        case .appInstalled: "installs an app"
        case .appRemoved: "removes an app"
        case .biometryPermitted(let app): "lets \(name(of: app)) use biometry"
        case .biometryDenied(let app): "refuses \(name(of: app)) the use of biometry"
        case .backupTaken(let isEncrypted):
            isEncrypted ? "makes an encrypted backup" : "makes a backup without a password"
        case .restoredOntoThisDevice: "puts the backup onto this device, which erases it first"
        case .restoredOntoAnotherDevice: "puts the backup onto another device"
        case .erase: "erases the device"
        }
    }

    private func words(of finger: Finger, _ noun: String) -> String {
        finger.rawValue < Scene.mostFingers
            ? "the owner's \(noun)" : finger == .ownersSpare ? "another \(noun) of their own" : "a \(noun) of their own"
    }
}

extension Attack.Reason {
    /// The reason in words.
    public var words: String {
        switch self {
        case .nothingNeeded: "holding the device is enough"
        case .deviceUnlocked: "the device is unlocked"
        case .settings(let hasPasscode):
            hasPasscode ? "the settings ask for the passcode, which they know" : "the device has no passcode to ask for"
        case .protectedSettings(let afterDelay):
            "Stolen Device Protection asks for the passcode and biometry, which they have"
                + (afterDelay ? ", and the security delay is over" : "")
        case .knowsPasscode: "they know the passcode"
        case .guesses: "holding the device is enough to guess"
        case .knownFinger: "it is enrolled"
        case .unknownFinger: "holding the device is enough to try"
        case .wearsCompanion: "they wear it"
        case .opensBackup: "they can open the backup"
        case .decided(_, let rules): rules.map { $0.identifier }.joined(separator: ", ")
        case .decidedFile(_, let rule): rule.identifier
        case .fileMissing: "there is no such file"
        case .otherAppsFile: "the file belongs to another app"
        case .account(let move): move?.texts.reason ?? "the device is in the circle of the account"
        }
    }
}

extension Scene {
    fileprivate func isKnown(_ code: Passcode) -> Bool { code.rawValue < Passcode.firstGuess }
}

extension Action {
    /// The request as what an app does, such as "read the secret".
    fileprivate var inWords: String {
        switch self {
        case .add: "store another item instead"
        case .readData: "read the secret"
        case .readAttributes: "read the attributes"
        case .readReference: "ask for a reference to the item"
        case .probe: "ask whether the item exists"
        case .inventory: "list its items"
        case .update: "change the item"
        case .checkDuplicate: "check the item for a duplicate"
        case .delete: "delete the item"
        case .sign: "sign with the key"
        case .agree: "agree on a secret with the key"
        case .decapsulate: "decapsulate a secret with the key"
        case .attest: "attest the key"
        }
    }
}

extension FileUse {
    fileprivate var inWords: String {
        switch self {
        case .read: "has the app read the file"
        case .readInBackup: "takes the file out of the backup"
        case .create: "has the app create the file"
        case .append: "has the app write to the file"
        case .delete: "has the app delete the file"
        case .close: "ends the app, which closes the file"
        }
    }
}

extension SensorKind {
    fileprivate var noun: String {
        switch self {
        case .none, .touchID: "finger"
        case .faceID: "face"
        case .opticID: "pair of eyes"
        }
    }
}

extension TimeSpan {
    /// The span in words, such as "5 minutes" or "1 minute, 3 seconds".
    fileprivate var inWords: String {
        var left = (milliseconds + 999) / 1000
        var parts: [String] = []
        for (seconds, word) in [(86400, "day"), (3600, "hour"), (60, "minute"), (1, "second")] as [(Int64, String)] {
            let count = left / seconds
            left -= count * seconds
            if count > 0 { parts.append("\(count) \(word)\(count == 1 ? "" : "s")") }
        }
        return parts.isEmpty ? "no time" : parts.joined(separator: ", ")
    }
}

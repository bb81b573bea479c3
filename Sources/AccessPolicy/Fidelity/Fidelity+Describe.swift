extension Fidelity: Described {
    /// Names every choice, in the order in which a vault keeps them. A new one goes to the end.
    package mutating func describe<Coder: FieldCoder>(to coder: inout Coder) throws(Coder.Failure) {
        try coder.choice(
            "addWithoutPasscode", &addWithoutPasscode,
            says: "the status of storing a \"when passcode set\" item while no passcode is set")
        try coder.choice(
            "changedSet", &changedSet,
            says: "the answer to a read of an item whose enrollment set has changed")
        try coder.choice(
            "duplicate", &duplicate,
            says: "whether an add over a protected item opens that item first")
        try coder.choice(
            "attributes", &attributes,
            says: "whether attributes and references ask as the data does")
        try coder.choice(
            "contextLifetime", &contextLifetime,
            says: "how long what was proved in a context counts")
        try coder.choice(
            "lockoutHit", &lockoutHit,
            says: "what an evaluation ends with that reaches the limit of failed matches")
        try coder.choice(
            "sensorReset", &sensorReset,
            says: "what a full reset of the sensor does to items under biometryAny")
        try coder.choice(
            "presence", &presence,
            says: "the proof of presence")
        try coder.choice(
            "addDuringLockout", &addDuringLockout,
            says: "whether what asks for biometry is stored during a lockout")
        try coder.choice(
            "passcodeTimeout", &passcodeTimeout,
            says: "how long the passcode may go unused before biometry stops doing")
        try coder.choice(
            "passcodeDelays", &passcodeDelays,
            says: "how long the device waits after wrong passcodes")
        try coder.choice(
            "boundSynchronizable", &boundSynchronizable,
            says: "whether an item of this device only may ask to travel through iCloud Keychain")
        try coder.choice(
            "successText", &successText,
            says: "the text of status 0, which only code that uses Apple's names can see")
        try coder.choice(
            "dataOfSeveral", &dataOfSeveral,
            says: "whether the data of several items is given at once")
        try coder.choice(
            "resultOfUpdate", &resultOfUpdate,
            says: "whether an update may ask for something back")
        try coder.choice(
            "demandByUpdate", &demandByUpdate,
            says: "whether an update can change what an item demands")
        try coder.choice(
            "limitOfDelete", &limitOfDelete,
            says: "whether a removal takes a limit")
        try coder.choice(
            "matchOnAdd", &matchOnAdd,
            says: "what becomes of an add with a match key, which only code that uses Apple's names can write")
        try coder.choice(
            "emptyPort", &emptyPort,
            says:
                "whether an item is stored with an empty text as its port, which only code that uses Apple's names can write"
        )
    }
}

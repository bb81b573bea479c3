extension Fidelity: Described {
    /// Passes every choice to `coder`, in the order in which a vault stores them. Add a new choice at the end.
    package mutating func describe<Coder: FieldCoder>(to coder: inout Coder) throws(Coder.Failure) {
        try coder.choice(
            "addWithoutPasscode", &addWithoutPasscode,
            says: "the status of storing a \"when passcode set\" item while no passcode is set")
        try coder.choice(
            "changedSet", &changedSet,
            says: "the answer to a read of an item whose enrolled set has changed")
        try coder.choice(
            "duplicate", &duplicate,
            says: "whether an add authenticates for an existing protected item before it reports a duplicate")
        try coder.choice(
            "attributes", &attributes,
            says: "whether attributes and references need the same authentication as the data")
        try coder.choice(
            "contextLifetime", &contextLifetime,
            says: "how long an authentication in a context counts")
        try coder.choice(
            "lockoutHit", &lockoutHit,
            says: "the error of an evaluation that reaches the limit of failed matches")
        try coder.choice(
            "sensorReset", &sensorReset,
            says: "what a full reset of the sensor does to items under biometryAny")
        try coder.choice(
            "presence", &presence,
            says: "the factors that satisfy userPresence")
        try coder.choice(
            "addDuringLockout", &addDuringLockout,
            says: "whether an item that needs biometry can be stored during a lockout")
        try coder.choice(
            "passcodeTimeout", &passcodeTimeout,
            says: "how long the passcode may go unused before biometry requires it")
        try coder.choice(
            "passcodeDelays", &passcodeDelays,
            says: "how long the device waits after wrong passcodes")
        try coder.choice(
            "boundSynchronizable", &boundSynchronizable,
            says: "whether an item with a ThisDeviceOnly class can be synchronizable")
        try coder.choice(
            "successText", &successText,
            says: "the text of status 0, which only code that uses Apple's names can see")
        try coder.choice(
            "dataOfSeveral", &dataOfSeveral,
            says: "whether a query can return the data of several items at once")
        try coder.choice(
            "resultOfUpdate", &resultOfUpdate,
            says: "whether an update can ask for a result")
        try coder.choice(
            "demandByUpdate", &demandByUpdate,
            says: "whether an update can change the access policy of an item")
        try coder.choice(
            "limitOfDelete", &limitOfDelete,
            says: "whether a delete can have a limit")
        try coder.choice(
            "matchOnAdd", &matchOnAdd,
            says: "the answer to an add with a match key, which only code that uses Apple's names can write")
        try coder.choice(
            "emptyPort", &emptyPort,
            says:
                "whether an item can have an empty text as its port, which only code that uses Apple's names can write"
        )
    }
}

internal import AccessPolicy

/// The disputed points by name, and what each can be settled as.
struct FidelityWord: Sendable {
    let name: String
    let words: [String]
    /// What it settles.
    let says: String
    private let get: @Sendable (Fidelity) -> String
    private let set: @Sendable (inout Fidelity, String) -> Void

    private init<Value: CaseIterable & Sendable>(
        _ name: String, _ field: any WritableKeyPath<Fidelity, Value> & Sendable, _ says: String
    ) {
        self.name = name
        self.says = says
        words = Value.allCases.map { "\($0)" }
        get = { "\($0[keyPath: field])" }
        set = { fidelity, word in
            if let value = Value.allCases.first(where: { "\($0)" == word }) { fidelity[keyPath: field] = value }
        }
    }

    func settle(_ fidelity: inout Fidelity, as word: String) { set(&fidelity, word) }

    /// What it is settled as in `fidelity`.
    func choice(in fidelity: Fidelity) -> String { get(fidelity) }

    static let all = [
        FidelityWord(
            "addWithoutPasscode", \.addWithoutPasscode,
            "the status of storing a \"when passcode set\" item while no passcode is set"),
        FidelityWord("changedSet", \.changedSet, "what a reader is told of an item whose enrolment set has changed"),
        FidelityWord("duplicate", \.duplicate, "whether an add over a protected item opens that item first"),
        FidelityWord("attributes", \.attributes, "whether attributes and references ask as the data does"),
        FidelityWord("contextLifetime", \.contextLifetime, "how long what was proved in a context counts"),
        FidelityWord(
            "lockoutHit", \.lockoutHit, "what an evaluation ends with that reaches the limit of failed matches"),
        FidelityWord("sensorReset", \.sensorReset, "what a full reset of the sensor does to items under biometryAny"),
        FidelityWord("presence", \.presence, "what shows that somebody is present"),
        FidelityWord(
            "addDuringLockout", \.addDuringLockout, "whether what asks for biometry is stored during a lockout"),
        FidelityWord(
            "passcodeTimeout", \.passcodeTimeout, "how long the passcode may go unused before biometry stops doing"),
        FidelityWord("passcodeDelays", \.passcodeDelays, "how long the device waits after wrong passcodes"),
        FidelityWord(
            "boundSynchronizable", \.boundSynchronizable,
            "whether an item of this device only may ask to travel through iCloud Keychain"),
        FidelityWord("dataOfSeveral", \.dataOfSeveral, "whether the data of several items is given at once"),
        FidelityWord("resultOfUpdate", \.resultOfUpdate, "whether an update may ask for something back"),
        FidelityWord("demandByUpdate", \.demandByUpdate, "whether an update can change what an item demands"),
        FidelityWord("limitOfDelete", \.limitOfDelete, "whether a removal takes a limit"),
        FidelityWord(
            "matchOnAdd", \.matchOnAdd,
            "what becomes of an add with a match key, which only code that uses Apple's names can write"),
        FidelityWord(
            "emptyPort", \.emptyPort,
            "whether an item is stored with an empty text as its port, which only code that uses Apple's names can write"
        ),
        FidelityWord(
            "successText", \.successText, "the text of status 0, which only code that uses Apple's names can see"),
    ]
}

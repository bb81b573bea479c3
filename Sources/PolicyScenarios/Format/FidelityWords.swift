internal import AccessPolicy

/// The disputed points by name, and what each can be settled as.
struct FidelityWord: Sendable {
    let name: String
    let words: [String]
    private let set: @Sendable (inout Fidelity, String) -> Void

    private init<Value: CaseIterable & Sendable>(
        _ name: String, _ field: any WritableKeyPath<Fidelity, Value> & Sendable
    ) {
        self.name = name
        words = Value.allCases.map { "\($0)" }
        set = { fidelity, word in
            if let value = Value.allCases.first(where: { "\($0)" == word }) { fidelity[keyPath: field] = value }
        }
    }

    func settle(_ fidelity: inout Fidelity, as word: String) { set(&fidelity, word) }

    static let all = [
        FidelityWord("addWithoutPasscode", \.addWithoutPasscode), FidelityWord("changedSet", \.changedSet),
        FidelityWord("duplicate", \.duplicate), FidelityWord("attributes", \.attributes),
        FidelityWord("contextLifetime", \.contextLifetime), FidelityWord("lockoutHit", \.lockoutHit),
        FidelityWord("sensorReset", \.sensorReset), FidelityWord("presence", \.presence),
        FidelityWord("addDuringLockout", \.addDuringLockout), FidelityWord("passcodeTimeout", \.passcodeTimeout),
        FidelityWord("passcodeDelays", \.passcodeDelays), FidelityWord("boundSynchronizable", \.boundSynchronizable),
        FidelityWord("dataOfSeveral", \.dataOfSeveral), FidelityWord("resultOfUpdate", \.resultOfUpdate),
        FidelityWord("demandByUpdate", \.demandByUpdate), FidelityWord("limitOfDelete", \.limitOfDelete),
        FidelityWord("matchOnAdd", \.matchOnAdd), FidelityWord("successText", \.successText),
    ]
}

package import AccessPolicy
internal import DeviceModel
internal import PolicyProver
internal import SecretVault

/// The words that a document may use for values of the model, each list in one place.
package enum Vocabulary {
    static let accessibilities = Accessibility.allCases.map { ($0.name, $0) }
    static let sensors: [(String, SensorKind)] = words()
    static let companions: [(String, CompanionState)] = words()
    static let attemptEnds: [(String, AttemptEnd)] = words()
    static let permissions: [(String, App.Permission)] = words()
    static let interactions: [(String, Interaction)] = [("allow", .allowed), ("fail", .fail), ("skip", .skip)]
    static let itemClasses: [(String, ItemClass)] = [
        ("genericPassword", .genericPassword), ("internetPassword", .internetPassword), ("key", .key),
    ]
    static let policies: [(String, AuthenticationPolicy)] = [
        ("deviceOwnerAuthenticationWithBiometrics", .biometry), ("deviceOwnerAuthentication", .presence),
        ("deviceOwnerAuthenticationWithCompanion", .companion),
        ("deviceOwnerAuthenticationWithBiometricsOrCompanion", .biometryOrCompanion),
    ]
    /// The requests that steps make.
    static let requests: [(String, Action)] = Action.allCases.filter { ![.checkDuplicate, .attest].contains($0) }
        .map { ($0.word, $0) }
    static let operations: [(String, Operation?)] = [
        ("createItem", nil), ("useItem", .readData), ("createKey", nil), ("useKeySign", .sign),
        ("useKeyDecrypt", .decapsulate), ("useKeyKeyExchange", .agree),
    ]
    static let factors: [(String, Factor)] = [
        ("biometry", .biometry), ("companion", .companion), ("passcode", .passcode),
        ("applicationPassword", .applicationPassword),
    ]
    /// The rules that a request can be denied by; the others never are the reason for anything.
    static let rules: [(String, Rule)] = Rule.allCases.filter { [.denies, .refuses].contains($0.facts.effect) }
        .map { ($0.identifier, $0) }
    static let statuses: [(String, OSStatusCode)] = OSStatusCode.allCases.map { ($0.name, $0) }
    static let laErrors: [(String, LAErrorCode)] = LAErrorCode.allCases.map { ($0.name, $0) }
    static let refusals: [(String, Refusal)] = Refusal.allCases.map { ($0.name, $0) }
    static let remedies: [(String, Remedy)] = Remedy.allCases.map { ($0.name, $0) }
    static let aims = ClaimWords.aims
    static let knowledge: [(String, Known)] = words()
    static let belongings: [(String, Belonging)] = words()
    static let abilities: [(String, Ability)] = words()
    /// The names of attributes, with Apple's.
    static let attributes: [(key: String, name: String, says: String)] = [
        ("account", "acct", "kSecAttrAccount"),
        ("service", "svce", "kSecAttrService, of a generic password"),
        ("server", "srvr", "kSecAttrServer, of an internet password"),
        ("path", "path", "kSecAttrPath, of an internet password"),
        ("securityDomain", "sdmn", "kSecAttrSecurityDomain, of an internet password"),
        ("label", "labl", "kSecAttrLabel"),
        ("description", "desc", "kSecAttrDescription"),
        ("comment", "icmt", "kSecAttrComment"),
        ("generic", "gena", "kSecAttrGeneric, of a generic password"),
        ("applicationTag", "atag", "kSecAttrApplicationTag, of a key"),
    ]

    private static func words<Value: NamedChoice>() -> [(String, Value)] { Value.allCases.map { ($0.name, $0) } }

    /// Words that a file may also spell otherwise, each with its spelling in the list that holds it.
    static let otherSpellings = ["enroll": "enrol"]

    /// Returns the spelling of `word` in `words`; nil if they hold neither it nor what it is another spelling of.
    static func spelling(of word: String, in words: [String]) -> String? {
        [word, otherSpellings[word]].compactMap(\.self).first(where: words.contains)
    }

    /// The word for a value of a list.
    static func word<Value: Equatable>(for value: Value, in list: [(String, Value)]) -> String? {
        list.first { $0.1 == value }?.0
    }

    /// Returns the word for a factor.
    package static func word(for factor: Factor) -> String? { word(for: factor, in: factors) }

    /// Returns the word for the class of `item`; nil for a generic password, which needs none.
    package static func classWord(of item: ItemSetup) -> String? {
        item.itemClass == .genericPassword ? nil : word(for: item.itemClass, in: itemClasses)
    }

    /// What `word` stands for in a list.
    static func value<Value>(of word: String?, in list: [(String, Value)]) -> Value? {
        guard let word = word.flatMap({ spelling(of: $0, in: list.map(\.0)) }) else { return nil }
        return list.first { $0.0 == word }?.1
    }

    static func shape<Value>(_ kind: String, _ list: [(String, Value)]) -> Shape {
        .word(called: kind, list.map(\.0))
    }
}

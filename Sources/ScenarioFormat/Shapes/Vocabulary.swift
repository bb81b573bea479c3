package import AccessPolicy
internal import ApplePlatform
internal import DeviceModel
internal import PolicyProver
internal import SecretVault

/// The words that a document uses for values of the model.
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
    static let requests: [(String, Action)] =
        Action.allCases.filter { ![.checkDuplicate, .attest].contains($0) }
        .map { ($0.word, $0) } + [(ClaimWords.decrypting, .agree)]
    static let operations: [(String, Operation?)] = [
        ("createItem", nil), ("useItem", .readData), ("createKey", nil), ("useKeySign", .sign),
        ("useKeyDecrypt", .decapsulate), ("useKeyKeyExchange", .agree),
    ]
    static let factors: [(String, Factor)] = [
        ("biometry", .biometry), ("companion", .companion), ("passcode", .passcode),
        ("applicationPassword", .applicationPassword),
    ]
    /// The rules that can deny a request. The other rules never decide an outcome.
    static let rules: [(String, Rule)] = Rule.allCases.filter { [.denies, .refuses].contains($0.facts.effect) }
        .map { ($0.identifier, $0) }
    /// The rules that can deny an access to a file.
    static let fileRules: [(String, FileRule)] = FileRule.allCases.filter { $0.facts.effect == .denies }
        .map { ($0.identifier, $0) }
    /// Every rule that can decide an outcome, by its identifier.
    static let denials = rules.map(\.0) + fileRules.map(\.0)
    static let protections = FileProtection.allCases.map { ($0.name, $0) }
    static let statuses: [(String, OSStatusCode)] = OSStatusCode.allCases.map { ($0.name, $0) }
    static let failingStatuses = statuses.filter { $0.1 != .success }
    static let promptEndings: [(String, Failure.PromptEnding)] = [
        ("dismissed", .dismissed), ("systemCanceled", .systemCanceled), ("appCanceled", .appCanceled),
    ]
    static let sensorStates: [(String, Bool)] = [("silent", false), ("answers", true)]
    static let laErrors: [(String, LAErrorCode)] = LAErrorCode.allCases.map { ($0.name, $0) }
    static let refusals: [(String, Refusal)] = Refusal.allCases.map { ($0.name, $0) }
    static let accountRefusals: [(String, AccountRefusal)] = AccountRefusal.allCases.map { ($0.name, $0) }
    static let remedies: [(String, Remedy)] = Remedy.allCases.map { ($0.name, $0) }
    static let aims = ClaimWords.aims
    static let knowledge: [(String, Known)] = words()
    static let belongings: [(String, Belonging)] = words()
    static let abilities: [(String, Ability)] = words()
    typealias Attribute = (key: String, name: AttributeName, says: String)
    /// The keys of attributes, with the names that the keychain stores and Apple's constants.
    static let attributes: [Attribute] = [
        ("account", .account, "kSecAttrAccount"),
        ("service", .service, "kSecAttrService, of a generic password"),
        ("server", .server, "kSecAttrServer, of an internet password"),
        ("path", .path, "kSecAttrPath, of an internet password"),
        ("securityDomain", .securityDomain, "kSecAttrSecurityDomain, of an internet password"),
        ("label", .label, "kSecAttrLabel"),
        ("description", .description, "kSecAttrDescription"),
        ("comment", .comment, "kSecAttrComment"),
        ("generic", .generic, "kSecAttrGeneric, of a generic password"),
        ("applicationTag", .applicationTag, "kSecAttrApplicationTag, of a key"),
    ]

    private static func words<Value: NamedChoice>() -> [(String, Value)] { Value.allCases.map { ($0.name, $0) } }

    /// Other spellings that a file may use, each with the spelling of its list.
    static let otherSpellings = ["enroll": "enrol"]

    /// Returns the spelling of `word` in `words`; nil if `words` has neither the word nor its other spelling.
    static func spelling(of word: String, in words: [String]) -> String? {
        [word, otherSpellings[word]].compactMap(\.self).first(where: words.contains)
    }

    /// Returns the word for a value; nil if the list does not have it.
    static func word<Value: Equatable>(for value: Value, in list: [(String, Value)]) -> String? {
        list.first { $0.1 == value }?.0
    }

    /// Returns the word for a factor; nil if steps have none for it.
    package static func word(for factor: Factor) -> String? { word(for: factor, in: factors) }

    /// Returns the word for the class of `item`; nil for a generic password, which is the default.
    package static func classWord(of item: ItemSetup) -> String? {
        item.itemClass == .genericPassword ? nil : word(for: item.itemClass, in: itemClasses)
    }

    /// Returns the value of `word` in a list, by any of its spellings.
    static func value<Value>(of word: String?, in list: [(String, Value)]) -> Value? {
        guard let word = word.flatMap({ spelling(of: $0, in: list.map(\.0)) }) else { return nil }
        return list.first { $0.0 == word }?.1
    }

    /// Returns the shape of a place that takes one word of a list.
    static func shape<Value>(_ kind: String, _ list: [(String, Value)]) -> Shape {
        .word(called: kind, list.map(\.0))
    }
}

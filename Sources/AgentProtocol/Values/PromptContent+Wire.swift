internal import AccessPolicy
internal import DeviceModel
internal import PlainText
package import Prompts

// Prompts that a client shows to its user, and the user's answers, as they go over the wire.

extension PromptContent.Kind {
    package static let onTheWire: [(word: String, kind: Self)] = [
        ("biometry", .biometry), ("companion", .companion), ("passcode", .passcode),
        ("former-passcode", .formerPasscode), ("application-password", .applicationPassword),
        ("new-application-password", .newApplicationPassword), ("permission", .permission),
        ("new-passcode", .newPasscode), ("recovery-key", .recoveryKey), ("passphrase", .passphrase),
        ("new-passphrase", .newPassphrase), ("new-secret", .newSecret),
    ]
}

extension PromptContent {
    /// Returns the object that represents the prompt on the wire. `number` identifies it within the connection.
    package func head(_ number: Int) -> WireObject {
        let word = Kind.onTheWire.first { $0.kind == kind }?.word ?? ""
        var fields: [String: JSON] = [
            "number": .number("\(number)"), "wish": .string(word), "reason": .string(reason),
            "attempt": .number("\(attempt)"), "notes": .array(notes.map { .string($0) }),
            "sensor": .string(sensor.name), "enrolled": .array(enrolled.map { .string($0) }),
            "fallback": .bool(offersFallback), "fake": .bool(isSensorFake),
        ]
        if let fallbackTitle { fields["fallback-title"] = .string(fallbackTitle) }
        if let cancelTitle { fields["cancel-title"] = .string(cancelTitle) }
        if let caller {
            var members: [String: JSON] = ["pid": .number("\(caller.process)")]
            if let path = caller.path { members["executable"] = .string(path) }
            if let name = caller.name { members["name"] = .string(name) }
            fields["caller"] = .object(members)
        }
        if let allowance {
            fields["allowance"] = .object([
                "number": .number("\(allowance.number)"), "limit": .number("\(allowance.limit)"),
            ])
        }
        if isForAnotherTerminal { fields["app"] = .string(app) }
        if let secret { fields["secret"] = .string(secret) }
        if let reach {
            let (word, seconds) = reach.onTheWire
            var members: [String: JSON] = ["for": .string(word), "seconds": .number("\(seconds)")]
            if case .loan(let uses?, _) = reach { members["uses"] = .number("\(uses)") }
            fields["counts"] = .object(members)
        }
        return WireObject(fields)
    }

    /// Reads a prompt and its number. Throws if its kind is unknown.
    package static func decoded(from head: inout WireObject, app: String) throws(WireError) -> (
        content: PromptContent, number: Int
    ) {
        let word = try head.consumeText("wish")
        guard let kind = Kind.onTheWire.first(where: { $0.word == word })?.kind else {
            throw .malformed("this \"wish\" is unknown")
        }
        var content = PromptContent(
            kind, reason: try head.consumeText("reason"), app: app, offersFallback: try head.consumeFlag("fallback"))
        content.attempt = Int(clamping: try head.consumeNumber("attempt"))
        content.notes = try head.consumeTexts("notes")
        let sensor = try head.consumeText("sensor")
        content.sensor = SensorKind(name: sensor) ?? .none
        content.enrolled = try head.consumeTexts("enrolled")
        content.isSensorFake = try head.consumeFlag("fake")
        content.fallbackTitle = try head.consumeTextIfPresent("fallback-title")
        content.cancelTitle = try head.consumeTextIfPresent("cancel-title")
        if var caller = try head.consumeHeadIfPresent("caller") {
            content.caller = Caller(
                path: try caller.consumeTextIfPresent("executable"),
                process: Int32(clamping: try caller.consumeNumber("pid")), name: try caller.consumeTextIfPresent("name")
            )
        }
        if var allowance = try head.consumeHeadIfPresent("allowance") {
            content.allowance = Allowance(
                number: Int(clamping: try allowance.consumeNumber("number")),
                limit: Int(clamping: try allowance.consumeNumber("limit")))
        }
        if let app = try head.consumeTextIfPresent("app") { (content.app, content.isForAnotherTerminal) = (app, true) }
        content.secret = try head.consumeTextIfPresent("secret")
        if var counts = try head.consumeHeadIfPresent("counts") {
            content.reach = Reach(
                word: try counts.consumeText("for"), seconds: Int(clamping: try counts.consumeNumber("seconds")),
                uses: try counts.consumeNumberIfPresent("uses").map { Int(clamping: $0) })
        }
        return (content, Int(clamping: try head.consumeNumber("number")))
    }
}

extension PromptContent.Reach {
    package var onTheWire: (word: String, seconds: Int) {
        switch self {
        case .command: ("command", 0)
        case .session(let seconds): ("session", seconds)
        case .otherSecrets(let seconds): ("other-secrets", seconds)
        case .program(let seconds): ("program", seconds)
        case .loan(_, let minutes): ("loan", minutes * 60)
        }
    }

    /// Creates the reach with this word on the wire; nil if this version does not know it.
    package init?(word: String, seconds: Int, uses: Int? = nil) {
        let all: [Self] = [
            .command, .session(seconds: seconds), .otherSecrets(seconds: seconds), .program(seconds: seconds),
            .loan(uses: uses, minutes: seconds / 60),
        ]
        guard let reach = all.first(where: { $0.onTheWire.word == word }) else { return nil }
        self = reach
    }
}

extension Prompt.Ending {
    package static let onTheWire: [(word: String, ending: Self)] = [
        ("answered", .answered), ("fallback", .fallback), ("cancelled", .canceled), ("locked", .systemCanceled),
        ("withdrawn", .appCanceled), ("timed-out", .timedOut),
    ]

    package var word: String { Self.onTheWire.first { $0.ending == self }?.word ?? "" }

    package init?(word: String) {
        guard let ending = Self.onTheWire.first(where: { $0.word == word })?.ending else { return nil }
        self = ending
    }
}

/// The user's answer to a prompt. What the user typed is not in it, but in the secret part of the frame.
package enum Gesture: Sendable {
    case typed
    case touched(String?)
    case confirmed
    case fallback
    case canceled
    /// The client has no place for the prompt, which waits for a terminal that `latchkey approve` offers.
    case elsewhere

    package init(from head: inout WireObject) throws(WireError) {
        switch try head.consumeText("answer") {
        case "typed": self = .typed
        case "touch": self = .touched(try head.consumeTextIfPresent("showing"))
        case "confirm": self = .confirmed
        case "fallback": self = .fallback
        case "cancel": self = .canceled
        case "elsewhere": self = .elsewhere
        default: throw .malformed("this \"answer\" is unknown")
        }
    }

    package func head(_ number: Int) -> WireObject {
        var head = WireObject(["number": .number("\(number)")])
        switch self {
        case .typed: head["answer"] = .string("typed")
        case .touched(let shown):
            head["answer"] = .string("touch")
            if let shown { head["showing"] = .string(shown) }
        case .confirmed: head["answer"] = .string("confirm")
        case .fallback: head["answer"] = .string("fallback")
        case .canceled: head["answer"] = .string("cancel")
        case .elsewhere: head["answer"] = .string("elsewhere")
        }
        return head
    }
}

internal import AccessPolicy
internal import DeviceModel
internal import PlainText
package import UserPresence

// Questions to whoever is at a client's terminal, as they go over the wire, and what they do about them.

extension Question.Wish {
    package static let onTheWire: [(word: String, wish: Self)] = [
        ("biometry", .biometry), ("companion", .companion), ("passcode", .passcode),
        ("former-passcode", .formerPasscode), ("application-password", .applicationPassword),
        ("new-application-password", .newApplicationPassword), ("permission", .permission),
        ("new-passcode", .newPasscode), ("recovery-key", .recoveryKey), ("passphrase", .passphrase),
        ("new-passphrase", .newPassphrase), ("new-secret", .newSecret),
    ]
}

extension Question {
    /// As it goes over the wire; `number` tells it from others.
    package func head(_ number: Int) -> Head {
        let word = Wish.onTheWire.first { $0.wish == wish }?.word ?? ""
        var fields: [String: JSON] = [
            "number": .number("\(number)"), "wish": .string(word), "reason": .string(reason),
            "attempt": .number("\(attempt)"), "notes": .array(notes.map { .string($0) }),
            "sensor": .string(sensor.name), "enrolled": .array(enrolled.map { .string($0) }),
            "fallback": .bool(offersFallback), "fake": .bool(isSensorFake),
        ]
        if let fallbackTitle { fields["fallback-title"] = .string(fallbackTitle) }
        if let cancelTitle { fields["cancel-title"] = .string(cancelTitle) }
        return Head(fields)
    }

    /// The question, and its number.
    package static func taken(from head: inout Head, app: String) throws(WireFault) -> (question: Question, number: Int)
    {
        let word = try head.takeText("wish")
        guard let wish = Wish.onTheWire.first(where: { $0.word == word })?.wish else {
            throw .malformed("there is no wish of this name")
        }
        var question = Question(
            wish, reason: try head.takeText("reason"), app: app, offersFallback: try head.takeFlag("fallback"))
        question.attempt = Int(clamping: try head.takeNumber("attempt"))
        question.notes = try head.takeTexts("notes")
        let sensor = try head.takeText("sensor")
        question.sensor = SensorKind(name: sensor) ?? .none
        question.enrolled = try head.takeTexts("enrolled")
        question.isSensorFake = try head.takeFlag("fake")
        question.fallbackTitle = try head.takeTextIfThere("fallback-title")
        question.cancelTitle = try head.takeTextIfThere("cancel-title")
        return (question, Int(clamping: try head.takeNumber("number")))
    }
}

extension Prompt.Ending {
    package static let onTheWire: [(word: String, ending: Self)] = [
        ("answered", .answered), ("fallback", .fallback), ("cancelled", .cancelled), ("locked", .systemCancelled),
        ("withdrawn", .appCancelled), ("timed-out", .timedOut),
    ]

    var word: String { Self.onTheWire.first { $0.ending == self }?.word ?? "" }

    init?(word: String) {
        guard let ending = Self.onTheWire.first(where: { $0.word == word })?.ending else { return nil }
        self = ending
    }
}

/// What somebody did at a prompt, without what they typed, which is the secret part.
enum Gesture: Sendable {
    case typed
    case touched(String?)
    case confirmed
    case fallback
    case cancelled

    init(from head: inout Head) throws(WireFault) {
        switch try head.takeText("answer") {
        case "typed": self = .typed
        case "touch": self = .touched(try head.takeTextIfThere("showing"))
        case "confirm": self = .confirmed
        case "fallback": self = .fallback
        case "cancel": self = .cancelled
        default: throw .malformed("there is no answer of this name")
        }
    }

    func head(_ number: Int) -> Head {
        var head = Head(["number": .number("\(number)")])
        switch self {
        case .typed: head["answer"] = .string("typed")
        case .touched(let shown):
            head["answer"] = .string("touch")
            if let shown { head["showing"] = .string(shown) }
        case .confirmed: head["answer"] = .string("confirm")
        case .fallback: head["answer"] = .string("fallback")
        case .cancelled: head["answer"] = .string("cancel")
        }
        return head
    }
}

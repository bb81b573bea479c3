internal import AccessPolicy
internal import DeviceModel
internal import PlainText
internal import PolicyProver

/// A step on a device that is played, in the words of scenario files.
///
/// It is a word such as `"lock"`, or an object such as `{"read": "item", "answers": [{"finger": "right index"}]}`.
struct PlayedStep {
    /// The content of a step.
    enum Deed {
        /// These events happen in order, up to the first that is refused.
        case events([Event])
        /// The owner types the present passcode.
        case unlock
        /// The first passcode, or a new one, is set.
        case setPasscode(Passcode)
        case companion(CompanionState)
        /// The person gets the device.
        case hold(Profile)
        case request(Action)
    }

    let deed: Deed
    /// The person who does it, or who answers the prompts; nil if the step names none.
    let by: Profile?
    /// The answers to the prompts; nil if the person answers as well as they can.
    let answers: [Answer]?
    /// The only factors that the person gives; nil for all that they have.
    let factors: [Factor]?
    /// The name of the context in which the app makes the request; nil for a new one.
    let context: String?
    /// The application password that the app supplies; zero for none.
    let password: UInt8

    /// The events that need no details, by their words.
    private static let bareEvents: [(String, Event)] = [
        ("lock", .lock), ("reboot", .reboot), ("lockRemotely", .remoteLock), ("holdButtons", .emergency),
        ("removePasscode", .passcodeRemoved), ("resetBiometry", .biometryReset),
        ("startSecurityDelay", .securityDelayStarted), ("erase", .erase),
    ]
    /// The events that need details.
    private static let events = [
        "unlock", "enroll", "remove", "setPasscode", "companion", "wait", "permitBiometry", "denyBiometry", "backup",
        "restore",
        "hold",
    ]
    private static let requests: [(String, Action)] = Action.allCases.filter { $0 != .checkDuplicate && $0 != .attest }
        .map { ($0.word, $0) }
    /// Every word that a step can begin with.
    static let words = bareEvents.map { $0.0 } + events + requests.map { $0.0 }

    /// Reads a step. Throws if a word in it is unknown.
    init(_ json: JSON, _ cast: inout Cast) throws(RequestError) {
        var members: Members
        switch json {
        case .string(let word): members = try Members(.object([word: .null]))
        case .object: members = try Members(json)
        case .null, .bool, .number, .array:
            throw RequestError("a step is a word such as \"lock\", or an object such as {\"read\": \"item\"}")
        }
        let stated = Self.words.filter { members.has($0) }
        guard let word = stated.first else {
            throw RequestError(
                members.only.map { unknownWord("step", $0, among: Self.words) }
                    ?? "a step needs an action, such as lock")
        }
        if stated.count > 1 { throw RequestError("\(word) and \(stated[1]) are two steps") }
        deed = try Self.deed(word, &members, &cast)
        by = try members.word("by", "person", among: Profile.known.map { ($0.name, $0) })
        context = try members.text("context")
        password =
            try members.text("applicationPassword").map { (text) throws(RequestError) in
                try cast.password(text)
            } ?? 0
        factors = try Self.factors(&members)
        answers = try Self.answers(&members, &cast)
        try members.finish()
        if case .request = deed { return }
        if answers != nil || factors != nil || context != nil || password != 0 {
            throw RequestError("answers, with, context and applicationPassword go with requests, and \(word) is none")
        }
    }

    private static func deed(
        _ word: String, _ members: inout Members, _ cast: inout Cast
    ) throws(RequestError) -> Deed {
        if let bare = bareEvents.first(where: { $0.0 == word }) {
            if members.value(word) != nil { throw RequestError("\(word) takes no value") }
            return .events([bare.1])
        }
        if let request = requests.first(where: { $0.0 == word }) {
            guard try members.text(word) == "item" else { throw RequestError("\(word) takes the word item") }
            return .request(request.1)
        }
        switch word {
        case "unlock":
            guard let value = members.value(word) else { return .unlock }
            guard case .object = value else { throw RequestError(howToUnlock) }
            var details = try Members(value)
            let code = try details.text("passcode")
            let (finger, face) = (try details.text("finger"), try details.text("face"))
            try details.finish()
            switch (code, finger ?? face) {
            case (let code?, nil): return .events([.passcodeEntered(try cast.passcode(code))])
            case (nil, let finger?): return .events([.presented(try cast.finger(finger))])
            case (nil, nil), (_?, _?): throw RequestError(howToUnlock)
            }
        case "setPasscode": return .setPasscode(try cast.passcode(try needed(word, &members)))
        case "companion":
            let states = CompanionState.allCases.map { ($0.name, $0) }
            guard let state = try members.word(word, "state of a companion", among: states) else {
                throw RequestError("companion takes a state, such as away")
            }
            return .companion(state)
        case "wait":
            let text = try needed(word, &members)
            guard let span = TimeSpan(written: text) else {
                throw RequestError("wait needs a duration such as 30s or 5m, not \"\(Terminal.word(text))\"")
            }
            return .events([.timePassed(span)])
        case "permitBiometry", "denyBiometry":
            let apps: [(String, AppID)] = [("app", .first), ("another app", AppID(rawValue: 1) ?? .first)]
            let app = try members.word(word, "app", among: apps) ?? .first
            return .events([word == "permitBiometry" ? .biometryPermitted(app) : .biometryDenied(app)])
        case "backup":
            let kinds = [("encrypted", true), ("unencrypted", false)]
            let kind = try members.word(word, "kind of backup", among: kinds)
            return .events([.backupTaken(encrypted: kind ?? true)])
        case "restore":
            let devices = [("thisDevice", Event.restoredOntoThisDevice), ("anotherDevice", .restoredOntoAnotherDevice)]
            return .events([try members.word(word, "device", among: devices) ?? .restoredOntoThisDevice])
        case "hold":
            let people = Profile.known.map { ($0.name, $0) }
            guard let person = try members.word(word, "person", among: people) else {
                throw RequestError("hold takes a person: \(people.map { $0.0 }.joined(separator: ", "))")
            }
            return .hold(person)
        default:  // enroll and remove
            guard let names = try members.list(word), !names.isEmpty else {
                throw RequestError("\(word) takes the name of a finger or a face, or a list of them")
            }
            var events: [Event] = []
            for name in names {
                let finger = try cast.finger(name)
                events.append(word == "enroll" ? .enrolled(finger) : .removed(finger))
            }
            return .events(events)
        }
    }

    private static func needed(_ word: String, _ members: inout Members) throws(RequestError) -> String {
        guard let text = try members.text(word) else { throw RequestError("\(word) takes one word") }
        return text
    }

    private static func factors(_ members: inout Members) throws(RequestError) -> [Factor]? {
        guard let words = try members.words("with") else { return nil }
        var factors: [Factor] = []
        for word in words {
            guard let factor = Factor.allCases.first(where: { $0.name == word }) else {
                throw RequestError(unknownWord("factor", word, among: Factor.allCases.map { $0.name }))
            }
            factors.append(factor)
        }
        return factors
    }

    private static func answers(_ members: inout Members, _ cast: inout Cast) throws(RequestError) -> [Answer]? {
        guard let value = members.value("answers") else { return nil }
        guard case .array(let list) = value else { throw RequestError("\"answers\" takes a list") }
        var answers: [Answer] = []
        for answer in list { answers.append(try Self.answer(answer, &cast)) }
        return answers
    }

    private static func answer(_ json: JSON, _ cast: inout Cast) throws(RequestError) -> Answer {
        switch json {
        case .string(let word):
            let words: [(String, Answer)] = [("cancel", .cancel), ("fallback", .fallback), ("confirm", .confirm)]
            guard let answer = words.first(where: { $0.0 == word })?.1 else {
                throw RequestError(unknownWord("answer", word, among: words.map { $0.0 }))
            }
            return answer
        case .object:
            var details = try Members(json)
            let code = try details.text("passcode")
            let (finger, face) = (try details.text("finger"), try details.text("face"))
            let password = try details.text("applicationPassword")
            try details.finish()
            switch (code, finger ?? face, password) {
            case (let code?, nil, nil): return .passcode(try cast.passcode(code))
            case (nil, let finger?, nil): return .finger(try cast.finger(finger))
            case (nil, nil, let password?): return .applicationPassword(try cast.password(password))
            default: throw RequestError(howToAnswer)
            }
        case .null, .bool, .number, .array: throw RequestError(howToAnswer)
        }
    }

    private static let howToUnlock = "unlock takes {\"passcode\": \"1234\"} or {\"finger\": \"right index\"}"
    private static let howToAnswer =
        "an answer is cancel, fallback, confirm, or an object with finger, passcode or applicationPassword"
}

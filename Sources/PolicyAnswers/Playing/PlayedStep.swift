internal import AccessPolicy
internal import DeviceModel
internal import PlainText
internal import PolicyProver
internal import PolicyWords

/// A step on a device that is played, in the words of scenario files.
///
/// It is a word such as `"lock"`, or an object such as `{"read": "item", "answers": [{"finger": "right index"}]}`.
struct PlayedStep {
    /// The content of a step.
    enum Deed {
        /// These events happen in order, up to the first that is refused.
        case events([Event])
        /// Nothing can happen, for this reason.
        case refused(Refusal)
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

    private static let requests: [(String, Action)] = Action.allCases.filter { $0 != .checkDuplicate && $0 != .attest }
        .map { ($0.word, $0) }
    /// Every word that a step can begin with.
    private static let words =
        // The apps of a device that is played are always there.
        Steps.all.map { $0.word }.filter { $0 != "install" && $0 != "uninstall" } + requests.map { $0.0 }

    /// Reads a step on `device`. Throws if a word in it is unknown.
    init(_ json: JSON, on device: Device, _ cast: inout Cast) throws(QuestionError) {
        var members: Members
        switch json {
        case .string(let word): members = try Members(.object([word: .null]))
        case .object: members = try Members(json)
        case .null, .bool, .number, .array:
            throw QuestionError("a step is a word such as \"lock\", or an object such as {\"read\": \"item\"}")
        }
        let stated = Self.words.filter { members.has($0) }
        guard let word = stated.first else {
            throw QuestionError(
                members.only.map { unknownWord("step", $0, among: Self.words) }
                    ?? "a step needs an action, such as lock")
        }
        if stated.count > 1 { throw QuestionError("\(word) and \(stated[1]) are two steps") }
        deed = try Self.deed(word, &members, on: device, &cast)
        by = try members.word("by", "person", among: Profile.ofOneDevice.map { ($0.name, $0) })
        context = try members.text("context")
        password =
            try members.text("applicationPassword").map { (text) throws(QuestionError) in
                try cast.password(text)
            } ?? 0
        factors = try Self.factors(&members)
        answers = try Self.answers(&members, &cast)
        try members.finish()
        if case .request = deed { return }
        if answers != nil || factors != nil || context != nil || password != 0 {
            throw QuestionError("answers, with, context and applicationPassword go with requests, and \(word) is none")
        }
    }

    private static func deed(
        _ word: String, _ members: inout Members, on device: Device, _ cast: inout Cast
    ) throws(QuestionError) -> Deed {
        guard let row = Steps.all.first(where: { $0.word == word }) else {
            guard let request = requests.first(where: { $0.0 == word }), try members.text(word) == "item" else {
                throw QuestionError("\(word) takes the word item")
            }
            return .request(request.1)
        }
        let value = try value(of: row, &members)
        let event: StepEvent
        do throws(StepError) { event = try row.read(value) } catch { throw QuestionError(error.message) }
        if case .hold(let name) = event, let person = Profile.ofOneDevice.first(where: { $0.name == name }) {
            return .hold(person)
        }
        if case .unlock(nil) = event, device.passcode == nil { return .refused(.passcodeNotSet) }
        let events = try event.events(on: device, &cast)
        guard case .companion = event else { return .events(events) }
        // A companion that is in part of this state already needs fewer events.
        var trial = device
        return .events(events.filter { trial.apply($0).refusal == nil })
    }

    /// Reads the value of a step. Throws if it has another form than its row.
    private static func value(of row: StepRow, _ members: inout Members) throws(QuestionError) -> StepValue {
        let word = row.word
        switch row.form {
        // Any value is one too many.
        case .nothing: return members.value(word) == nil ? .nothing : .texts([])
        case .passcode, .duration, .word: return try members.text(word).map { .text($0) } ?? .nothing
        case .app: return .text(try members.text(word) ?? Cast.appNames[0])
        case .fingers:
            guard let names = try members.list(word), !names.isEmpty else { throw QuestionError(row.needsFingers) }
            return .texts(names)
        case .person:
            let people = Profile.ofOneDevice.map { ($0.name, $0) }
            guard let person = try members.word(word, "person", among: people) else {
                throw QuestionError("\(word) takes a person: \(people.map { $0.0 }.joined(separator: ", "))")
            }
            return .text(person.name)
        case .oneOf:
            guard let value = members.value(word) else { return .nothing }
            guard case .object = value else { throw QuestionError(howToUnlock) }
            var details = try Members(value)
            let code = try details.text("passcode")
            let (finger, face) = (try details.text("finger"), try details.text("face"))
            try details.finish()
            switch (code, finger ?? face) {
            case (let code?, nil): return .fields([StepValue.Field("passcode", code)])
            case (nil, let finger?): return .fields([StepValue.Field("finger", finger)])
            case (nil, nil), (_?, _?): throw QuestionError(howToUnlock)
            }
        }
    }

    private static func factors(_ members: inout Members) throws(QuestionError) -> [Factor]? {
        guard let words = try members.words("with") else { return nil }
        var factors: [Factor] = []
        for word in words {
            guard let factor = Factor.allCases.first(where: { $0.name == word }) else {
                throw QuestionError(unknownWord("factor", word, among: Factor.allCases.map { $0.name }))
            }
            factors.append(factor)
        }
        return factors
    }

    private static func answers(_ members: inout Members, _ cast: inout Cast) throws(QuestionError) -> [Answer]? {
        guard let value = members.value("answers") else { return nil }
        guard case .array(let list) = value else { throw QuestionError("\"answers\" takes a list") }
        var answers: [Answer] = []
        for answer in list { answers.append(try Self.answer(answer, &cast)) }
        return answers
    }

    private static func answer(_ json: JSON, _ cast: inout Cast) throws(QuestionError) -> Answer {
        switch json {
        case .string(let word):
            let words: [(String, Answer)] = [("cancel", .cancel), ("fallback", .fallback), ("confirm", .confirm)]
            guard let answer = words.first(where: { $0.0 == word })?.1 else {
                throw QuestionError(unknownWord("answer", word, among: words.map { $0.0 }))
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
            default: throw QuestionError(howToAnswer)
            }
        case .null, .bool, .number, .array: throw QuestionError(howToAnswer)
        }
    }

    private static let howToUnlock = "unlock takes {\"passcode\": \"1234\"} or {\"finger\": \"right index\"}"
    private static let howToAnswer =
        "an answer is cancel, fallback, confirm, or an object with finger, passcode or applicationPassword"
}

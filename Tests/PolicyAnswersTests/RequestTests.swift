import AccessPolicy
import DeviceModel
import PlainText
import PolicyAnswers
import PolicyProver
import Testing

/// Requests in JSON, and the mistakes in them.
@Suite struct RequestTests {
    @Test func aClaimThatFailsHasItsAttack() throws {
        let answer = try Answers.of(
            #"{"ask":"prove","accessible":"whenUnlocked","require":"biometryAny","never":"read","against":"passcode-thief"}"#
        )
        #expect(answer["answer"] == .string("fails"))
        #expect(
            answer["steps"]
                == .array([
                    .string("passcode-thief types the passcode"),
                    .string("passcode-thief enrolls a finger of their own"),
                    .string("passcode-thief has the app read the secret, authenticates with biometry"),
                ]))
        #expect(
            answer["assumptions"]
                == .object([
                    "contexts": .string("fresh"), "deletes": .bool(true), "holds": .string("long-locked"),
                ]))
        #expect(answer["situations"] == .number("106"))
    }

    @Test func aClaimThatHoldsHasNoSteps() throws {
        let answer = try Answers.of(
            #"{"ask":"prove","require":["biometryCurrentSet"],"never":"read","against":"passcode-thief"}"#)
        #expect(answer["answer"] == .string("holds"))
        #expect(answer["steps"] == .array([]))
        #expect(answer["story"] == .null)
    }

    /// Every mistake, with the whole message.
    static let mistakes: [(request: String, message: String)] = [
        (
            #"{"ask":"prove","never":"read","against":"passcode-thieff"}"#,
            #"unknown profile "passcode-thieff": did you mean passcode-thief?"#
        ),
        (
            #"{"ask":"prove","never":"raed","against":"owner"}"#, #"unknown aim "raed": did you mean read?"#
        ),
        (
            #"{"ask":"prove","require":"biometryAll","never":"read","against":"owner"}"#,
            #"unknown flag "biometryAll": did you mean biometryAny?"#
        ),
        (
            #"{"ask":"prove","accessible":"whenUnlock","never":"read","against":"owner"}"#,
            #"unknown class "whenUnlock": did you mean whenUnlocked?"#
        ),
        (
            #"{"ask":"prove","accesible":"whenUnlocked","never":"read","against":"owner"}"#,
            #"unknown member "accesible": did you mean accessible?"#
        ),
        (#"{"ask":"prove","never":"use","against":"owner"}"#, "only a private key is used: make a claim about read"),
        (
            #"{"ask":"prove","key":true,"require":"biometryAny","never":"read","against":"owner"}"#,
            "a private key is used, never read: make a claim about use"
        ),
        (
            #"{"ask":"prove","require":"or and","never":"read","against":"owner"}"#,
            #"or + and is refused: "or" and "and" cannot be combined (flags.or-with-and)"#
        ),
        (
            #"{"ask":"prove","accessible":"whenPasscodeSetThisDeviceOnly","device":"simulator","never":"read","against":"owner"}"#,
            "the item cannot be stored: a whenPasscodeSetThisDeviceOnly item cannot be stored while no device passcode "
                + "is set (class.passcode-not-set)"
        ),
        (
            #"{"ask":"prove","device":"mac","stolenDeviceProtection":true,"never":"read","against":"owner"}"#,
            "mac has no Stolen Device Protection: only an iPhone has it"
        ),
        (
            #"{"ask":"prove","never":"read","against":"snatcher","holds":"just-locked"}"#,
            #""holds" applies only to an attacker who gets the device locked, and snatcher does not"#
        ),
        (
            #"{"ask":"prove","never":"read","eventually-can":"read","against":"owner"}"#,
            "never and eventually-can are two claims: prove one at a time"
        ),
        (
            #"{"ask":"prove","never":"read","against":"owner","by":"owner"}"#, "by does not go with never"
        ),
        (
            #"{"ask":"prove","never":"read","against":"owner","lockGrace":"10"}"#,
            #"lockGrace needs a duration such as 30s or 5m, not "10""#
        ),
        (
            #"{"ask":"prove"}"#,
            "state a claim: never, eventually-can, always-can, gone-after-enrollment-change, at-most-prompts"
        ),
        (
            #"{"ask":"prove","never":["read"],"against":"owner"}"#,
            "name an aim: read, use, list, overwrite, destroy or sign"
        ),
        (#"{"ask":"proof"}"#, #"unknown question "proof": did you mean prove?"#),
        (#"{}"#, #"the request asks nothing: add "ask", words, policy, prove, threats, play or suggest"#),
        (#"["prove"]"#, #"a request is an object, such as {"never": "read", "against": "passcode-thief"}"#),
        (#"{"ask""#, "the request is not JSON: expected a colon, at byte 6"),
    ]

    @Test(arguments: mistakes) func aMistakeNamesTheWord(_ mistake: (request: String, message: String)) throws {
        #expect(try Answers.reply(mistake.request) == .object(["error": .string(mistake.message)]))
    }

    @Test func everyKindOfClaimIsProved() throws {
        let claims: [(claim: String, answer: String)] = [
            (#""never":"read","against":"passcode-thief""#, "holds"),
            (#""eventually-can":"read""#, "holds"),
            (#""eventually-can":"read","by":"injured-finger""#, "fails"),
            (#""always-can":"read","against":"snatcher""#, "fails"),
            (#""gone-after-enrollment-change":true"#, "holds"),
            (#""at-most-prompts":2,"workflow":"read,read""#, "holds"),
            (#""at-most-prompts":1,"workflow":["read","read"],"by":"owner""#, "fails"),
        ]
        for (claim, answer) in claims {
            let found = try Answers.of(#"{"ask":"prove","require":"biometryCurrentSet",\#(claim)}"#)
            #expect(found["answer"] == .string(answer), "\(claim)")
        }
    }

    @Test func theAnswerIsThatOfTheProver() throws {
        let control = try AccessControl(protection: .whenUnlocked, flags: [.biometryAny, .or, .devicePasscode])
        let scene = try Scene(storing: [Item(control)])
        for (place, profile) in Profile.all.enumerated() where Play.takes(place) {
            let verdict = Prover(scene).prove(Claim(.never(.read, against: profile)))
            let answer = try Answers.of(
                #"{"ask":"prove","require":"biometryAny or devicePasscode","never":"read","against":"\#(profile.name)"}"#
            )
            #expect(answer["situations"] == .number("\(verdict.extent.situations)"), "\(profile.name)")
            #expect(answer["moves"] == .number("\(verdict.extent.moves)"), "\(profile.name)")
            #expect(answer["answer"] == .string(verdict.answer == .holds ? "holds" : "fails"), "\(profile.name)")
            let threats = try Answers.of(
                #"{"ask":"threats","require":"biometryAny or devicePasscode","against":"\#(profile.name)"}"#)
            guard case .array(let cells)? = threats["cells"], case .object(let first)? = cells.first else {
                Issue.record("no cells for \(profile.name)")
                continue
            }
            let steps = verdict.story.map { "\($0.steps.count)" }
            #expect(first["aim"] == .string("read"))
            #expect(first["result"] == .string(steps == nil ? "never" : "reached"), "\(profile.name)")
            #expect(first["steps"] == steps.map { .number($0) }, "\(profile.name)")
        }
    }
}

/// Answers to requests that are written as text.
enum Answers {
    /// Returns the whole reply.
    static func reply(_ request: String) throws -> JSON { try JSON(answer(Array(request.utf8))) }

    /// Returns the members of the answer.
    static func of(_ request: String) throws -> [String: JSON] {
        guard case .object(let reply) = try reply(request), case .object(let answer)? = reply["answer"] else {
            throw NoAnswer(reply: try Self.reply(request).text)
        }
        return answer
    }

    struct NoAnswer: Error { let reply: String }
}

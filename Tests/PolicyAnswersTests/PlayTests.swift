import AccessPolicy
import DeviceModel
import PlainText
import PolicyAnswers
import PolicyProver
import Testing

/// A device that is played step by step, in the words of scenarios.
@Suite struct PlayTests {
    /// Requests, with the outcome of every step.
    static let examples: [(policy: String, steps: String, outcomes: [String])] = [
        (#""require":"biometryAny""#, #"["lock",{"unlock":null},"reboot","lockRemotely","holdButtons"]"#, all(5)),
        (#""require":"biometryAny""#, #"[{"read":"item"}]"#, ["granted"]),
        (#""require":"biometryAny""#, #"[{"read":"item","answers":[]}]"#, ["asks"]),
        (#""require":"biometryAny""#, #"[{"read":"item","answers":[{"finger":"right index"}]}]"#, ["granted"]),
        (#""require":"biometryAny""#, #"[{"read":"item","answers":[{"finger":"left thumb"}]}]"#, ["asks"]),
        (
            #""require":"biometryAny""#,
            #"[{"read":"item","answers":[{"finger":"a"},{"finger":"b"},{"finger":"c"}]},{"read":"item"}]"#,
            ["denied", "granted"]
        ),
        (#""require":"biometryAny""#, #"[{"read":"item","answers":["cancel"]}]"#, ["denied"]),
        (
            #""require":"biometryAny or devicePasscode""#,
            #"[{"read":"item","answers":[{"finger":"x"},"fallback",{"passcode":"1234"}]}]"#, ["granted"]
        ),
        (#""require":"companion""#, #"[{"read":"item","answers":["confirm"]}]"#, ["granted"]),
        (
            #""require":"companion""#,
            #"[{"companion":"away"},{"read":"item"},{"companion":"ready"},{"read":"item"},{"companion":"notPaired"}]"#,
            ["happened", "denied", "happened", "granted", "happened"]
        ),
        (
            #""require":"applicationPassword""#,
            #"[{"read":"item","answers":[{"applicationPassword":"wrong"},{"applicationPassword":"the application password"}]}]"#,
            ["granted"]
        ),
        (
            #""require":"applicationPassword""#,
            #"[{"read":"item","applicationPassword":"the application password","answers":[]}]"#, ["granted"]
        ),
        (
            #""require":"biometryCurrentSet""#,
            #"[{"enroll":["left thumb","right thumb"]},{"read":"item"},{"exists":"item"},{"add":"item"},{"read":"item"}]"#,
            ["happened", "denied", "denied", "granted", "granted"]
        ),
        (
            #""require":"biometryAny""#,
            #"[{"hold":"snatcher"},{"enroll":"left thumb","by":"snatcher"},{"read":"item"},{"remove":"right index"},{"resetBiometry":null}]"#,
            ["happened", "refused", "denied", "happened", "happened"]
        ),
        (
            #""require":"devicePasscode""#,
            #"[{"setPasscode":"5678","by":"passcode-thief"},{"read":"item","by":"owner"},{"read":"item","by":"passcode-thief"}]"#,
            ["happened", "denied", "granted"]
        ),
        (
            #""require":"devicePasscode""#, #"["lock",{"unlock":{"passcode":"0000"}},{"wait":"10s"},{"read":"item"}]"#,
            [
                "happened", "refused", "happened", "denied",
            ]
        ),
        (
            #""accessible":"whenPasscodeSetThisDeviceOnly""#,
            #"["removePasscode",{"setPasscode":"1"},{"read":"item"}]"#,
            ["happened", "happened", "denied"]
        ),
        (
            #""accessible":"whenUnlocked""#, #"[{"backup":"encrypted"},{"restore":"anotherDevice"},{"delete":"item"}]"#,
            [
                "happened", "happened", "granted",
            ]
        ),
        (#""stolenDeviceProtection":true"#, #"["startSecurityDelay",{"wait":"1h"}]"#, all(2)),
        (
            #""key":true,"require":"biometryAny""#, #"[{"sign":"item"},{"agree":"item"},{"attributes":"item"}]"#,
            [
                "granted", "granted", "granted",
            ]
        ),
        (
            #""device":"iPhoneWithFaceID","require":"biometryAny""#,
            #"[{"denyBiometry":"app"},{"read":"item"},{"permitBiometry":"app"},{"read":"item"}]"#,
            ["happened", "denied", "happened", "granted"]
        ),
        (
            #""require":"biometryAny""#,
            #"[{"read":"item","context":"kept"},{"read":"item","context":"kept","answers":[]},{"update":"item","with":[]}]"#,
            ["granted", "granted", "denied"]
        ),
        (#""require":"biometryAny""#, #"["erase",{"read":"item"}]"#, ["happened", "denied"]),
    ]

    private static func all(_ count: Int) -> [String] { [String](repeating: "happened", count: count) }

    static func request(_ policy: String, _ steps: String) -> String { #"{"ask":"play",\#(policy),"steps":\#(steps)}"# }

    /// Returns the moments of an answer, each with its members.
    private func moments(_ request: String) throws -> [[String: JSON]] {
        guard case .object(let reply) = try Answers.reply(request), case .array(let moments)? = reply["answer"] else {
            throw Answers.NoAnswer(reply: try Answers.reply(request).text)
        }
        return moments.compactMap { if case .object(let members) = $0 { members } else { nil } }
    }

    @Test(arguments: examples) func everyStepHasItsOutcome(
        _ example: (policy: String, steps: String, outcomes: [String])
    )
        throws
    {
        let moments = try moments(Self.request(example.policy, example.steps))
        #expect(
            moments.map { $0["outcome"] } == (["beginning"] + example.outcomes).map { .string($0) }, "\(example.steps)")
    }

    @Test func aShorterListIsAnEarlierMoment() throws {
        for example in Self.examples {
            let all = try moments(Self.request(example.policy, example.steps))
            guard case .array(let steps) = try JSON(Array(example.steps.utf8)) else {
                throw Answers.NoAnswer(reply: "")
            }
            for count in 0...steps.count {
                let part = try moments(Self.request(example.policy, JSON.array(Array(steps.prefix(count))).text))
                #expect(part == Array(all.prefix(count + 1)), "\(example.steps), \(count)")
            }
        }
    }

    @Test func aDenialSaysWhatWouldFlipIt() throws {
        let moments = try moments(
            Self.request(#""require":"biometryAny""#, #"["lock",{"wait":"10s"},{"read":"item"}]"#))
        let denied = try #require(moments.last)
        #expect(denied["outcome"] == .string("denied") && denied["flips"] == .string("unlock the device"))
        guard case .array(let rules)? = denied["rules"], case .object(let last)? = rules.last else {
            throw Answers.NoAnswer(reply: "rules")
        }
        #expect(last["rule"] == .string("class.locked") && last["source"] == .string("TEST 5"))
    }

    /// The moves that the prover found succeed on the device that is played, every one, and reach the same aim.
    @Test func everyAttackIsPlayed() throws {
        var count = 0
        for (number, setting) in [
            "", #","contexts":"kept""#, #","stolenDeviceProtection":true"#, #","device":"iPhoneWithFaceID""#,
        ].enumerated() {
            for (place, flags) in PolicySpace.flags(forKey: false).enumerated() where (place + number) % 5 == 0 {
                for (row, profile) in Profile.all.enumerated() where Play.takes(place + row) {
                    for aim in Aim.ofItems where aim.isOpen(toKey: false) {
                        let subject = Play.subject(.whenUnlocked, flags, false) + setting
                        let proof = try Answers.of(
                            #"{"ask":"prove",\#(subject),"never":"\#(aim.rawValue)","against":"\#(profile.name)"}"#)
                        guard case .object(let plays)? = proof["plays"], case .object(let story)? = proof["story"],
                            case .array(let told)? = story["steps"], case .array(let steps)? = plays["steps"]
                        else { continue }
                        count += 1
                        let moments = try moments(Self.request(subject, JSON.array(steps).text)).suffix(told.count)
                        for (step, moment) in zip(told, moments) {
                            guard case .object(let step) = step, case .string(let does)? = step["does"] else {
                                continue
                            }
                            let isGuess = step["because"].map { "\($0)".contains("is enough to") } == true
                            let expected = does.hasPrefix("has the app") ? "granted" : isGuess ? "refused" : "happened"
                            #expect(moment["outcome"] == .string(expected), "\(subject) \(profile.name): \(does)")
                        }
                    }
                }
            }
        }
        #expect(count > 20)
    }

    /// Mistakes, with the whole message.
    static let mistakes: [(steps: String, message: String)] = [
        (#"["lok"]"#, #"step 1: unknown step "lok": did you mean lock?"#),
        (#"["lock",{"raed":"item"}]"#, #"step 2: unknown step "raed": did you mean read?"#),
        (#"[7]"#, #"step 1: a step is a word such as "lock", or an object such as {"read": "item"}"#),
        (#"[{"lock":null,"reboot":null}]"#, "step 1: lock and reboot are two steps"),
        (#"[{"lock":1}]"#, "step 1: lock takes no value"),
        (#"[{"read":"token"}]"#, "step 1: read takes the word item"),
        (#"[{"wait":"10"}]"#, #"step 1: wait needs a duration such as 30s or 5m, not "10""#),
        (#"[{"unlock":"1234"}]"#, #"step 1: unlock takes {"passcode": "1234"} or {"finger": "right index"}"#),
        (#"[{"hold":"theif"}]"#, #"step 1: unknown person "theif""#),
        (#"[{"lock":null,"by":"nobody"}]"#, #"step 1: unknown person "nobody""#),
        (#"[{"lock":null,"answers":[]}]"#, "step 1: answers, with, context and applicationPassword go with requests"),
        (#"[{"read":"item","answers":["yes"]}]"#, #"step 1: unknown answer "yes""#),
        (
            #"[{"read":"item","answers":[{"toe":"left"}]}]"#,
            #"step 1: unknown member "toe""#
        ),
        (#"[{"read":"item","with":"charm"}]"#, #"step 1: unknown factor "charm""#),
        (#"[{"enroll":[]}]"#, "step 1: enroll takes the name of a finger or a face, or a list of them"),
        (#"[{"read":"item","answers":[]},"lock"]"#, "step 1 waits for an answer: add it before the next step"),
        (#"{"lock":null}"#, #""steps" takes a list of steps"#),
    ]

    @Test(arguments: mistakes) func aMistakeNamesTheStep(_ mistake: (steps: String, message: String)) throws {
        let reply = try Answers.reply(Self.request(#""require":"biometryAny""#, mistake.steps))
        guard case .object(let members) = reply, case .string(let error)? = members["error"] else {
            Issue.record("no error: \(reply.text)")
            return
        }
        #expect(error.hasPrefix(mistake.message), "\(error)")
    }

    @Test func aDeviceHasRoomForSoManyNames() throws {
        let names = (0..<40).map { #"{"unlock":{"finger":"\#($0)"}}"# }.joined(separator: ",")
        #expect("\(try Answers.reply(Self.request(#""key":false"#, "[\(names)]")))".contains("30 fingers"))
        let codes = (0..<90).map { #"{"unlock":{"passcode":"\#($0)"}}"# }.joined(separator: ",")
        #expect("\(try Answers.reply(Self.request(#""key":false"#, "[\(codes)]")))".contains("60 passcodes"))
        let many = [String](repeating: #""lock""#, count: 1001).joined(separator: ",")
        #expect("\(try Answers.reply(Self.request(#""key":false"#, "[\(many)]")))".contains("at most 1000 steps"))
    }
}

internal import AccessPolicy
internal import DeviceModel
internal import PlainText
internal import PolicyProver

/// The meaning of one access policy on one device.
struct PolicyAnswer {
    private let terms: Terms
    private let setting: Setting

    /// Reads the policy and the device of a request. Throws if a word is unknown.
    init(_ members: inout Members) throws(QuestionError) {
        terms = try Terms(&members)
        setting = try Setting(&members)
        try members.finish()
    }

    /// The answer: the meaning of the policy, or the reason why Apple refuses it.
    var json: JSON {
        var members: [String: JSON] = [:]
        do throws(InvalidFlagsError) {
            let subject = try Subject(terms, setting)
            members.set("flags", to: .array(flags { refusal(ofAdding: $0) }))
            members.set("refused", to: .null)
            members.set("policy", to: .string(subject.control.description))
            members.set("means", to: .array(subject.meaning.sentences.map { .string($0) }))
            members.set("swift", to: .string(subject.swift))
            members.set("command", to: .string(subject.command))
            members.set("use", to: .string(subject.use.rawValue))
            do throws(StoringError) {
                members.set("owasp", to: .array(Self.owasp(subject, try subject.scene)))
                members.set("notStored", to: .null)
            } catch {
                members.set("owasp", to: .array([]))
                members.set("notStored", to: .string(error.description))
            }
        } catch {
            members.set("flags", to: .array(flags { _ in nil }))
            members.set("refused", to: .string(error.description))
        }
        return .object(members)
    }

    /// Returns every flag, with the reason why it cannot be added to those of the policy.
    private func flags(refusing refusal: (AccessControlFlags) -> String?) -> [JSON] {
        let chosen = terms.flags ?? []
        return AccessControlFlags.named.map { flag, name in
            .object([
                "name": .string(name), "isOn": .bool(chosen.contains(flag)),
                "refused": refusal(flag).map { .string($0) } ?? .null,
            ])
        }
    }

    /// Returns the reason why Apple refuses the policy with `flag` as well; nil if it does not.
    private func refusal(ofAdding flag: AccessControlFlags) -> String? {
        do throws(InvalidFlagsError) {
            _ = try AccessControl(protection: terms.protection, flags: (terms.flags ?? []).union(flag))
            return nil
        } catch {
            return error.rule.summary
        }
    }

    /// Returns the tests of OWASP's guide that look at a policy, with their verdicts.
    private static func owasp(_ subject: Subject, _ scene: Scene) -> [JSON] {
        MASTGTest.allCases.filter { !$0.isAtRuntime }.map { test in
            let verdict = Prover(scene).prove(Claim(test.statement(of: subject.use)))
            return .object([
                "test": .string(test.identifier), "passes": .bool(verdict.answer == .holds),
                "says": .string(test.sentence(verdict.answer)),
            ])
        }
    }
}

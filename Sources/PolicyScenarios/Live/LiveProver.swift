internal import AccessPolicy
internal import DeviceModel
package import LivePage
internal import PlainText
internal import PolicyAnswers
internal import PolicyProver

/// The prover of the live protocol, which answers as the playground does.
package enum LiveProver: Sendable {
    /// Returns the proof of the claim in a request.
    ///
    /// - Throws: ``LiveMistakes`` with the wrong word.
    package static func prove(_ request: [UInt8]) throws(LiveMistakes) -> LiveProof {
        do { return LiveProof(try proof(of: request)) } catch {
            throw LiveMistakes([error.description])
        }
    }

    /// The members of a request, each with its JSON Schema.
    package static let members: [(name: String, schema: String)] = {
        let profiles = word(Profile.ofOneDevice.map { $0.name })
        let aims = word(ClaimWords.aimsOfItems.map { $0.0 })
        let truth = anyOf([#"{"type": "boolean"}"#, word(["true", "false"])])
        let text = #"{"type": "string"}"#
        let list = #"{"type": "array", "items": {"type": "string"}}"#
        let number = anyOf([#"{"type": "integer", "minimum": 0}"#, #"{"type": "string", "pattern": "^[0-9]+$"}"#])
        var members: [(name: String, schema: String)] = [
            ("accessible", word(Accessibility.allCases.map { $0.name })), ("require", anyOf([text, list])),
            ("key", truth), ("synchronizable", truth), ("device", word(DevicePreset.all.map { $0.name })),
            ("stolenDeviceProtection", truth), ("lockGrace", text),
            ("companion", word(CompanionState.allCases.map { $0.name })), ("reuse", text),
        ]
        for assumption in Assumption.allCases {
            let words = word(assumption.words)
            members.append((assumption.rawValue, assumption.words == ["true", "false"] ? truth : words))
        }
        for kind in ClaimKind.ofOneDevice {
            switch kind {
            case .never, .eventuallyCan, .alwaysCan: members.append((kind.rawValue, aims))
            case .goneAfterEnrollmentChange, .endsWithRemoval: members.append((kind.rawValue, truth))
            case .atMostPrompts: members.append((kind.rawValue, number))
            }
        }
        return members + [("against", profiles), ("by", profiles), ("workflow", anyOf([text, list]))]
    }()

    /// The JSON Schema of a request. A member that is null counts as absent.
    static var schema: String {
        let properties = members.map {
            "\(JSON.quoted($0.name)): " + anyOf([$0.schema, #"{"type": "null"}"#])
        }
        return #"{"type": "object", "additionalProperties": false, "properties": {"#
            + properties.joined(separator: ", ") + "}}"
    }

    private static func word(_ words: [String]) -> String {
        #"{"enum": ["# + words.map { JSON.quoted($0) }.joined(separator: ", ") + "]}"
    }

    private static func anyOf(_ schemas: [String]) -> String {
        #"{"anyOf": ["# + schemas.joined(separator: ", ") + "]}"
    }
}

internal import PlainText
internal import PolicyProver
package import PolicyScenarios
internal import ScenarioFormat

/// Writes one JSON object for programs.
package struct JSONProofReport: ProofReport {
    private var count = ProofCount()
    private var claims: [String] = []

    package init() {}

    package mutating func add(_ proof: Proof) -> String {
        count.add(proof)
        let proposition = proof.proposition
        let extent = proof.verdict.extent
        var fields = [
            ("claim", Quoting.json("\(proposition.claim)")),
            ("kind", Quoting.json(proposition.claim.statement.kind.rawValue)),
            (proposition.setting.item == nil ? "of" : "item", Quoting.json(proposition.itemName)),
            ("answer", Quoting.json(proof.answer)),
            ("expected", Quoting.json(proposition.expectsHold ? "holds" : "fails")),
            ("asExpected", "\(proof.isAsExpected)"), ("situations", "\(extent.situations)"),
            ("depth", "\(extent.depth)"), ("moves", "\(extent.moves)"),
        ]
        if let assumed = proof.assumedJSON { fields.append(("assumptions", assumed)) }
        if let apps = proof.apps { fields.append(("apps", JSONText.list(apps.map { Quoting.json($0) }))) }
        fields.append(("reliesOnBackup", "\(proof.verdict.reliesOnBackup)"))
        if let test = proposition.test { fields.append(("test", Quoting.json(test.identifier))) }
        if let observation = proof.observation { fields.append(("observation", Quoting.json(observation))) }
        if let scenario = proposition.scenario { fields.append(("scenario", Quoting.json(scenario))) }
        if let position = proposition.position {
            fields += [
                ("file", Quoting.json(position.file)), ("line", "\(position.line)"), ("column", "\(position.column)"),
            ]
        }
        if let story = proof.verdict.story { fields.append(("story", JSONText.story(story))) }
        claims.append("    " + JSONText.object(fields))
        return ""
    }

    /// Returns the rest of the report.
    package mutating func end() -> String {
        """
        {
          "asExpected": \(count.asExpected), "otherwise": \(count.otherwise), "undecided": \(count.undecided),
          "claims": [
        \(claims.joined(separator: ",\n"))
          ]
        }

        """
    }
}

/// Writes the Static Analysis Results Interchange Format 2.1.0, which code hosts show beside the lines of a file.
///
/// Each claim is a result: a pass if the verdict is as expected, a failure if it is not, and open if it is undecided.
package struct SARIFProofReport: ProofReport {
    private let version: String
    private var results: [String] = []

    package init(version: String) { self.version = version }

    package mutating func add(_ proof: Proof) -> String {
        let rule = proof.proposition.test?.identifier ?? proof.proposition.claim.statement.kind.rawValue
        let place = Self.rules.firstIndex { $0.id == rule } ?? 0
        var fields = [
            ("ruleId", Quoting.json(rule)), ("ruleIndex", "\(place)"),
            // SARIF allows a level only for failures.
            ("kind", proof.isAsExpected ? "\"pass\"" : proof.isUndecided ? "\"open\"" : "\"fail\""),
            ("level", proof.isOtherwise ? "\"error\"" : "\"none\""),
            (
                "message",
                Self.message(
                    "\(proof.proposition.fullName): \(proof.isAsExpected ? proof.briefMessage : proof.message)")
            ),
        ]
        if let location = Self.location(proof.proposition.position) {
            fields.append(("locations", "[{\"physicalLocation\": \(location)}]"))
        }
        var properties: [(String, String)] = []
        if let assumed = proof.assumedJSON { properties.append(("assumptions", assumed)) }
        if let apps = proof.apps, proof.proposition.namesApps {
            properties.append(("apps", JSONText.list(apps.map { Quoting.json($0) })))
        }
        if proof.verdict.reliesOnBackup { properties.append(("reliesOnBackup", "true")) }
        if !properties.isEmpty { fields.append(("properties", JSONText.object(properties))) }
        let steps = proof.isAsExpected ? [] : proof.story
        if !steps.isEmpty {
            let locations = steps.map { line in
                let words = line.reason.isEmpty ? line.words : "\(line.words): \(line.reason)"
                let physical = Self.location(proof.proposition.position).map { "\"physicalLocation\": \($0), " } ?? ""
                return "{\"location\": {\(physical)\"message\": \(Self.message(words))}}"
            }
            fields.append(
                ("codeFlows", "[{\"threadFlows\": [{\"locations\": [\(locations.joined(separator: ", "))]}]}]"))
        }
        results.append("        " + JSONText.object(fields))
        return ""
    }

    private static let rules =
        ClaimKind.allCases.map { (id: $0.rawValue, says: $0.summary) }
        + MASTGTest.allCases.map { (id: $0.identifier, says: $0.about) }

    private static func message(_ text: String) -> String { "{\"text\": \(Quoting.json(text))}" }

    private static func location(_ position: Position?) -> String? {
        guard let position else { return nil }
        return "{\"artifactLocation\": {\"uri\": \(Quoting.json(uri(position.file)))}, "
            + "\"region\": {\"startLine\": \(position.line), \"startColumn\": \(position.column)}}"
    }

    /// Returns a path as a URI (RFC 3986), with special characters encoded.
    private static func uri(_ path: String) -> String {
        let quoted = path.utf8.map { byte in
            let isPlain = (97...122).contains(byte) || (65...90).contains(byte) || (48...57).contains(byte)
            if isPlain || "-._~/".utf8.contains(byte) { return String(UnicodeScalar(byte)) }
            let digits = String(byte, radix: 16, uppercase: true)
            return "%" + (digits.count == 1 ? "0" : "") + digits
        }.joined()
        return path.hasPrefix("/") ? "file://" + quoted : quoted
    }

    /// Returns the rest of the report.
    package mutating func end() -> String {
        let rules = Self.rules.map {
            "            {\"id\": \(Quoting.json($0.id)), \"shortDescription\": \(Self.message($0.says))}"
        }
        return """
            {
              "$schema": "https://json.schemastore.org/sarif-2.1.0.json",
              "version": "2.1.0",
              "runs": [
                {
                  "tool": {
                    "driver": {
                      "name": "latchkey", "version": \(Quoting.json(version)),
                      "rules": [
            \(rules.joined(separator: ",\n"))
                      ]
                    }
                  },
                  "columnKind": "unicodeCodePoints",
                  "results": [
            \(results.joined(separator: ",\n"))
                  ]
                }
              ]
            }

            """
    }
}

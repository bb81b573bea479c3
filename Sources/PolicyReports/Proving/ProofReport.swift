internal import AccessPolicy
internal import PlainText
internal import PolicyProver
package import PolicyScenarios
internal import ScenarioFormat

/// A report on claims in some format. The caller prints each returned text at once.
package protocol ProofReport {
    /// Adds a proof.
    mutating func add(_ proof: Proof) -> String
    /// Ends the report.
    mutating func end() -> String
}

/// A format of reports on claims, by its name in options.
package enum ProofFormat: String, CaseIterable, Sendable {
    case human, json, junit, github, sarif
}

/// The number of claims by outcome.
package struct ProofCount: Sendable {
    /// The number of claims with the expected verdict.
    package private(set) var asExpected = 0
    /// The number of claims with another verdict than expected.
    package private(set) var otherwise = 0
    package private(set) var undecided = 0

    package init() {}

    package mutating func add(_ proof: Proof) {
        if proof.isUndecided {
            undecided += 1
        } else if proof.isAsExpected {
            asExpected += 1
        } else {
            otherwise += 1
        }
    }

    var words: String {
        var parts = ["\(counted(asExpected, "claim")) as expected"]
        if otherwise > 0 { parts.append("\(otherwise) not") }
        if undecided > 0 { parts.append("\(undecided) undecided") }
        return parts.joined(separator: ", ")
    }
}

/// Writes text for people: the verdict on each claim, and the moves behind it.
package struct HumanProofReport: ProofReport {
    private let isColored: Bool
    private var count = ProofCount()

    package init(colored: Bool) { isColored = colored }

    package mutating func add(_ proof: Proof) -> String {
        count.add(proof)
        let proposition = proof.proposition
        let place = proposition.position?.shownLine ?? proposition.scenario ?? ""
        var text = "\(tinted(proof.answer, proof.isAsExpected ? .good : .bad))  \(Terminal.line(proposition.words))"
        text += place.isEmpty ? "\n" : "  \(tinted(Terminal.line(place), .faint))\n"
        text += "       \(tinted(proof.extent, .faint))\n"
        if let assumed = proof.assumed { text += "       \(tinted("assuming \(assumed)", .faint))\n" }
        if let through = proof.askedThrough { text += "       \(tinted(through, .faint))\n" }
        if let remark = proof.remark { text += "       \(remark)\n" }
        if !proof.isAsExpected && !proof.isUndecided && !proposition.expectsHold {
            text += "       expected: fails\n"
        }
        for (number, line) in proof.story.enumerated() {
            text += number == 0 ? "       " : "       \(number). "
            text += line.reason.isEmpty ? "\(Terminal.line(line.words))\n" : "\(Terminal.line(line.words))\n"
            if !line.reason.isEmpty { text += "          \(tinted("because: \(line.reason)", .faint))\n" }
        }
        if proof.verdict.answer == .fails && proof.verdict.story == nil && proof.observation == nil {
            text += "       No move leads there.\n"
        }
        return text + "\n"
    }

    package mutating func end() -> String { count.words + "\n" }

    private func tinted(_ text: String, _ tone: TextTable.Tone) -> String {
        tone.text(text, colored: isColored)
    }
}

/// Writes workflow commands, with which GitHub marks the lines of claims.
package struct GitHubProofReport: ProofReport {
    private var count = ProofCount()

    package init() {}

    package mutating func add(_ proof: Proof) -> String {
        count.add(proof)
        let proposition = proof.proposition
        let kind = proof.isAsExpected ? "notice" : proof.isUndecided ? "warning" : "error"
        let message = proof.isAsExpected ? proof.briefMessage : proof.message
        guard let position = proposition.position else {
            return "::\(kind) title=\(GitHubReport.property(proposition.words))::\(GitHubReport.data(message))\n"
        }
        return GitHubReport.command(kind, position, title: proposition.words, message)
    }

    package mutating func end() -> String { count.words + "\n" }
}

extension Proof {
    /// The verdict, the assumptions and the moves, in lines.
    var message: String {
        let lines = story.enumerated().map { number, line in
            number == 0 ? line.words : "\(number). \(line.words): \(line.reason)"
        }
        return ([briefMessage] + lines).joined(separator: "\n")
    }

    /// The verdict and the assumptions, in lines.
    var briefMessage: String {
        var lines = [proposition.expectsHold ? summary : "\(summary); expected: fails"]
        if let assumed { lines.append("Assuming \(assumed)" + (askedThrough.map { ", \($0)." } ?? ".")) }
        if let remark { lines.append(remark) }
        return lines.joined(separator: "\n")
    }
}

/// Writes the XML of JUnit, which build servers read.
package struct JUnitProofReport: ProofReport {
    private var files: [String] = []
    private var cases: [String: [Proof]] = [:]

    package init() {}

    package mutating func add(_ proof: Proof) -> String {
        let file = proof.proposition.position?.file ?? "latchkey prove"
        if cases[file] == nil { files.append(file) }
        cases[file, default: []].append(proof)
        return ""
    }

    /// Returns the rest of the report.
    package mutating func end() -> String {
        let all = cases.values.flatMap { $0 }
        var text =
            "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n<testsuites name=\"latchkey\" tests=\"\(all.count)\" "
            + "failures=\"\(all.count { $0.isOtherwise })\" errors=\"\(all.count(where: \.isUndecided))\">\n"
        for file in files {
            let own = cases[file] ?? []
            text +=
                "  <testsuite name=\"\(Quoting.xml(file))\" tests=\"\(own.count)\" "
                + "failures=\"\(own.count { $0.isOtherwise })\" errors=\"\(own.count(where: \.isUndecided))\">\n"
            text += own.map { Self.testCase($0, in: file) }.joined() + "  </testsuite>\n"
        }
        return text + "</testsuites>\n"
    }

    private static func testCase(_ proof: Proof, in file: String) -> String {
        let proposition = proof.proposition
        var head = "    <testcase name=\"\(Quoting.xml(proposition.fullName))\" classname=\"\(Quoting.xml(file))\""
        if let position = proposition.position {
            head += " file=\"\(Quoting.xml(position.file))\" line=\"\(position.line)\""
        }
        let stated = [
            ("assumptions", proof.assumed), ("apps", proof.askedThrough), ("remark", proof.remark),
        ].compactMap { name, value in
            value.map { "<property name=\"\(name)\" value=\"\(Quoting.xml($0))\"/>" }
        }
        let properties = stated.isEmpty ? "" : "      <properties>\(stated.joined())</properties>\n"
        if proof.isAsExpected { return head + (properties.isEmpty ? "/>\n" : ">\n\(properties)    </testcase>\n") }
        let kind = proof.isUndecided ? "error" : "failure"
        return head
            + ">\n\(properties)      <\(kind) message=\"\(Quoting.xml(proof.summary))\">\(Quoting.xml(proof.message))</\(kind)>\n"
            + "    </testcase>\n"
    }
}

extension Proof {
    /// True if the verdict is decided and not the expected one.
    package var isOtherwise: Bool { !isUndecided && !isAsExpected }
}

extension Proposition {
    /// The claim with the name of its scenario.
    var fullName: String { scenario.map { "\($0): \(words)" } ?? words }
}

internal import AccessPolicy
internal import PlainText
internal import PolicyProver
package import PolicyScenarios
internal import ScenarioFormat

/// Tells what came of claims, in some format. What it returns is written as it comes.
package protocol ProofReport {
    /// One was proved, or not.
    mutating func add(_ proof: Proof) -> String
    /// There are no more.
    mutating func end() -> String
}

/// The formats, by name.
package enum ProofFormat: String, CaseIterable, Sendable {
    case human, json, junit, github, sarif
}

/// How many came out how.
package struct ProofCount: Sendable {
    package private(set) var asExpected = 0
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

    /// The same in words.
    var words: String {
        var parts = ["\(counted(asExpected, "claim")) as expected"]
        if otherwise > 0 { parts.append("\(otherwise) not") }
        if undecided > 0 { parts.append("\(undecided) undecided") }
        return parts.joined(separator: ", ")
    }
}

/// What people read: the answer to each claim, and the story where it falls.
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
        if let remark = proof.remark { text += "       \(remark)\n" }
        if !proof.isAsExpected && !proof.isUndecided && !proposition.expectsHold {
            text += "       expected: that it fails\n"
        }
        for (number, line) in proof.story.enumerated() {
            text += number == 0 ? "       " : "       \(number). "
            text += line.reason.isEmpty ? "\(Terminal.line(line.words))\n" : "\(Terminal.line(line.words))\n"
            if !line.reason.isEmpty { text += "          \(tinted("because: \(line.reason)", .faint))\n" }
        }
        if proof.verdict.answer == .fails && proof.verdict.story == nil && proof.observation == nil {
            text += "       Nothing that they can do leads there.\n"
        }
        return text + "\n"
    }

    package mutating func end() -> String { count.words + "\n" }

    private func tinted(_ text: String, _ tone: TextTable.Tone) -> String {
        tone.text(text, colored: isColored)
    }
}

/// Workflow commands that mark the lines of claims on GitHub.
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
    /// Everything in lines.
    var message: String {
        let lines = story.enumerated().map { number, line in
            number == 0 ? line.words : "\(number). \(line.words): \(line.reason)"
        }
        return ([briefMessage] + lines).joined(separator: "\n")
    }

    /// The answer and what it goes by, in lines, without the story.
    var briefMessage: String {
        var lines = [proposition.expectsHold ? summary : "\(summary); that it fails was expected"]
        if let assumed { lines.append("Assuming \(assumed).") }
        if let remark { lines.append(remark) }
        return lines.joined(separator: "\n")
    }
}

/// The XML that build servers read.
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
        let stated = [("assumptions", proof.assumed), ("remark", proof.remark)].compactMap { name, value in
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
    /// True if it is decided, and came out otherwise than expected.
    package var isOtherwise: Bool { !isUndecided && !isAsExpected }
}

extension Proposition {
    /// The claim with the scenario that it is about.
    var fullName: String { scenario.map { "\($0): \(words)" } ?? words }
}

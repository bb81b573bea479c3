internal import AccessPolicy
internal import DeviceModel
internal import PlainText
internal import PolicyAnswers
internal import PolicyProver
package import PolicyScenarios

/// A report for a security review: the bottom line, the policies, the claims, the threats and the assumptions.
///
/// Equal policies, claims and covers give equal text, since it has no date of its own.
package struct ReviewPage: Sendable {
    let cover: ReviewCover
    let pages: [ThreatsPage]
    let proofs: [Proof]
    /// The number of claims by outcome.
    package let count: ProofCount

    /// Creates the report on the subjects of `pages` and on the claims of `proofs`.
    package init(_ cover: ReviewCover, pages: [ThreatsPage], proofs: [Proof]) {
        self.cover = cover
        self.pages = pages
        self.proofs = proofs
        var count = ProofCount()
        for proof in proofs { count.add(proof) }
        self.count = count
    }

    /// One sentence of the bottom line.
    struct UnmetExpectation {
        /// The judgment behind the sentence.
        enum Judgment {
            /// Good news for the owner.
            case good
            /// Bad news for the owner.
            case bad
            /// A search that met its limit.
            case open
        }

        let judgment: Judgment
        /// The sentence.
        let words: String
    }

    /// The bottom line: the claims first, and then who reads each item.
    var findings: [UnmetExpectation] { claimFindings + pages.flatMap(\.findings) }

    private var claimFindings: [UnmetExpectation] {
        if proofs.isEmpty { return [] }
        let others = proofs.filter { !$0.isAsExpected }
        if others.isEmpty {
            let all = proofs.count == 1 ? "The claim of the file" : "Each of the \(proofs.count) claims of the file"
            return [UnmetExpectation(judgment: .good, words: "\(all) came out as expected.")]
        }
        return others.map { proof in
            let claim = Terminal.line(proof.proposition.words)
            return switch proof.verdict.answer {
            case .holds: UnmetExpectation(judgment: .bad, words: "Holds, and was expected to fail: \(claim).")
            case .fails:
                UnmetExpectation(
                    judgment: .bad,
                    words:
                        "Fails\(proof.verdict.story.map { " in \(counted($0.steps.count, "step"))" } ?? ""): \(claim).")
            case .undecided: UnmetExpectation(judgment: .open, words: "Undecided: \(claim).")
            }
        }
    }

    /// The facts below the title.
    var facts: [(name: String, words: String)] { cover.facts(covering: contents) }

    /// The subjects and the number of claims.
    private var contents: String {
        let subjects = pages.isEmpty ? [] : [enumerated(pages.map(\.noun), "and")]
        let claims = proofs.isEmpty ? [] : [counted(proofs.count, "claim")]
        return pages.isEmpty && proofs.isEmpty ? "nothing" : (subjects + claims).joined(separator: "; ")
    }

    /// The assumptions of the claims, if all claims that were searched share them; nil otherwise.
    var sharedAssumptions: [Assumed.Field]? {
        let assumptions = proofs.map(\.assumptions).filter { !$0.isEmpty }
        guard let first = assumptions.first, assumptions.allSatisfy({ $0 == first }) else { return nil }
        return first
    }
}

extension ThreatsPage {
    /// The ordinary use of the subject.
    var mainAim: Aim {
        switch subject {
        case .item(let policy): policy.isKey ? .use : .read
        case .file: .readFile
        }
    }

    /// The subject in a sentence.
    var noun: String {
        if !name.isEmpty { return Terminal.line(name) }
        return switch subject {
        case .item(let policy): policy.isKey ? "the key" : "the item"
        case .file: "the file"
        }
    }

    private var isKey: Bool { mainAim == .use }
    private var reads: String { isKey ? "uses" : "reads" }
    private var read: String { isKey ? "use" : "read" }

    /// The rows of the table that are attackers.
    var attackers: [Int] { threats.profiles.indices.filter { !threats.profiles[$0].isOwner } }

    /// The bottom line: the attackers who reach the ordinary use, also under other assumptions, and an owner who cannot.
    fileprivate var findings: [ReviewPage.UnmetExpectation] {
        var reached: [(name: String, steps: Int)] = []
        var open: [String] = []
        for row in attackers {
            switch threats.cell(row, mainAim) {
            case .steps(let steps): reached.append((threats.profiles[row].name, steps))
            case .undecided: open.append(threats.profiles[row].name)
            case .never, .meaningless: break
            }
        }
        var findings: [ReviewPage.UnmetExpectation] = []
        if !reached.isEmpty {
            // Sorting keeps the order of attackers whose attacks are equally long.
            let list = reached.sorted { $0.steps < $1.steps }.map { "\($0.name) in \(counted($0.steps, "step"))" }
            let verb = reached.count == 1 ? reads : read
            findings.append(
                .init(
                    judgment: .bad,
                    words:
                        "\(reached.count) of \(attackers.count) attackers \(verb) \(noun): \(list.joined(separator: ", "))."
                ))
        } else if open.isEmpty {
            findings.append(.init(judgment: .good, words: "No attacker of these profiles ever \(reads) \(noun)."))
        }
        if !open.isEmpty {
            findings.append(
                .init(
                    judgment: .open,
                    words: "Undecided: can \(enumerated(open)) \(read) \(noun)? The search met its limit."))
        }
        findings += otherwise
        if let owner = threats.profiles.firstIndex(of: .owner), threats.cell(owner, mainAim) == .never {
            findings.append(.init(judgment: .bad, words: "The owner never \(reads) \(noun)."))
        }
        return findings
    }

    /// The attackers who reach the ordinary use only if another assumption is made.
    private var otherwise: [ReviewPage.UnmetExpectation] {
        table.variants.compactMap { variant in
            let names = attackers.filter { row in
                threats.cell(row, mainAim) == .never
                    && table.differences(row, mainAim).contains { difference in
                        if case .steps = difference.cell { difference.variant.mark == variant.mark } else { false }
                    }
            }.map { threats.profiles[$0].name }
            if names.isEmpty { return nil }
            return .init(
                judgment: .open,
                words:
                    "If \(variant.meaning.condition), \(enumerated(names, "and")) \(names.count == 1 ? reads : read) \(noun) too."
            )
        }
    }

    /// The meaning of the policy, in sentences.
    var meaning: [String] {
        switch subject {
        case .item(let policy):
            Meaning(policy.control, isKey: policy.isKey, on: threats.scene.world.device.settings).sentences
                + (policy.syncSentence().map { [$0] } ?? [])
        case .file(let file):
            ["The file has the protection class \(file)."]
        }
    }

    /// The device, in one or more sentences.
    var deviceSentence: String { table.device.sentence }

    /// The tests of OWASP's guide that look at a policy, each with its answer; empty for a file.
    var owasp: [(passes: Bool, words: String)] {
        guard case .item = subject else { return [] }
        return MASTGTest.allCases.filter { !$0.isAtRuntime }.map { test in
            let answer = Prover(threats.scene).prove(Claim(test.statement(of: mainAim))).answer
            return (answer == .holds, test.sentence(answer))
        }
    }

    /// Returns the attacks on `aim`, one for each attacker who reaches it.
    func attacks(on aim: Aim) -> [(heading: String, story: Attack)] {
        attackers.compactMap { row in
            threats.story(row, aim).map { ("\(threats.profiles[row].name), \(aim.rawValue)", $0) }
        }
    }
}

import AccessPolicy
import PolicyProver
import PolicyReports
import PolicyScenarios
import ScenarioFormat
import TestSupport
import UserPresence

/// The verdicts on one random file, and random scenarios that contradict them if they are wrong.
struct RandomFileTrial {
    private let file: RandomFile
    private let visits: Int
    /// A search that is longer than this stays undecided.
    private static let limits = SearchLimits(situations: Soak.isExhaustive ? 200_000 : 20_000)

    /// Creates the trial of the file of this seed, with so many random visits of each attacker.
    init(seed: UInt64, visits: Int) {
        file = RandomFile(seed: seed)
        self.visits = visits
    }

    /// Returns the first contradiction, with the file or the scenario that shows it; nil if there is none.
    func trouble(_ tally: inout RandomFileTally) async -> String? {
        let text = file.text
        let read = ScenarioFile(bytes: Array(text.utf8), of: "\(file.seed).yaml")
        if !read.mistakes.isEmpty { return "it is not read: \(read.mistakes)\n\(text)" }
        let (propositions, mistakes) = Proposition.all(of: read.scenarios)
        // A World has stored every item, so the prover and the vault can.
        if !mistakes.isEmpty { return "it cannot be proved: \(mistakes)\n\(text)" }
        var rest = propositions[...]
        tally.files += 1
        for (number, visit) in file.visits.enumerated() {
            var answers: [Verdict.Answer] = []
            for proposition in rest.prefix(visit.claims.count) {
                let proof = await proposition.prove(limits: Self.limits)
                answers.append(proof.verdict.answer)
                if let trouble = trouble(with: proof, visit) {
                    return "the attack of \"\(proposition.claim)\": \(trouble)\nof\n\(text)"
                }
            }
            rest = rest.dropFirst(visit.claims.count)
            tally.add(answers)
            var reached: Set<Int> = []
            for sequence in 0..<visits {
                let seed = file.seed << 16 | UInt64(number) << 12 | UInt64(sequence)
                let scenario = RandomScenario(RandomVisit(file, visit, seed: seed), answers)
                if let trouble = scenario.trouble(&reached, &tally) {
                    return "\(scenario.shrunk(trouble))\ncontradicts\n\(text)"
                }
            }
            tally.reached += reached.filter { answers[$0] == .fails }.count
        }
        return nil
    }

    // MARK: - Attacks

    /// Returns the reason why the attack of `proof` is none; nil if it plays, or if there is no attack.
    private func trouble(with proof: Proof, _ visit: RandomFile.Visit) -> String? {
        guard proof.verdict.story != nil else { return nil }
        guard let story = AttackFile(proof) else { return "it is not written" }
        return Self.trouble(playing: story.text) { scenario in
            scenario.people.lazy.compactMap { excess(of: $0.key, $0.value, visit.profile) }.first
        } ?? Self.trouble(playing: merged(story.text))
    }

    private static func trouble(
        playing text: String, checking check: (Scenario) -> String? = { _ in nil }
    ) -> String? {
        let read = ScenarioFile(bytes: Array(text.utf8), of: "attack.yaml")
        guard let scenario = read.scenarios.first, read.mistakes.isEmpty else {
            return "it is not read: \(read.mistakes)\n\(text)"
        }
        if let excess = check(scenario) { return "\(excess)\n\(text)" }
        let result = scenario.run()
        return result.passed
            ? nil : result.complaint.map { "\($0.heading): \($0.text)" }.joined(separator: "\n") + "\n\(text)"
    }

    /// Returns what a person of the attack has that the attacker does not; nil if there is nothing.
    private func excess(of name: String, _ person: ShapeVisitor, _ profile: Profile) -> String? {
        // The other one is the owner, before the attacker gets the device.
        guard name == profile.name else { return nil }
        let device = file.model.device
        let ownersFingers = person.person.fingers.filter(device.enrolled.contains)
        let knowsOwnersCode = device.passcode.map(person.passcodes.contains) ?? false
        let has: [(String, Bool, Bool)] = [
            ("the owner's fingers", !ownersFingers.isEmpty, profile.carries.contains(.ownersFinger)),
            ("a finger", person.person.fingers.count > ownersFingers.count, profile.carries.contains(.ownFinger)),
            ("the passcode", knowsOwnersCode, profile.knows.contains(.passcode)),
            (
                "the application password", person.person.applicationPassword != nil,
                profile.knows.contains(.applicationPassword)
            ),
            ("the password of the backup", person.knowsBackupPassword, profile.knows.contains(.backupPassword)),
            ("the owner's companion", person.person.wearsCompanion, profile.carries.contains(.ownersCompanion)),
            ("a companion", person.hasOwnCompanion, profile.carries.contains(.ownCompanion)),
        ]
        return has.first { $0.1 && !$0.2 }.map { "\(name) has \($0.0) there" }
    }

    /// Returns the attack in the file itself, with all its apps, items and files.
    private func merged(_ attack: String) -> String {
        let all = attack.split(separator: "\n", omittingEmptySubsequences: false).map(String.init)
        func block(_ key: String) -> [String] {
            guard let start = all.firstIndex(of: "\(key):") else { return [] }
            return [all[start]] + all[(start + 1)...].prefix { $0.hasPrefix(" ") }
        }
        // An attack through an app of another group brings one along. The file has such an app.
        let steps = block("steps").map { $0.replacing("com.example.other", with: RandomFile.outsider) }
        return (file.declarations(with: []) + block("people") + steps).joined(separator: "\n") + "\n"
    }
}

/// A random visit as a scenario, with the answers to the claims that it may contradict.
struct RandomScenario {
    private let visit: RandomVisit
    private let answers: [Verdict.Answer]
    private var lines: [RandomVisit.Line]

    init(_ visit: RandomVisit, _ answers: [Verdict.Answer]) {
        self.visit = visit
        self.answers = answers
        lines = visit.lines.filter { line in
            line.isPresent == nil || line.claim.map { answers[$0] == .holds } ?? false
        }
    }

    /// Returns the scenario as a file. It expects that the line with this number is denied.
    private func text(denying denied: Int? = nil) -> String {
        var text = visit.file.declarations(with: visit.people) + ["steps:"]
        for (number, line) in lines.enumerated() {
            if let name = line.isPresent {
                text.append("  - expect: { items: { \(name): present } }")
            } else {
                text.append("  - \(line.words)")
                text.append("    expect: \(number == denied ? "denied" : "anything")")
            }
        }
        return text.joined(separator: "\n") + "\n"
    }

    /// Plays the scenario, and returns the claim that it contradicts, with the scenario; nil if it contradicts none.
    func trouble(_ reached: inout Set<Int>, _ tally: inout RandomFileTally) -> String? {
        // A visit can be without a move, and a scenario is not.
        if lines.isEmpty { return nil }
        let text = text()
        let read = ScenarioFile(bytes: Array(text.utf8), of: "\(visit.file.seed).yaml")
        guard let scenario = read.scenarios.first, read.mistakes.isEmpty else {
            return "it is not read: \(read.mistakes)\n\(text)"
        }
        var broken: Int?
        let result = scenario.run { number, _, outcome in
            tally.add(outcome)
            let line = number - 1
            guard let claim = lines[line].claim, case .granted = outcome.verdict else { return }
            reached.insert(claim)
            if answers[claim] == .holds, broken == nil { broken = line }
        }
        tally.scenarios += 1
        if let broken, let claim = lines[broken].claim {
            return "step \(broken + 1) reaches \(visit.visit.claims[claim].aim)\n\(self.text(denying: broken))"
        }
        if result.passed { return nil }
        return result.complaint.map { "\($0.heading): \($0.text)" }.joined(separator: "\n") + "\n\(text)"
    }

    /// Returns the trouble of the smallest scenario that still has one.
    func shrunk(_ trouble: String) -> String {
        var (smallest, said) = (self, trouble)
        var isSmaller = true
        while isSmaller {
            isSmaller = false
            for place in smallest.lines.indices.reversed() where !smallest.lines[place].isFixed {
                var smaller = smallest
                smaller.lines.remove(at: place)
                var (reached, tally) = (Set<Int>(), RandomFileTally())
                guard !smaller.lines.isEmpty, let trouble = smaller.trouble(&reached, &tally) else { continue }
                (smallest, said, isSmaller) = (smaller, trouble, true)
                break
            }
        }
        return said
    }
}

extension RandomFileTally {
    fileprivate mutating func add(_ answers: [Verdict.Answer]) {
        claims += answers.count
        for answer in answers {
            switch answer {
            case .holds: holding += 1
            case .fails: attacks += 1
            case .undecided: undecided += 1
            }
        }
    }

    fileprivate mutating func add(_ outcome: PolicyScenarios.StepOutcome) {
        steps += 1
        switch outcome.verdict {
        case .granted: granted += 1
        case .happened: happened += 1
        case .denied, .closed, .faulty, .failed, .refused, .refusedByAccount, .wrong, .broken: break
        }
    }
}

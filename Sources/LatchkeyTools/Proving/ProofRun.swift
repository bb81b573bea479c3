internal import Glibc
internal import LatchkeyCLI
internal import LinuxSystem
internal import PolicyProver
internal import PolicyReports
internal import PolicyScenarios

/// One run of `latchkey prove`.
struct ProofRun {
    let format: ProofFormat
    let limits: SearchLimits
    /// The file for the attacks; nil for none.
    let savesTo: String?
    /// The version of the program, for reports that state it.
    let version: String

    /// Proves the claims one after another, each on all processors. Returns the exit status.
    func run(_ propositions: [Proposition]) -> Int32 {
        var report = report()
        var count = ProofCount()
        var proofs: [Proof] = []
        for (place, proposition) in propositions.enumerated() {
            let proof = Self.prove(
                proposition, "\(place + 1) of \(propositions.count) claims", limits: limits,
                isShown: format == .human && isatty(STDERR_FILENO) == 1)
            count.add(proof)
            proofs.append(proof)
            Output.write(report.add(proof))
        }
        Output.write(report.end())
        if let savesTo, let trouble = save(proofs, to: savesTo) {
            Output.complain(trouble)
            return 1
        }
        return Self.status(count)
    }

    /// Returns the exit status of these outcomes.
    static func status(_ count: ProofCount) -> Int32 { count.otherwise > 0 ? 1 : count.undecided > 0 ? 3 : 0 }

    /// Proves one claim. If `isShown`, the terminal shows how long it takes.
    static func prove(
        _ proposition: Proposition, _ place: String, limits: SearchLimits = SearchLimits(), isShown: Bool
    ) -> Proof {
        var wasShown = false
        let proof = Proving.wait(telling: { seconds in
            guard isShown else { return }
            wasShown = true
            Output.write("\r\(place), for \(seconds) s\u{1B}[K", isError: true)
        }) { await proposition.prove(limits: limits, tasks: Processors.count) }
        if wasShown { Output.write("\r\u{1B}[K", isError: true) }
        return proof
    }

    /// Writes the attacks as scenarios. Returns an error message if that failed.
    private func save(_ proofs: [Proof], to path: String) -> String? {
        guard let text = AttackFile.text(of: proofs) else {
            Output.complain("no attack was found, so \(path) is not written")
            return nil
        }
        do { try OutputFile.replace(path, with: text) } catch { return Output.words(error, on: path) }
        Output.confirm("Wrote \(path).")
        return nil
    }

    private func report() -> any ProofReport {
        switch format {
        case .human: HumanProofReport(colored: Output.isColored)
        case .json: JSONProofReport()
        case .junit: JUnitProofReport()
        case .github: GitHubProofReport()
        case .sarif: SARIFProofReport(version: version)
        }
    }
}

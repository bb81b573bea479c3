internal import Glibc
internal import LatchkeyCLI
internal import PlainText
internal import PolicyReports
internal import PolicyScenarios
internal import ScenarioFormat
internal import Synchronization

/// One run of `latchkey test`.
struct TestRun {
    let order: TestOrder

    init(_ order: TestOrder) { self.order = order }

    /// Runs everything. Returns the exit status, and the files that the run depends on.
    func run() -> (status: Int32, sources: Set<String>) {
        let files: [String]
        do throws(ScenarioFileError) { files = try Discovery.files(order.paths) } catch {
            Output.complain(error.description)
            return (2, [])
        }
        var suite = Suite(files: files)
        return (play(&suite), suite.sources)
    }

    private func play(_ suite: inout Suite) -> Int32 {
        if !suite.isUnderstood { return Complaints.tell(suite, as: order.format) }
        suite.keep(matching: order.filters)
        if suite.scenarios.isEmpty {
            if let claims = claims(in: suite) {
                Output.complain("these files have no steps, only \(claims): prove them with `latchkey prove`")
                return 2
            }
            Output.complain(order.filters.isEmpty ? "these files have no scenario" : "no scenario matches --filter")
            return 2
        }
        // An empty part is no error: there may be fewer scenarios than parts.
        if let (part, count) = order.shard { suite.keep(shard: part, of: count) }
        if let seed = order.seed { suite.shuffle(seed: seed) }
        return finish(suite)
    }

    /// Returns the number of claims in words; nil if there are none.
    private func claims(in suite: Suite) -> String? {
        suite.claiming.isEmpty ? nil : counted(suite.claiming.reduce(0) { $0 + $1.claims.count }, "claim")
    }

    /// Says in one line that claims were not checked, so that a passing run is not mistaken for a proof.
    private func tellOfClaims(_ suite: Suite) {
        guard let claims = claims(in: suite) else { return }
        Output.write(
            "\(claims) not checked: prove them with `latchkey prove`\n",
            isError: order.format != .human || order.output != nil)
    }

    private func finish(_ suite: Suite) -> Int32 {
        var report = report()
        var summary = Summary()
        summary.planned = suite.scenarios.count
        var progress = Progress(isShown: order.format == .human || order.output != nil)
        var written = ""
        func write(_ text: String) {
            if order.output == nil { Output.write(text) } else { written += text }
        }
        write(report.begin(suite.scenarios.count))
        suite.run { result in
            summary.add(result)
            let text = report.add(result)
            if !text.isEmpty {
                progress.clear()
                write(text)
            }
            progress.show(summary.passed + summary.failed, of: suite.scenarios.count, "scenarios")
            return result.passed || !order.stopsEarly
        }
        progress.clear()
        // In JSON, the report and the mutants are one object.
        var mutation = order.format == .json ? mutated(suite, summary) : nil
        write(report.end(summary, mutation: mutation))
        _ = Output.deliver(written, to: order.output)
        if order.format != .json { mutation = tell(summary, of: suite) }
        tellOfClaims(suite)
        return status(of: summary, mutation)
    }

    /// Writes the coverage, to standard error if standard output is for programs. Returns the report on mutants, if one is wanted.
    private func tell(_ summary: Summary, of suite: Suite) -> MutationReport? {
        let isAside = order.output != nil || order.format != .human && order.format != .github
        let isColored = !isAside && Output.isColored
        if order.tellsCoverage {
            Output.write(CoverageReport.text(summary.coverage, colored: isColored), isError: isAside)
        }
        guard let mutation = mutated(suite, summary) else { return nil }
        if order.format == .github && order.output == nil { Output.write(mutation.marks()) }
        Output.write(mutation.text(colored: isColored, namesAll: order.namesAll), isError: isAside)
        return mutation
    }

    /// Returns the report on mutants; nil if none is wanted, or scenarios failed.
    private func mutated(_ suite: Suite, _ summary: Summary) -> MutationReport? {
        if !order.mutates { return nil }
        if summary.failed > 0 {
            Output.complain("no policy is changed while scenarios fail: make them pass first")
            return nil
        }
        let run = MutationRun(suite.scenarios)
        let progress = Mutex(Progress(isShown: order.format == .human))
        let results = run.run { done, all in progress.withLock { $0.show(done, of: all, "mutants") } }
        progress.withLock { $0.clear() }
        return MutationReport(results, of: run)
    }

    private func status(of summary: Summary, _ mutation: MutationReport?) -> Int32 {
        var status: Int32 = summary.failed > 0 ? 1 : 0
        if let least = order.leastCoverage, summary.coverage.percent < least {
            let percent = CoverageReport.percent(summary.coverage)
            Output.complain("\(percent) of rules and flags were exercised, and --min-coverage wants \(least) %")
            status = 1
        }
        if let least = order.leastNoticed, let mutation, mutation.percent < least {
            let percent = CoverageReport.percent(mutation.percent)
            Output.complain("\(percent) of the mutants were noticed, and --min-noticed wants \(least) %")
            status = 1
        }
        return status
    }

    private func report() -> any Report {
        switch order.format {
        case .human: HumanReport(colored: Output.isColored, namesAll: order.namesAll)
        case .tap: TAPReport()
        case .junit: JUnitReport()
        case .json: JSONReport()
        case .github: GitHubReport()
        case .html: HTMLReport()
        }
    }
}

/// The progress of a long run, in a line of the terminal that is erased afterwards.
private struct Progress {
    private let isShown: Bool
    private let begun = ContinuousClock.now
    private var last: ContinuousClock.Instant?

    init(isShown: Bool) {
        self.isShown = isShown && isatty(STDERR_FILENO) == 1
    }

    mutating func show(_ done: Int, of all: Int, _ what: String) {
        let now = ContinuousClock.now
        guard isShown, now - begun > .seconds(1), last.map({ now - $0 > .milliseconds(100) }) ?? true else { return }
        last = now
        Output.write("\r\(done) of \(all) \(what)\u{1B}[K", isError: true)
    }

    mutating func clear() {
        if last != nil { Output.write("\r\u{1B}[K", isError: true) }
        last = nil
    }
}

internal import Dispatch
internal import LinuxSystem
package import ScenarioFormat
internal import Synchronization

/// The scenarios of several files, ready to be played.
package struct Suite: Sendable {
    package private(set) var mistakes: [ScenarioError] = []
    /// The files that cannot be read.
    package private(set) var troubles: [ScenarioFileError] = []
    /// The scenarios that have steps, file by file.
    package var scenarios: [Scenario] = []
    /// The scenarios that have claims, with or without steps. Playing does not prove claims.
    package private(set) var claiming: [Scenario] = []
    /// The documents that declare a device or items, including those without steps and claims.
    package private(set) var declaring: [Scenario] = []
    /// The paths of the files, including the files that they include.
    package private(set) var sources: Set<String> = []

    /// True if all files were read without a mistake.
    package var isUnderstood: Bool { mistakes.isEmpty && troubles.isEmpty }

    /// Reads the files at these paths, several at a time.
    package init(files: [String]) {
        let read = Self.concurrently(files.count) { place -> Result<ScenarioFile, ScenarioFileError> in
            Result { () throws(ScenarioFileError) in try ScenarioFile(files[place]) }
        }
        sources.formUnion(files)
        for result in read {
            switch result {
            case .success(let file):
                scenarios += file.scenarios.filter { !$0.steps.isEmpty }
                declaring += file.scenarios + file.declarations
                claiming += file.scenarios.filter { !$0.claims.isEmpty }
                mistakes += file.mistakes
                sources.formUnion(file.includes)
            case .failure(let trouble): troubles.append(trouble)
            }
        }
        var known: Set<ScenarioError> = []
        // A file that several others include is read for each of them, so its mistakes would repeat.
        mistakes = mistakes.filter { known.insert($0).inserted }
    }

    /// Keeps only the scenarios whose name or file contains one of these texts. `*` in a text matches anything.
    package mutating func keep(matching patterns: [String]) {
        if patterns.isEmpty { return }
        func isMeant(_ scenario: Scenario) -> Bool {
            patterns.contains { pattern in
                scenario.name.contains(anythingLike: pattern) || scenario.position.file.contains(anythingLike: pattern)
            }
        }
        scenarios = scenarios.filter(isMeant)
        claiming = claiming.filter(isMeant)
        declaring = declaring.filter(isMeant)
    }

    /// Keeps one of `count` parts, numbered from one. Together the parts are the whole suite.
    package mutating func keep(shard: Int, of count: Int) {
        scenarios = scenarios.enumerated().filter { $0.offset % count == shard - 1 }.map(\.element)
    }

    /// Shuffles the scenarios. The same seed gives the same order.
    package mutating func shuffle(seed: UInt64) {
        var generator = SplitMix(state: seed)
        scenarios.shuffle(using: &generator)
    }

    /// Plays the scenarios, several at a time, each on a device of its own.
    ///
    /// `report` receives the results in the order of the scenarios, one call at a time. If it returns false, the rest
    /// is not played.
    package func run(threads: Int? = nil, _ report: (ScenarioResult) -> Bool) {
        withoutActuallyEscaping(report) { report in
            let line = Mutex(Line())
            let isOver = Atomic(false)
            Self.concurrently(scenarios.count, threads: threads) { place in
                if isOver.load(ordering: .relaxed) { return }
                let result = scenarios[place].run()
                line.withLock { line in
                    line.done[place] = result
                    while let next = line.done.removeValue(forKey: line.next), !isOver.load(ordering: .relaxed) {
                        line.next += 1
                        if !report(next) { isOver.store(true, ordering: .relaxed) }
                    }
                }
            }
        }
    }

    /// The results that wait for an earlier scenario to end.
    private struct Line {
        var next = 0
        var done: [Int: ScenarioResult] = [:]
    }

    /// Calls `body` for every number below `count`, on `threads` threads or on all cores, and returns the values in
    /// order.
    @discardableResult
    package static func concurrently<Value: Sendable>(
        _ count: Int, threads: Int? = nil, _ body: (Int) -> Value
    ) -> [Value] {
        let next = Atomic(0)
        let results = Mutex([Value?](repeating: nil, count: count))
        withoutActuallyEscaping(body) { body in
            // No thread uses the closure after this function returns.
            nonisolated(unsafe) let body = body
            let workers = min(count, max(1, threads ?? Processors.count))
            DispatchQueue.concurrentPerform(iterations: workers) { _ in
                while true {
                    let place = next.wrappingAdd(1, ordering: .relaxed).oldValue
                    if place >= count { return }
                    let value = body(place)
                    results.withLock { $0[place] = value }
                }
            }
        }
        return results.withLock { $0.compactMap { $0 } }
    }
}

/// A random number generator whose numbers follow from its seed.
struct SplitMix: RandomNumberGenerator {
    var state: UInt64

    mutating func next() -> UInt64 {
        state &+= 0x9E37_79B9_7F4A_7C15
        var mixed = state
        mixed = (mixed ^ (mixed >> 30)) &* 0xBF58_476D_1CE4_E5B9
        mixed = (mixed ^ (mixed >> 27)) &* 0x94D0_49BB_1331_11EB
        return mixed ^ (mixed >> 31)
    }
}

extension String {
    /// Returns true if the text contains `pattern`, ignoring case. `*` in the pattern matches anything.
    func contains(anythingLike pattern: String) -> Bool {
        var rest = lowercased()[...]
        for part in pattern.lowercased().split(separator: "*") {
            guard let range = rest.firstRange(of: part) else { return false }
            rest = rest[range.upperBound...]
        }
        return true
    }
}

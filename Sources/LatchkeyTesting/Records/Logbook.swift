internal import Latchkey
internal import SecretVault
internal import Synchronization
internal import UserPresence

/// The records of a device, and the failures that a test has planned for it.
final class Logbook: KeychainWatcher {
    private struct Pages {
        var decisions: [DecisionRecord] = []
        var prompts: [PromptRecord] = []
        var alerts = 0
        var calls: [CallRecord] = []
        /// True if any call reached the device, including calls whose records are gone.
        var wasCalled = false
        var lines: [String] = []
        var plans: [FaceCall: [Plan]] = [:]
        var outlivesMisuse = false
    }

    private struct Plan {
        let number: Int
        var times: Int
        var after: Int
    }

    /// The maximum number of records of each kind. A long test keeps the latest.
    static let capacity = 10_000

    private let pages = Mutex(Pages())

    var decisions: [DecisionRecord] { pages.withLock { $0.decisions } }
    var prompts: [PromptRecord] { pages.withLock { $0.prompts } }
    var alerts: Int { pages.withLock { $0.alerts } }
    var calls: [CallRecord] { pages.withLock { $0.calls } }
    var wasCalled: Bool { pages.withLock { $0.wasCalled } }
    /// Everything that happened, in order and in words.
    var lines: [String] { pages.withLock { $0.lines } }

    var outlivesMisuse: Bool {
        get { pages.withLock { $0.outlivesMisuse } }
        set { pages.withLock { $0.outlivesMisuse = newValue } }
    }

    func note(_ line: String) { pages.withLock { $0.lines.append(line, upTo: Self.capacity) } }

    func clear() {
        pages.withLock { pages in
            pages.decisions = []
            pages.prompts = []
            pages.alerts = 0
            pages.calls = []
            pages.lines = []
        }
    }

    // MARK: - Watching

    /// The name of the requester that lists items without leaving a record. No app's name has a space.
    static let onlooker = "an onlooker"

    func decided(_ decision: WatchedDecision) {
        if decision.caller == Self.onlooker { return }
        let record = DecisionRecord(decision)
        pages.withLock { pages in
            pages.decisions.append(record, upTo: Self.capacity)
            pages.lines.append("  \(record)", upTo: Self.capacity)
        }
    }

    func asked(_ content: PromptContent, ending: Prompt.Ending) {
        pages.withLock { pages in
            if content.kind == .permission { pages.alerts += 1 }
            // A repeated prompt for the same factor replaces the entry of the one before.
            guard let record = PromptRecord(content, ending) else { return }
            if let former = pages.prompts.lastIndex(where: record.continues) {
                pages.prompts[former] = record
            } else {
                pages.prompts.append(record, upTo: Self.capacity)
            }
            pages.lines.append("  \(record)", upTo: Self.capacity)
        }
    }

    func called(_ call: FaceCall, about what: String, code: Int, because why: String) {
        let record = CallRecord(name: call.rawValue, subject: what, code: code, explanation: why)
        pages.withLock { pages in
            pages.wasCalled = true
            pages.calls.append(record, upTo: Self.capacity)
            pages.lines.append("\(record)", upTo: Self.capacity)
        }
    }

    // MARK: - Failures

    func plan(_ number: Int, for call: FaceCall, times: Int, after: Int) {
        if times <= 0 { return }
        pages.withLock { $0.plans[call, default: []].append(Plan(number: number, times: times, after: after)) }
    }

    func plannedFailure(of call: FaceCall) -> Int? {
        let call = call.planned
        return pages.withLock { pages in
            guard var plans = pages.plans[call], !plans.isEmpty else { return nil }
            defer { pages.plans[call] = plans }
            if plans[0].after > 0 {
                plans[0].after -= 1
                return nil
            }
            let number = plans[0].number
            plans[0].times -= 1
            if plans[0].times <= 0 { plans.removeFirst() }
            return number
        }
    }
}

extension Array {
    /// Appends an element. If there are too many, it drops the older half first.
    fileprivate mutating func append(_ element: Element, upTo capacity: Int) {
        if count >= capacity { removeFirst(capacity / 2) }
        append(element)
    }
}

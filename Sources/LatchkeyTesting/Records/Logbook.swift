internal import Latchkey
internal import SecretVault
internal import Synchronization
internal import UserPresence

/// The records of a device, and the failures that a test has planned for it.
final class Logbook: KeychainWatcher {
    private struct Pages {
        var decisions: [DecisionRecord] = []
        var fileDecisions: [FileDecisionRecord] = []
        var prompts: [PromptRecord] = []
        var alerts = 0
        var calls: [CallRecord] = []
        /// True if any call reached the device, including calls whose records are gone.
        var wasCalled = false
        var lines: [String] = []
        var moments: [Moment] = []
        var plans: [FaceCall: [Plan]] = [:]
        var outlivesMisuse = false
        /// The device in words, when it was printed the last time.
        var printed: String?
    }

    /// Something that happened, for a page that shows it.
    enum Moment {
        case decided(WatchedDecision)
        case accessed(WatchedFileDecision)
        /// A prompt or a further attempt at one.
        case asked(PromptRecord)
        /// A call of the app has ended.
        case called(CallRecord)
        /// An event of the device, and what kept it from happening.
        case noted(String, trouble: String?)
    }

    private struct Plan {
        let number: Int
        var times: Int
        var after: Int
    }

    /// The maximum number of records of each kind. A long test keeps the latest.
    static let capacity = 10_000
    /// The maximum number of moments.
    private static let momentCapacity = 2_000

    private let pages = Mutex(Pages())
    private let readers = Mutex<[ObjectIdentifier: @Sendable () -> Void]>([:])

    var decisions: [DecisionRecord] { pages.withLock { $0.decisions } }
    var fileDecisions: [FileDecisionRecord] { pages.withLock { $0.fileDecisions } }
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

    /// The latest moments, in order.
    var moments: [Moment] { pages.withLock { $0.moments } }

    /// Records an event of the device, and what kept it from happening.
    func note(_ what: String, trouble: String? = nil) {
        pages.withLock { pages in
            pages.lines.append(trouble.map { "\(what): \($0)" } ?? what, upTo: Self.capacity)
            pages.moments.append(.noted(what, trouble: trouble), upTo: Self.momentCapacity)
        }
        tellReaders()
    }

    /// Notes that the device is printed in these words. Returns false if the last ones were the same.
    @discardableResult
    func notePrinted(_ words: String) -> Bool {
        pages.withLock { pages in
            defer { pages.printed = words }
            return pages.printed != words
        }
    }

    /// Calls `body` after each record, until ``dismiss(_:)``. It may be called while the vault is locked.
    func tell(_ reader: AnyObject, _ body: @escaping @Sendable () -> Void) {
        let id = ObjectIdentifier(reader)
        readers.withLock { $0[id] = body }
    }

    /// Calls a reader no more.
    func dismiss(_ reader: AnyObject) {
        let id = ObjectIdentifier(reader)
        readers.withLock { $0[id] = nil }
    }

    private func tellReaders() { for body in readers.withLock({ Array($0.values) }) { body() } }

    func clear() {
        pages.withLock { pages in
            pages.decisions = []
            pages.fileDecisions = []
            pages.prompts = []
            pages.alerts = 0
            pages.calls = []
            pages.lines = []
            pages.moments = []
        }
        tellReaders()
    }

    // MARK: - Watching

    /// The name of the requester that lists items without leaving a record. No app's name has a space.
    static let onlooker = "an onlooker"

    func decided(_ decision: WatchedDecision) {
        // The account has records of its own.
        if decision.caller == Self.onlooker || decision.caller == Caller.accountName { return }
        let record = DecisionRecord(decision)
        pages.withLock { pages in
            pages.decisions.append(record, upTo: Self.capacity)
            pages.lines.append("  \(record)", upTo: Self.capacity)
            pages.moments.append(.decided(decision), upTo: Self.momentCapacity)
        }
        tellReaders()
    }

    func decided(_ decision: WatchedFileDecision) {
        let record = FileDecisionRecord(decision)
        pages.withLock { pages in
            pages.fileDecisions.append(record, upTo: Self.capacity)
            pages.lines.append("  \(record)", upTo: Self.capacity)
            pages.moments.append(.accessed(decision), upTo: Self.momentCapacity)
        }
        tellReaders()
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
            pages.moments.append(.asked(record), upTo: Self.momentCapacity)
        }
        tellReaders()
    }

    func called(_ call: FaceCall, about what: String, code: Int, because why: String) {
        let record = CallRecord(name: call.rawValue, subject: what, code: code, explanation: why)
        pages.withLock { pages in
            pages.wasCalled = true
            pages.calls.append(record, upTo: Self.capacity)
            pages.lines.append("\(record)", upTo: Self.capacity)
            pages.moments.append(.called(record), upTo: Self.momentCapacity)
        }
        tellReaders()
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

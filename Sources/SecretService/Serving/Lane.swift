internal import SystemServices

/// The result of work for a caller.
enum WorkResult: Sendable {
    case secrets([HandedSecret])
    case objects([ShelfObject])
    case collection(CollectionID)
    case item(ShelfItemID)
    case done
    case fault(SecretFault)
}

/// One piece of work for a caller: it waits for its turn, runs on a thread of its own, and is answered once.
final class Work {
    /// The kind of work.
    enum Kind {
        /// Gets the secrets of items. Works of this kind that wait next to each other run as one, so that the user gets one prompt.
        case secrets([ShelfItemID])
        case unlock([ShelfObject])
        /// Does anything else. It prompts only while the collection is locked, or always if there is none.
        case other(CollectionID?, @Sendable (CallLifetime) -> WorkResult)
    }

    let kind: Kind
    fileprivate var answer: ((WorkResult) -> Void)?
    fileprivate var timer: UInt64?
    /// True if it came when the prompt that ran was over already, so that it belongs to no burst with that.
    fileprivate var isLate = false

    /// Creates work whose result `answer` gets on the thread of the bus.
    init(_ kind: Kind, _ answer: @escaping (WorkResult) -> Void) { (self.kind, self.answer) = (kind, answer) }

    /// True until it was answered, or its caller has left.
    var isOpen: Bool { answer != nil }

    /// The objects that the caller wants to have unlocked or to read.
    fileprivate var objects: [ShelfObject]? {
        switch kind {
        case .secrets(let items): items.map { .item($0) }
        case .unlock(let objects): objects
        case .other: nil
        }
    }

    fileprivate func finish(_ result: WorkResult) {
        let answer = answer
        self.answer = nil
        answer?(result)
    }
}

/// Threads that work for callers, of all lanes.
final class Workers {
    private let limit: Int
    fileprivate var count = 0

    init(atMost limit: Int) { self.limit = limit }

    fileprivate var areBusy: Bool { count >= limit }
}

/// The kinds of threads. Prompts that wait for the user take no thread from reads, stores and errands.
struct Threads {
    /// The threads for work that may prompt.
    let prompting: Workers
    /// The threads for reads and stores that need no prompt.
    let quiet: Workers
    /// The threads for work that never prompts.
    let errands: Workers

    init() {
        prompting = Workers(atMost: BusLimits.promptingThreads)
        quiet = Workers(atMost: BusLimits.quietThreads)
        errands = Workers(atMost: BusLimits.errandThreads)
    }

    /// Creates threads of one kind for everything.
    init(_ workers: Workers) { (prompting, quiet, errands) = (workers, workers, workers) }
}

/// The work for one caller that can prompt: one piece after the other.
///
/// If the user dismisses a prompt, or it times out, the works that were waiting for the same objects get the same answer. So a
/// burst of calls is one prompt. It belongs to the thread of the bus.
final class Lane {
    private let link: BusLink
    private let store: any SecretStore
    private let caller: SecretCaller
    private let threads: Threads
    private var waiting: [Work] = []
    private var running: [Work] = []
    private var asking: CallLifetime?
    /// The kind of the thread that works for the lane.
    private var workers: Workers?
    /// True while a call that needs a prompt waits for more of its kind.
    private var isGathering = false
    /// The time in milliseconds that such a call waits.
    private static let gathering = 20

    init(_ link: BusLink, _ store: any SecretStore, _ caller: SecretCaller, _ threads: Threads) {
        (self.link, self.store, self.caller, self.threads) = (link, store, caller, threads)
    }

    /// True if a thread works for the lane.
    var isRunning: Bool { asking != nil }
    /// True if nothing waits or runs.
    var isEmpty: Bool { waiting.isEmpty && !isRunning }
    /// The number of works that were not answered.
    var count: Int { (waiting + running).count { $0.isOpen } }

    /// Adds work. If it is not done in time, it is answered that the object is locked.
    func add(_ work: Work, milliseconds: Int? = nil) {
        work.isLate = asking?.isOver == true
        if case .secrets(let items) = work.kind, isEmpty, items.contains(where: { store.isLocked($0, for: caller) }) {
            isGathering = true
            _ = link.after(milliseconds: Self.gathering) { [weak self] in self?.isGathering = false }
        }
        waiting.append(work)
        if let milliseconds {
            work.timer = link.after(milliseconds: milliseconds) { [weak self, weak work] in
                guard let work else { return }
                work.timer = nil
                self?.end(work, .fault(.locked))
            }
        }
    }

    /// Starts the next work, if none runs.
    func start() {
        waiting.removeAll { !$0.isOpen }
        guard !isRunning, !isGathering, let first = waiting.first,
            !threads.prompting.areBusy || !threads.quiet.areBusy
        else { return }
        let isQuiet = !mayPrompt(first)
        let workers = isQuiet ? threads.quiet : threads.prompting
        if workers.areBusy { return }
        var group = [first]
        let body: @Sendable (CallLifetime) -> WorkResult
        let (store, caller) = (store, caller)
        switch first.kind {
        case .secrets:
            var items: [ShelfItemID] = []
            var known: Set<ShelfItemID> = []
            group = Array(
                waiting.prefix { work in
                    guard case .secrets(let more) = work.kind, items.count < BusLimits.objects else { return false }
                    // A read that needs a prompt keeps no other waiting.
                    if isQuiet, work !== first, mayPrompt(work) { return false }
                    items += more.filter { known.insert($0).inserted }
                    return true
                })
            body = { [items] asking in
                do {
                    return .secrets(try store.secrets(of: items, for: caller, asking))
                } catch {
                    return .fault(SecretFault(error))
                }
            }
        case .unlock(let objects):
            body = { asking in
                do {
                    return .objects(try store.unlock(objects, for: caller, asking))
                } catch {
                    return .fault(SecretFault(error))
                }
            }
        case .other(_, let other): body = other
        }
        waiting.removeFirst(group.count)
        let asking = CallLifetime()
        (running, self.asking, self.workers) = (group, asking, workers)
        workers.count += 1
        // The closure keeps the lane until the thread is done, even if the caller has left.
        let isStarted = link.perform(
            { asking.isOver ? .fault(.locked) : body(asking) }, then: { [self] in finish($0) })
        if !isStarted { finish(.fault(.failed("This process has no threads left."))) }
    }

    /// Returns false if the store does a work without a prompt, unless something is locked meanwhile.
    private func mayPrompt(_ work: Work) -> Bool {
        switch work.kind {
        case .secrets(let items):
            items.count > BusLimits.checkedItems || items.contains { store.isLocked($0, for: caller) }
        case .unlock: true
        case .other(let collection, _): collection.map { store.isLocked($0) } ?? true
        }
    }

    private func finish(_ result: WorkResult) {
        let group = running
        workers?.count -= 1
        (running, asking, workers) = ([], nil, nil)
        for work in group { answer(work, result) }
        let refused = refused(group, result)
        for work in waiting {
            guard work.isOpen, !work.isLate, let objects = work.objects, !objects.isEmpty,
                refused.isSuperset(of: objects)
            else {
                continue
            }
            answer(work, .fault(.dismissed))
        }
    }

    /// Returns the objects that the caller did not get.
    private func refused(_ group: [Work], _ result: WorkResult) -> Set<ShelfObject> {
        let wanted = Set(group.flatMap { $0.objects ?? [] })
        switch result {
        case .secrets(let secrets): return wanted.subtracting(secrets.map { .item($0.item) })
        case .objects(let objects): return wanted.subtracting(objects)
        case .fault(.locked), .fault(.dismissed): return wanted
        case .fault, .collection, .item, .done: return []
        }
    }

    /// Answers a work with its part of a result.
    private func answer(_ work: Work, _ result: WorkResult) {
        cancelTimer(work)
        switch (work.kind, result) {
        case (.secrets(let items), .secrets(let secrets)):
            let wanted = Set(items)
            work.finish(.secrets(secrets.filter { wanted.contains($0.item) }))
        case (.secrets, _), (.unlock, _), (.other, _): work.finish(result)
        }
    }

    private func cancelTimer(_ work: Work) {
        if let timer = work.timer { link.cancel(timer: timer) }
        work.timer = nil
    }

    /// Answers a work before it is done. Once nothing waits for the running one any more, its prompts end.
    func end(_ work: Work, _ result: WorkResult) {
        cancelTimer(work)
        work.finish(result)
        waiting.removeAll { $0 === work }
        if running.allSatisfy({ !$0.isOpen }) { asking?.end() }
    }

    /// Gives up a work without an answer, because its caller has left.
    func abandon(_ work: Work) {
        work.answer = nil
        end(work, .fault(.dismissed))
    }

    /// Gives up all work without an answer, because the caller has left.
    func abandon() {
        for work in waiting + running {
            cancelTimer(work)
            work.answer = nil
        }
        waiting = []
        asking?.end()
    }
}

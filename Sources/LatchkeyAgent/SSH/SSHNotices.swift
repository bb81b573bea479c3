internal import Glibc
internal import PlainText
internal import Synchronization
internal import SystemServices

/// Tells the user of signatures that needed no prompt, by notifications of the desktop.
///
/// A thread of its own shows them, so no signature waits for the desktop. Signatures of one kind that follow each other share a
/// notification, and those of a burst that has no end are only counted.
final class SSHNotices: Sendable {
    /// A signature that the user may want to know of.
    struct Signature: Sendable {
        /// The name of the key.
        var key: String
        /// The program that asked for it.
        var program: String
        /// Returns what it is for. It reads files of the user and of the program, so only the thread of the notices calls it.
        var reason: @Sendable () -> String
    }

    /// The signatures that the user was not told of yet.
    private final class Waiting: Sendable {
        private struct State {
            var signatures: [Signature] = []
            var others = 0
        }

        private let state = Mutex(State())

        func add(_ signature: Signature) {
            state.withLock { state in
                if state.signatures.count < SSHNotices.most {
                    state.signatures.append(signature)
                } else {
                    state.others += 1
                }
            }
        }

        /// Takes all, and the number of those that there was no room for.
        func take() -> (signatures: [Signature], others: Int) {
            state.withLock { state in
                defer { state = State() }
                return (state.signatures, state.others)
            }
        }
    }

    private let waiting: Waiting
    private let showing: Chore

    /// The most signatures that wait.
    private static let most = 64
    /// The time between two looks at what waits, in microseconds.
    private static let pause: UInt32 = 500_000

    /// Starts the thread. Throws if the system has none left.
    init() throws(AgentError) {
        let (waiting, shown) = (Waiting(), ShownNotices())
        self.waiting = waiting
        showing = try Chore {
            let (signatures, others) = waiting.take()
            shown.show(signatures.map { ($0.key, $0.program, $0.reason()) }, others: others)
            usleep(Self.pause)
        }
    }

    /// Tells the user of a signature soon.
    func note(_ signature: Signature) {
        waiting.add(signature)
        showing.want()
    }
}

/// The notifications that the desktop shows, or showed a moment ago.
private final class ShownNotices: Sendable {
    private struct Kind: Hashable {
        var key: String
        /// What a signature was for, in a sentence.
        var sentence: String
    }

    private struct Shown {
        var number: UInt32
        var signatures: Int
        var time: ContinuousClock.Instant
    }

    private let shown = Mutex<[Kind: Shown]>([:])

    /// The most notifications at a time. More would hide each other.
    private static let mostAtOnce = 4
    /// The time within which a signature of the same kind joins the notification of the last one.
    private static let memory = ContinuousClock.Duration.seconds(10)
    /// The time that the desktop gets to show one. It may have to start a program for it.
    private static let patience = ContinuousClock.Duration.seconds(10)

    /// Shows signatures, and the number of others.
    func show(_ signatures: [(key: String, program: String, reason: String)], others: Int) {
        var counts: [Kind: Int] = [:]
        var order: [Kind] = []
        for (key, program, reason) in signatures {
            let kind = Kind(key: key, sentence: "\"\(Terminal.line(program))\" wanted to \(reason).")
            if counts[kind] == nil { order.append(kind) }
            counts[kind, default: 0] += 1
        }
        // Without a bus, or a program that shows notifications, the user has only the audit log.
        guard let bus = try? SystemBus(ofSession: ()) else { return }
        shown.withLock { shown in
            shown = shown.filter { $0.value.time.advanced(by: Self.memory) > .now }
            for kind in order.prefix(Self.mostAtOnce) {
                let former = shown[kind]
                let signatures = (former?.signatures ?? 0) + (counts[kind] ?? 0)
                let times = signatures == 1 ? "" : " \(signatures) times"
                let notice = DesktopNotification(
                    summary: "SSH key \(Terminal.line(kind.key)) signed\(times)",
                    body: kind.sentence + " No prompt was needed.")
                guard let number = try? notice.show(on: bus, replacing: former?.number, until: .now + Self.patience)
                else { return }
                shown[kind] = Shown(number: number, signatures: signatures, time: .now)
            }
            let left = order.dropFirst(Self.mostAtOnce).reduce(others) { $0 + (counts[$1] ?? 0) }
            if left > 0 {
                let notice = DesktopNotification(
                    summary: "SSH keys signed \(left) times more", body: "`latchkey log` lists every signature.")
                _ = try? notice.show(on: bus, until: .now + Self.patience)
            }
        }
    }
}

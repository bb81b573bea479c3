internal import AgentProtocol
internal import Glibc
internal import LinuxSystem
internal import PlainText
internal import Synchronization
internal import SystemServices
internal import VaultService

/// Tells the user of signatures that needed no prompt, and of those that failed without one, by notifications of the desktop.
///
/// A thread of its own shows them, so no signature waits for the desktop. Signatures of one kind that follow each other share a
/// notification, and those of a burst that has no end are only counted.
final class SSHNotices: Sendable {
    /// A signature that the user may want to know of.
    struct Signature: Sendable {
        /// The name of the key.
        var key: String
        /// The reason why there is none; nil if there is one.
        var failure: String?
        /// The program that asked for it.
        var program: String
        /// Returns what it is for. It reads files of the user, so only the thread of the notices calls it.
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
    private let showing: Worker

    /// The most signatures that wait.
    private static let most = 64
    /// The time between two looks at what waits, in microseconds.
    private static let pause: UInt32 = 500_000

    /// Starts the thread. Throws if the system has none left.
    init() throws(AgentError) {
        let (waiting, shown) = (Waiting(), ShownNotices())
        self.waiting = waiting
        showing = try Worker.doing {
            let (signatures, others) = waiting.take()
            shown.show(signatures, others: others)
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
    /// Signatures that share a notification.
    struct Kind: Hashable {
        let key: String
        let isFailure: Bool
        /// The purpose of a signature, and the reason why there was no prompt, or no signature.
        let words: String

        init(of signature: SSHNotices.Signature) {
            (key, isFailure) = (signature.key, signature.failure != nil)
            let ending = signature.failure.map { $0.prefix(1).uppercased() + $0.dropFirst() + "." }
            words =
                "\"\(Terminal.line(signature.program))\" wanted to \(signature.reason()). "
                + Terminal.line(ending ?? "No prompt was needed.", longest: 400)
        }

        func notice(_ count: Int) -> DesktopNotification {
            let summary =
                "SSH key \(Terminal.line(key)) \(isFailure ? "could not sign" : "signed")"
                + (count == 1 ? "" : " \(count) times")
            return DesktopNotification(summary: summary, body: words)
        }
    }

    private struct Shown {
        var number: UInt32
        var signatures: Int
        var time: ContinuousClock.Instant
    }

    /// The notifications of a moment ago.
    private struct Recent {
        var kinds: [Kind: Shown] = [:]
        /// The one that counts the signatures for which there was no other.
        var others: Shown?

        /// Drops those that are too old for another signature to join them.
        mutating func drop(before time: ContinuousClock.Instant) {
            kinds = kinds.filter { $0.value.time > time }
            if let last = others?.time, last <= time { others = nil }
        }
    }

    private let recent = Mutex(Recent())

    /// The most notifications of a moment. More would hide each other.
    private static let mostAtOnce = 4
    /// The time within which a signature of the same kind joins the notification of the last one.
    private static let memory = ContinuousClock.Duration.seconds(10)
    /// The time that the desktop gets to show one. It may have to start a program for it.
    private static let patience = ContinuousClock.Duration.seconds(10)

    func show(_ signatures: [SSHNotices.Signature], others: Int) {
        // Without a bus, or a program that shows notifications, the user has only the audit log.
        guard let bus = try? SystemBus(ofSession: ()) else { return }
        var counts: [Kind: Int] = [:]
        var order: [Kind] = []
        for kind in signatures.map(Kind.init(of:)) {
            if counts[kind] == nil { order.append(kind) }
            counts[kind, default: 0] += 1
        }
        recent.withLock { recent in
            recent.drop(before: .now - Self.memory)
            var others = others
            for kind in order {
                let count = counts[kind] ?? 0
                guard recent.kinds[kind] != nil || recent.kinds.count < Self.mostAtOnce else {
                    others += count
                    continue
                }
                guard let shown = show(count, by: bus, after: recent.kinds[kind], { kind.notice($0) }) else { return }
                recent.kinds[kind] = shown
            }
            guard others > 0 else { return }
            recent.others = show(others, by: bus, after: recent.others) { count in
                DesktopNotification(
                    summary: "SSH keys were asked for \(count) signatures more",
                    body: "`latchkey log` lists every signature.")
            }
        }
    }

    /// Shows a notification for more signatures, in place of the former one. Returns nil if the desktop shows none.
    private func show(
        _ count: Int, by bus: SystemBus, after former: Shown?, _ notice: (_ count: Int) -> DesktopNotification
    ) -> Shown? {
        let count = count + (former?.signatures ?? 0)
        let number = try? notice(count).show(on: bus, replacing: former?.number, until: .now + Self.patience)
        return number.map { Shown(number: $0, signatures: count, time: .now) }
    }
}

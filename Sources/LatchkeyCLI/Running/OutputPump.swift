internal import AgentProtocol
internal import Glibc
internal import LinuxSystem
internal import SecretTools
internal import SodiumKit
internal import Synchronization

/// Carries the output of a child from a pipe to its target, and conceals the secrets in it.
final class OutputPump: Sendable {
    /// The silence, in milliseconds, after which held-back bytes are written, so that a question of the child shows.
    private static let pause: Int32 = 50
    /// The silence, in milliseconds, after which the pump ends once the child has ended, even if another process has the pipe.
    private static let patience: Int32 = 1000

    private let masker: Mutex<Masker>
    private let source: Int32
    private let target: Int32
    private let name: String
    private let alive: Int32
    private let finished: Pipe
    private let code = Atomic<Int32>(0)

    /// Creates a pump from `source` to `target`. It ends at the end of the output, or after a silence once the writing end of
    /// `alive` is closed.
    init(
        _ masker: consuming sending Masker, from source: Int32, to target: Int32, called name: String, while alive: Pipe
    ) throws(AgentError) {
        self.masker = Mutex(masker)
        self.source = source
        self.target = target
        self.name = name
        self.alive = alive.reading
        finished = try ConcealedRun.pipe()
    }

    /// A descriptor that becomes readable when the pump is done.
    var done: Int32 { finished.reading }

    /// The error that kept the pump from writing. A broken pipe does not count: the child gets it itself.
    var trouble: String? {
        let code = code.load(ordering: .sequentiallyConsistent)
        return code == 0 || code == EPIPE ? nil : "\(name): \(SystemError(code))"
    }

    /// Carries the output to its end.
    func run() {
        masker.withLock { masker in
            do throws(SodiumError) {
                var bytes = try SecureBytes(count: SecureBytes.largestLocked)
                carry(&masker, &bytes)
            } catch {
                code.store(ENOMEM, ordering: .sequentiallyConsistent)
            }
        }
        close(source)
        close(finished.writing)
    }

    private func carry(_ masker: inout Masker, _ bytes: inout SecureBytes) {
        var output: [UInt8] = []
        var hasEnded = false
        var isFresh = false
        while true {
            var waited = [source, alive].map { pollfd(fd: $0, events: Int16(POLLIN), revents: 0) }
            let timeout = hasEnded ? Self.patience : isFresh && masker.heldBack > 0 ? Self.pause : -1
            let count = poll(&waited, hasEnded ? 1 : 2, timeout)
            if count < 0 { continue }
            if count == 0 {
                if hasEnded { break }
                masker.releaseHeldBack(to: &output)
                isFresh = false
            } else if waited[0].revents != 0 {
                let got = bytes.withMutableBytes { read(source, $0.baseAddress, $0.count) }
                if got <= 0 { break }
                bytes.withBytes { masker.feed($0.extracting(first: got), to: &output) }
                isFresh = true
            } else {
                hasEnded = true
            }
            if !write(&output) { return }
        }
        masker.finish(to: &output)
        _ = write(&output)
    }

    private func write(_ output: inout [UInt8]) -> Bool {
        defer { output.removeAll(keepingCapacity: true) }
        if output.isEmpty || output.withUnsafeBytes({ Descriptors.write($0, to: target) }) { return true }
        code.store(errno, ordering: .sequentiallyConsistent)
        return false
    }
}

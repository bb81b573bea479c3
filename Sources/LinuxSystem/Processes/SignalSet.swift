internal import CLinux
internal import Glibc

/// A set of signals, such as those that a thread holds back.
package struct SignalSet: Sendable {
    var set: sigset_t

    /// The set of these signals.
    package init(_ signals: [Int32]) {
        set = sigset_t()
        sigemptyset(&set)
        for signal in signals { sigaddset(&set, signal) }
    }

    private init(set: sigset_t) { self.set = set }

    /// No signal.
    package static let none = SignalSet([])

    /// Every signal.
    package static let all: SignalSet = {
        var all = sigset_t()
        sigfillset(&all)
        return SignalSet(set: all)
    }()

    /// Holds these signals back as well, on this thread and on those that it starts. Returns what was held back before.
    @discardableResult
    package func hold() -> SignalSet { change(SIG_BLOCK) }

    /// Holds these signals back on this thread, and no others.
    package func holdOnly() { _ = change(SIG_SETMASK) }

    /// Lets these signals through on this thread. Returns what was held back before.
    @discardableResult
    package func letThrough() -> SignalSet { change(SIG_UNBLOCK) }

    private func change(_ how: Int32) -> SignalSet {
        var (set, former) = (set, sigset_t())
        pthread_sigmask(how, &set, &former)
        return SignalSet(set: former)
    }

    /// Waits until `descriptor` has something to read, and holds back only these signals meanwhile. Returns false if that cannot
    /// be waited for, and nil if a signal came first.
    package func wait(for descriptor: Int32) -> Bool? {
        guard (0..<Int32(FD_SETSIZE)).contains(descriptor) else { return false }
        var mask = set
        var watched = fd_set()
        withUnsafeMutableBytes(of: &watched) { $0[Int(descriptor) / 8] |= 1 << UInt8(descriptor % 8) }
        let count = pselect(descriptor + 1, &watched, nil, nil, nil, &mask)
        return count < 0 && errno == EINTR ? nil : count > 0
    }

    /// Opens a descriptor that these signals can be read from, which have to be held back.
    package func descriptor() throws(SystemError) -> Int32 {
        var set = set
        let descriptor = latchkey_signals(&set)
        guard descriptor >= 0 else { throw .last }
        return descriptor
    }
}

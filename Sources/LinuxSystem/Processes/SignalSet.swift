internal import CLinux
internal import Glibc

/// A set of signals, such as those that a thread blocks.
package struct SignalSet: Sendable {
    var set: sigset_t

    package init(_ signals: [Int32]) {
        set = sigset_t()
        sigemptyset(&set)
        for signal in signals { sigaddset(&set, signal) }
    }

    private init(set: sigset_t) { self.set = set }

    package static let none = SignalSet([])

    package static let all: SignalSet = {
        var all = sigset_t()
        sigfillset(&all)
        return SignalSet(set: all)
    }()

    /// Blocks these signals too, on this thread and on those that it starts. Returns the set that was blocked before.
    @discardableResult
    package func hold() -> SignalSet { change(SIG_BLOCK) }

    /// Blocks these signals on this thread, and no others.
    package func holdOnly() { _ = change(SIG_SETMASK) }

    /// Unblocks these signals on this thread. Returns the set that was blocked before.
    @discardableResult
    package func letThrough() -> SignalSet { change(SIG_UNBLOCK) }

    private func change(_ how: Int32) -> SignalSet {
        var (set, former) = (set, sigset_t())
        pthread_sigmask(how, &set, &former)
        return SignalSet(set: former)
    }

    /// Waits until `descriptor` has something to read, and blocks only these signals meanwhile. Returns false if the
    /// descriptor cannot be waited for, and nil if a signal came first.
    package func wait(for descriptor: Int32) -> Bool? {
        guard (0..<Int32(FD_SETSIZE)).contains(descriptor) else { return false }
        var mask = set
        var watched = fd_set()
        withUnsafeMutableBytes(of: &watched) { $0[Int(descriptor) / 8] |= 1 << UInt8(descriptor % 8) }
        let count = pselect(descriptor + 1, &watched, nil, nil, nil, &mask)
        return count < 0 && errno == EINTR ? nil : count > 0
    }

    /// Opens a descriptor from which these signals can be read. They must be blocked. Throws if the process has no
    /// descriptors left.
    package func descriptor() throws(SystemError) -> Int32 {
        var set = set
        let descriptor = latchkey_signals(&set)
        guard descriptor >= 0 else { throw .last }
        return descriptor
    }
}

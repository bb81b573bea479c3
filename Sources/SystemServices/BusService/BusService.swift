internal import LinuxSystem
internal import Synchronization

/// The part of a program that answers calls on a bus. It belongs to the thread of the bus, and must never wait there.
package protocol BusHandler: AnyObject {
    /// Answers a call, now or later.
    func handle(_ call: BusCall)
    /// Notes that a connection, which has called before, has left the bus.
    func forget(_ caller: BusCaller)
    /// Notes that all messages that had come are handled.
    func pause()
    /// Notes that the bus is lost, or that the service stops.
    func end()
}

/// A thread that serves calls on the bus of a session under well-known names. If the bus is lost, it looks for it again.
package final class BusService: Sendable {
    /// The state of the service.
    package enum State: Hashable, Sendable {
        case connecting
        /// It owns its main name. Another program can own one of the others.
        case serving
        /// Another program owns the main name. The bus gives it to this one when that program leaves.
        case waiting(process: Int32)
        /// There is no bus, or it was lost. It tries again after a pause.
        case failed(String)
        case stopped
    }

    /// The choices for a service.
    package struct Settings: Sendable {
        /// The address of the bus; nil for the one that the environment names.
        package var address: String?
        /// The well-known names, the main one first.
        package var names: [String]
        /// The pauses before it looks again for a lost bus.
        package var backOff = BackOff()

        package init(address: String?, names: [String]) { (self.address, self.names) = (address, names) }
    }

    private let settings: Settings
    private let make: @Sendable (BusLink) -> any BusHandler
    private let board = BusBoard()
    private let thread = Mutex(WakeableThread?.none)

    /// Creates a service that is not started. For each connection to the bus, `make` creates a handler on the thread of the bus.
    package init(_ settings: Settings, _ make: @escaping @Sendable (BusLink) -> any BusHandler) {
        (self.settings, self.make) = (settings, make)
    }

    deinit { stop() }

    /// Starts the thread, once.
    package func start() {
        thread.withLock { thread in
            guard thread == nil, board.state != .stopped else { return }
            let (board, settings, make) = (board, settings, make)
            thread = WakeableThread { wake in BusLoop(board, settings, wake, make).run() }
            if let thread {
                // The mailbox must not keep the thread, whose end it would then wait for.
                board.mailbox.wakeBy { [weak thread] in thread?.wake() }
                thread.wake()
            } else {
                board.set(.failed("this process has no descriptors or threads left"))
            }
        }
    }

    /// Stops serving, and waits for the end of the thread.
    package func stop() {
        board.set(.stopped)
        board.mailbox.wakeBy(nil)
        thread.withLock { $0.take() }?.end()
    }

    package var state: State { board.state }

    /// Calls a closure after each change of the state.
    package func whenStateChanges(_ body: @escaping @Sendable (State) -> Void) { board.observe(body) }

    /// Runs a closure on the thread of the bus; drops it if there is no connection.
    package func post(_ body: @escaping @Sendable (any BusHandler) -> Void) { board.mailbox.post(.job(body)) }
}

/// The state that the thread shares with its owner.
final class BusBoard: Sendable {
    private struct Notes {
        var state = BusService.State.connecting
        var observers: [@Sendable (BusService.State) -> Void] = []
    }

    let mailbox = BusMailbox()
    private let notes = Mutex(Notes())

    var state: BusService.State { notes.withLock { $0.state } }

    func observe(_ body: @escaping @Sendable (BusService.State) -> Void) {
        notes.withLock { $0.observers.append(body) }
    }

    /// Sets the state, unless the service was stopped.
    func set(_ state: BusService.State) {
        let observers: [@Sendable (BusService.State) -> Void] = notes.withLock { notes in
            if notes.state == .stopped || notes.state == state { return [] }
            notes.state = state
            return notes.observers
        }
        for observer in observers { observer(state) }
    }
}

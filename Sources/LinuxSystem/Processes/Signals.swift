internal import Glibc

/// Functions on the signals of this process.
package enum Signals: Sendable {
    /// The signals that ask a process to end.
    package static let ending = [SIGHUP, SIGINT, SIGQUIT, SIGTERM]

    /// Returns true if the process ignores a signal.
    package static func isIgnored(_ number: Int32) -> Bool {
        var action = sigaction()
        sigaction(number, nil, &action)
        // Swift cannot compare the handler with SIG_IGN, whose value is the address 1.
        return unsafeBitCast(action.__sigaction_handler.sa_handler, to: Int.self) == 1
    }

    /// Ends the process with the default effect of signal `number`. Returns if the process ignores that signal.
    package static func end(by number: Int32) {
        if isIgnored(number) { return }
        signal(number, SIG_DFL)
        SignalSet([number]).letThrough()
        raise(number)
    }
}

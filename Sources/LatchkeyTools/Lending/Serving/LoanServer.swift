internal import Courier

/// A part of `latchkey lend` that serves the program in the sandbox.
protocol LoanServer: Sendable {
    /// Begins to accept connections.
    func start()
    /// Ends every connection, and accepts no more.
    func end()
}

extension Courier: LoanServer {}

extension StreamServer: LoanServer {}

internal import Courier

/// A place where a borrower reaches what is lent: a sandbox, this machine, or a folder of sockets.
protocol LoanPlace: Sendable {
    /// The clients that are served.
    var clients: ClientRules { get }
    /// Sentences for the owner about what the place keeps out.
    var words: [String] { get }
    /// Returns the socket at which the service of this name and number is served. The caller owns it.
    func listener(named name: String, _ number: Int) throws -> Int32
    /// Runs the program, or waits for a signal if there is none. Returns the exit status.
    func run() throws -> Int32
    /// Takes back what was made, before ``run()`` or after it.
    func end()
}

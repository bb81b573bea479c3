extension PromptContent {
    /// A program that asks, as the system identifies it.
    public struct Caller: Hashable, Sendable {
        /// The path of the program; nil if the system does not tell.
        public var path: String?
        /// The number of the process.
        public var process: Int32

        /// Creates a caller.
        public init(path: String?, process: Int32) {
            self.path = path
            self.process = process
        }
    }

    /// The requests that the user's answer counts for.
    public enum Reach: Hashable, Sendable {
        /// The present command alone.
        case command
        /// Every secret that allows it, in the session of the terminal, until this many seconds after its last use.
        case session(seconds: Int)
        /// The present command, and in the session other secrets that allow it, until this many seconds after its last
        /// use.
        case otherSecrets(seconds: Int)
        /// This secret, for this program alone, until this many seconds after its last use.
        case program(seconds: Int)
    }
}

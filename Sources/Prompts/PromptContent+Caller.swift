extension PromptContent {
    /// A program that asks, as the system identifies it.
    public struct Caller: Hashable, Sendable {
        /// The path of the program; nil if the system does not tell.
        public var path: String?
        /// The name of the process, which it may have chosen itself; nil if the system does not tell, or tells the path.
        public var name: String?
        /// The number of the process.
        public var process: Int32

        /// Creates a caller.
        public init(path: String?, process: Int32, name: String? = nil) {
            self.path = path
            self.process = process
            self.name = name
        }
    }

    /// A limit of wrong attempts.
    public struct Allowance: Hashable, Sendable {
        /// The number of this attempt, counted from one, with all that were wrong before this prompt.
        public var number: Int
        /// The number of the last attempt, if all are wrong.
        public var limit: Int

        /// Creates an allowance.
        public init(number: Int, limit: Int) {
            self.number = number
            self.limit = limit
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
        /// This secret, for this many uses of a loan (any number if nil) within this time.
        case loan(uses: Int?, minutes: Int)
    }
}

internal import Runtime
internal import Synchronization

/// A call for which no device was chosen, with its stack.
struct StrayCall: Sendable {
    /// The test that ran at the time; nil if none is known.
    let test: String?
    private let stack: Backtrace?

    /// Takes the stack of the caller.
    init(during test: String?) {
        self.test = test
        stack = try? Backtrace.capture(limit: 48)
    }

    /// A stack in words.
    struct Words {
        /// The call, such as `SecItemAdd(_:_:)`.
        var call = "A keychain call"
        /// The file and the line of the code that made the call; nil if the program has no such information.
        var place: (path: String, line: Int)?
        /// The app's functions that led to the call, the innermost first.
        var frames: [String] = []
    }

    /// The folder of Latchkey's modules.
    private static let ownSources =
        #filePath.split(separator: "/", omittingEmptySubsequences: false).dropLast(3)
        .joined(separator: "/") + "/"

    /// Looks up the functions and lines of the stack.
    func inWords() -> Words { Self.lookingUp.withLock { _ in lookedUp } }

    /// One thread at a time: looking up reads the program's debug information, and needs memory for it.
    private static let lookingUp = Mutex(())

    private var lookedUp: Words {
        var words = Words()
        for frame in stack?.symbolicated()?.frames.map(\.symbol) ?? [] {
            guard let symbol = frame, !symbol.isSwiftThunk else { continue }
            let location = symbol.sourceLocation
            if let location, location.path.hasPrefix(Self.ownSources) {
                if words.place == nil { words.call = symbol.name }
                continue
            }
            // The frames of macros and of the system say nothing about the app.
            guard let location, location.line > 0, !location.path.contains("@__swiftmacro_") else { continue }
            words.place = words.place ?? (location.path, location.line)
            words.frames.append("\(symbol.name) at \(location.path):\(location.line)")
        }
        return words
    }
}

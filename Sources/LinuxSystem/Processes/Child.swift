internal import CLinux
internal import Glibc
internal import PlainText

/// A child process to start: its descriptors, its process group and its signals.
package struct Child: Sendable {
    /// The source of one of the child's first three descriptors.
    package enum Stream: Hashable, Sendable {
        /// The descriptor of the present process with this number.
        case inherited
        /// `/dev/null`.
        case nothing
        /// This descriptor of the present process.
        case descriptor(Int32)
        /// The child's own standard output.
        case withOutput
    }

    /// The process group or session of a child.
    package enum Company: Hashable, Sendable {
        /// The group of this process. A signal from the terminal reaches the child too.
        case ours
        /// A new group for the child and everything that it starts.
        case ownGroup
        /// A new session, so that no signals from a terminal reach the child.
        case ownSession
    }

    /// Strings as C has them, with a null pointer at the end.
    package typealias Strings = UnsafeMutablePointer<UnsafeMutablePointer<CChar>?>

    /// The standard input.
    package var input = Stream.inherited
    /// The standard output.
    package var output = Stream.inherited
    /// The standard error.
    package var errors = Stream.inherited
    /// Descriptors that the child gets under the same numbers, although every other program starts with them closed.
    package var kept: [Int32] = []
    /// True if the child starts with every descriptor closed that is not mentioned here, even those that other programs inherit.
    package var closesOthers = false
    /// The process group or session of the child.
    package var company = Company.ours
    /// The signals that the child blocks; it also ignores what this process ignores. If nil, the child starts afresh:
    /// it blocks and ignores none.
    package var held: SignalSet?

    /// Creates a child in this process group that inherits the first three descriptors and blocks and ignores no
    /// signal.
    package init() {}

    /// The environment of this process, byte for byte.
    package static var environmentHere: [[CChar]] {
        var all: [[CChar]] = []
        var next = environ
        while let entry = next.pointee {
            all.append(Array(UnsafeBufferPointer(start: entry, count: strlen(entry) + 1)))
            next += 1
        }
        return all
    }

    /// Starts the program at `path`, or the program of that name on the `PATH` if `isSearched` is true. Returns its
    /// process number.
    ///
    /// `words` begins with the name that the program sees as its own, and may hold texts of paths. `environment` has entries
    /// such as `HOME=/root` as C strings.
    package func start(
        _ path: String, isSearched: Bool = false, _ words: [String], environment: [[CChar]]
    ) throws(SystemError) -> Int32 {
        var started: pid_t = 0
        let code = Self.withStrings(words.map { PathText.cString($0) }) { words in
            Self.withStrings(environment) { environment in
                path.withPath { start($0, isSearched: isSearched, words, environment, &started) }
            }
        }
        guard code == 0 else { throw SystemError(code) }
        return started
    }

    private static func withStrings(_ strings: [[CChar]], _ body: (Strings) -> Int32) -> Int32 {
        var copies: [UnsafeMutablePointer<CChar>?] = strings.map { strdup($0) } + [nil]
        defer { for copy in copies { free(copy) } }
        return copies.withUnsafeMutableBufferPointer { copies in
            guard let first = copies.baseAddress else { return ENOMEM }
            return body(first)
        }
    }

    /// Starts a program whose environment entries are in UTF-8. Otherwise this equals the first form.
    package func start(
        _ path: String, isSearched: Bool = false, _ words: [String], environment: [String]
    ) throws(SystemError) -> Int32 {
        try start(path, isSearched: isSearched, words, environment: environment.map { Array($0.utf8CString) })
    }

    /// Starts a program from C strings that the caller wipes. Returns 0 or the system's error number.
    package func start(
        _ path: UnsafePointer<CChar>, isSearched: Bool = false, _ words: Strings, _ environment: Strings,
        _ process: inout Int32
    ) -> Int32 {
        var actions = posix_spawn_file_actions_t()
        var attributes = posix_spawnattr_t()
        posix_spawn_file_actions_init(&actions)
        posix_spawnattr_init(&attributes)
        defer {
            posix_spawn_file_actions_destroy(&actions)
            posix_spawnattr_destroy(&attributes)
        }
        let code = arrange(&actions)
        if code != 0 { return code }
        var flags = POSIX_SPAWN_SETSIGMASK
        var mask = (held ?? .none).set
        posix_spawnattr_setsigmask(&attributes, &mask)
        if held == nil {
            var all = SignalSet.all.set
            posix_spawnattr_setsigdefault(&attributes, &all)
            flags |= POSIX_SPAWN_SETSIGDEF
        }
        switch company {
        case .ours: break
        case .ownGroup:
            posix_spawnattr_setpgroup(&attributes, 0)
            flags |= POSIX_SPAWN_SETPGROUP
        case .ownSession: flags |= Int32(latchkey_spawn_in_own_session())
        }
        posix_spawnattr_setflags(&attributes, Int16(flags))
        return isSearched
            ? posix_spawnp(&process, path, &actions, &attributes, words, environment)
            : posix_spawn(&process, path, &actions, &attributes, words, environment)
    }

    /// Adds the child's descriptors to `actions`. Returns 0 or the system's error number: `ENOSYS` if the C library
    /// cannot close descriptors in a child.
    private func arrange(_ actions: inout posix_spawn_file_actions_t) -> Int32 {
        let streams = [
            (input, STDIN_FILENO, O_RDONLY), (output, STDOUT_FILENO, O_WRONLY), (errors, STDERR_FILENO, O_WRONLY),
        ]
        for (stream, number, flags) in streams {
            let code =
                switch stream {
                case .inherited: Int32(0)
                case .nothing: posix_spawn_file_actions_addopen(&actions, number, "/dev/null", flags, 0)
                case .descriptor(let ours): posix_spawn_file_actions_adddup2(&actions, ours, number)
                case .withOutput: posix_spawn_file_actions_adddup2(&actions, STDOUT_FILENO, number)
                }
            if code != 0 { return code }
        }
        for descriptor in kept {
            // Duplicating a descriptor onto itself has one effect: it stays open when the program starts.
            let code = posix_spawn_file_actions_adddup2(&actions, descriptor, descriptor)
            if code != 0 { return code }
        }
        guard closesOthers else { return 0 }
        let highest = max(kept.max() ?? 0, STDERR_FILENO)
        for descriptor in (STDERR_FILENO + 1)..<max(highest, STDERR_FILENO + 1) where !kept.contains(descriptor) {
            // It does no harm if there is no such descriptor.
            let code = posix_spawn_file_actions_addclose(&actions, descriptor)
            if code != 0 { return code }
        }
        return latchkey_spawn_closing_from(&actions, highest + 1)
    }
}

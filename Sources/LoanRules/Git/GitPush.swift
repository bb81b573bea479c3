/// One command of a push: a ref, and the objects that it names before and after.
package struct GitChange: Hashable, Sendable {
    /// The effect of a command on its ref.
    package enum Effect: Hashable, Sendable, CaseIterable {
        /// The ref is new. The server makes sure that there was none.
        case creation
        /// The ref exists already. Whether history is lost is not seen here.
        case update
        /// The ref goes away.
        case deletion
    }

    package let ref: GitRef
    package let effect: Effect
    /// The object that the ref names after the push, in hexadecimal digits.
    package let new: String

    /// The change as a prompt and the log have it.
    package var text: String {
        switch effect {
        case .creation: "\(ref.short) at \(new.prefix(10))"
        case .update: "\(ref.short) (update) at \(new.prefix(10))"
        case .deletion: "\(ref.short) (deletion)"
        }
    }
}

/// The commands of a push, as they stand at the beginning of the body of `git-receive-pack`.
package struct GitPush: Hashable, Sendable {
    package let changes: [GitChange]
    /// True if the client understands a report about each ref, which it gets instead of a status of HTTP.
    package let takesReports: Bool
}

/// The reason for which the beginning of a push is refused.
package enum GitFault: Error, Hashable, Sendable, CaseIterable {
    case lengthForm, tooLong, tooMany, noCommand, commandForm, refForm, twice, signed, shallow, pushOptions
    case capability, endsEarly

    /// True for a push that git itself sends, and that is not passed on.
    package var isOfGit: Bool {
        switch self {
        case .tooMany, .refForm, .signed, .shallow, .pushOptions, .capability: true
        case .lengthForm, .tooLong, .noCommand, .commandForm, .twice, .endsEarly: false
        }
    }

    /// The reason in a sentence, which names no byte of the push.
    package var sentence: String {
        switch self {
        case .lengthForm: "A line of the push does not begin with its length."
        case .tooLong: "The commands of the push are too long."
        case .tooMany: "A push may change at most \(GitPushReader.mostChanges) refs at once."
        case .noCommand: "The push has no command."
        case .commandForm: "A command of the push does not have two objects and a ref."
        case .refForm: "The name of a ref has letters that are not passed on, or git does not allow it."
        case .twice: "The push changes a ref twice."
        case .signed: "Signed pushes are not passed on. Push without --signed."
        case .shallow: "A push from a shallow clone is not passed on. Run git fetch --unshallow first."
        case .pushOptions: "Push options are not passed on, because they make the server do more than push."
        case .capability: "The push wants a capability that is not passed on."
        case .endsEarly: "The push ends before its commands do."
        }
    }
}

/// Reads the commands at the beginning of a push, in bytes that arrive in pieces. It reads strictly: a form that a server could
/// understand in another way is refused.
///
///     var reader = GitPushReader()
///     while case .needsMore = try reader.read(bytes, isWhole: false) { bytes += more() }
package struct GitPushReader: Sendable {
    /// The result of reading.
    package enum Progress: Hashable, Sendable {
        case needsMore
        /// The commands are complete. What follows is the pack.
        case push(GitPush)
        /// The body is complete and has no command. Git sends such a body before a large push, to find out who it has to be.
        case probe
    }

    /// The most bytes of all commands.
    package static let longest = 64 * 1024
    /// The most commands.
    package static let mostChanges = 100

    /// The capabilities of a client that change nothing about how commands are read.
    private static let capabilities = [
        "report-status", "report-status-v2", "delete-refs", "side-band-64k", "quiet", "atomic", "ofs-delta",
    ]
    private static let valued = ["agent=", "session-id=", "object-format=sha1", "object-format=sha256"]

    /// The first byte that was not read yet.
    private var place = 0
    private var changes: [GitChange] = []
    private var refs: Set<GitRef> = []
    private var words: [Substring] = []
    private var digits = 0

    package init() {}

    /// Reads on.
    ///
    /// - Parameters:
    ///   - bytes: The whole beginning of the body so far. What was there before is unchanged.
    ///   - isWhole: True if the body has no more bytes.
    /// - Throws: ``GitFault`` as soon as a byte is against the rules.
    package mutating func read(_ bytes: [UInt8], isWhole: Bool) throws(GitFault) -> Progress {
        while place + 4 <= bytes.count {
            let length = try Self.length(bytes[place..<place + 4])
            if length == 0 {
                if changes.isEmpty {
                    guard place == 0, bytes.count == 4 else { throw .noCommand }
                    return isWhole ? .probe : .needsMore
                }
                return .push(GitPush(changes: changes, takesReports: takesReports))
            }
            // Lengths of less than a byte of payload have other meanings in other versions.
            guard length > 4 else { throw .lengthForm }
            guard place + length + 4 <= Self.longest else { throw .tooLong }
            guard place + length <= bytes.count else { break }
            try readLine(bytes[place + 4..<place + length])
            place += length
        }
        if isWhole { throw .endsEarly }
        return .needsMore
    }

    /// A report that refuses is the same in both of its forms.
    private var takesReports: Bool {
        words.contains("side-band-64k") && (words.contains("report-status") || words.contains("report-status-v2"))
    }

    private static func length(_ digits: ArraySlice<UInt8>) throws(GitFault) -> Int {
        var length = 0
        for byte in digits {
            switch byte {
            case UInt8(ascii: "0")...UInt8(ascii: "9"): length = length << 4 | Int(byte - UInt8(ascii: "0"))
            case UInt8(ascii: "a")...UInt8(ascii: "f"): length = length << 4 | Int(byte - UInt8(ascii: "a") + 10)
            default: throw .lengthForm
            }
        }
        return length
    }

    private mutating func readLine(_ line: ArraySlice<UInt8>) throws(GitFault) {
        var line = line
        if line.last == UInt8(ascii: "\n") { line.removeLast() }
        if line.starts(with: "shallow ".utf8) { throw .shallow }
        if line.starts(with: "push-cert".utf8) { throw .signed }
        guard changes.count < Self.mostChanges else { throw .tooMany }
        if let end = line.firstIndex(of: 0) {
            // A server reads capabilities in every line. Only the first line may have them.
            guard changes.isEmpty else { throw .commandForm }
            try readCapabilities(line[(end + 1)...])
            line = line[..<end]
        }
        try readCommand(line)
    }

    private mutating func readCapabilities(_ bytes: ArraySlice<UInt8>) throws(GitFault) {
        guard bytes.allSatisfy({ 0x20...0x7E ~= $0 }) else { throw .capability }
        words = String(decoding: bytes, as: UTF8.self).split(separator: " ")
        for word in words {
            if word == "push-options" { throw .pushOptions }
            let isValued = Self.valued.contains { $0.hasSuffix("=") ? word.hasPrefix($0) : word == $0 }
            guard isValued || Self.capabilities.contains(String(word)) else { throw .capability }
        }
    }

    private mutating func readCommand(_ line: ArraySlice<UInt8>) throws(GitFault) {
        let parts = line.split(separator: 0x20, maxSplits: 2, omittingEmptySubsequences: false)
        guard parts.count == 3, parts[0].count == parts[1].count, Self.isObject(parts[0]), Self.isObject(parts[1]),
            digits == 0 || digits == parts[0].count
        else { throw .commandForm }
        digits = parts[0].count
        let (isNew, isGone) = (Self.isZero(parts[0]), Self.isZero(parts[1]))
        guard !(isNew && isGone) else { throw .commandForm }
        guard parts[2].allSatisfy({ $0 < 0x80 }), let ref = GitRef(String(decoding: parts[2], as: UTF8.self)) else {
            throw .refForm
        }
        guard refs.insert(ref).inserted else { throw .twice }
        changes.append(
            GitChange(
                ref: ref, effect: isNew ? .creation : isGone ? .deletion : .update,
                new: String(decoding: parts[1], as: UTF8.self)))
    }

    /// Returns true for the name of an object: 40 digits, or 64 in a repository with SHA-256.
    private static func isObject(_ digits: ArraySlice<UInt8>) -> Bool {
        [40, 64].contains(digits.count)
            && digits.allSatisfy {
                UInt8(ascii: "0")...UInt8(ascii: "9") ~= $0 || UInt8(ascii: "a")...UInt8(ascii: "f") ~= $0
            }
    }

    private static func isZero(_ digits: ArraySlice<UInt8>) -> Bool { digits.allSatisfy { $0 == UInt8(ascii: "0") } }
}

internal import SodiumKit

/// One question, from its first words to the answer.
struct TerminalAsking {
    /// The longest passcode that is taken, in bytes: no authenticator takes a longer one.
    static let longestPasscode = SecureBytes.passcodeLengths.upperBound
    /// The longest password of an application, in bytes. The system cuts a line after 4095 and does not say so.
    static let longestPassword = 4094
    /// How often a line may be too long, and two new passwords may differ.
    private static let tries = 3

    private let content: PromptContent
    private let words: TerminalWords
    private let session: TerminalSession

    init(_ content: PromptContent, _ style: TerminalStyle, _ session: TerminalSession) {
        self.content = content
        self.session = session
        words = TerminalWords(content, style)
    }

    func answer() throws(InterruptionError) -> Response {
        try session.say(words.whole)
        switch content.kind {
        case .biometry: return content.isSensorFake ? try answerForFakeSensor() : .touch()
        case .companion: return try answerToCompanion()
        case .permission: return try answerToPermission()
        case .passcode, .formerPasscode, .recoveryKey, .passphrase: return try typed(upTo: Self.longestPasscode)
        case .applicationPassword: return try typed(upTo: Self.longestPassword)
        case .newPasscode, .newPassphrase: return try typedTwice(upTo: Self.longestPasscode)
        case .newApplicationPassword, .newSecret: return try typedTwice(upTo: Self.longestPassword)
        }
    }

    /// What a fake sensor is shown, in words: it cannot see for itself.
    private func answerForFakeSensor() throws(InterruptionError) -> Response {
        let line = try session.readLine(upTo: Self.longestPasscode)
        if line.isEmpty { return wayOut }
        return .touch(showing: try line.take().string() ?? "")
    }

    private func answerToCompanion() throws(InterruptionError) -> Response {
        let line = try session.readLine(upTo: Self.longestPasscode)
        if line.isEmpty { return .confirm }
        return content.offersFallback && line.isOne(of: "f") ? .fallback : .cancel
    }

    private func answerToPermission() throws(InterruptionError) -> Response {
        try session.readLine(upTo: Self.longestPasscode).isOne(of: "y", "yes") ? .confirm : .cancel
    }

    private var wayOut: Response { content.offersFallback ? .fallback : .cancel }

    private func typed(upTo longest: Int) throws(InterruptionError) -> Response {
        let line = try fittingLine(upTo: longest)
        return line.isEmpty ? wayOut : .typed(try line.take())
    }

    private func typedTwice(upTo longest: Int) throws(InterruptionError) -> Response {
        for attempt in 1...Self.tries {
            let first = try fittingLine(upTo: longest)
            if first.isEmpty { return wayOut }
            let typed = try first.take()
            try session.say(words.again)
            let second = try fittingLine(upTo: longest).take()
            if typed.equals(second) { return .typed(typed) }
            try session.say("These were not the same.\n" + (attempt < Self.tries ? words.request : ""))
        }
        return .cancel
    }

    /// A line without echo that is not too long.
    private func fittingLine(upTo longest: Int) throws(InterruptionError) -> TypedLine {
        for attempt in 1...Self.tries {
            let line = try session.readLine(upTo: longest)
            // Enter was not echoed either.
            try session.say("\n")
            if line.isWhole { return line }
            try session.say(
                "That is too long: at most \(longest) bytes.\n" + (attempt < Self.tries ? words.request : ""))
        }
        throw .dismissed
    }
}

/// A line that somebody typed, in guarded memory.
struct TypedLine: ~Copyable {
    private let bytes: SecureBytes
    private let count: Int
    /// True if nothing of it is missing because it was too long.
    let isWhole: Bool

    init(_ bytes: consuming SecureBytes, count: Int, isWhole: Bool) {
        self.bytes = bytes
        self.count = count
        self.isWhole = isWhole
    }

    var isEmpty: Bool { isWhole && count == 0 }

    func isOne(of words: StaticString...) -> Bool {
        guard isWhole else { return false }
        return bytes.withBytes { bytes in
            words.contains { word in
                guard word.utf8CodeUnitCount == count else { return false }
                return (0..<count).allSatisfy {
                    bytes.unsafeLoad(fromByteOffset: $0, as: UInt8.self) == word.utf8Start[$0]
                }
            }
        }
    }

    /// Exactly what was typed.
    consuming func take() throws(InterruptionError) -> SecureBytes {
        do {
            return try bytes.prefix(count)
        } catch { throw .noMemory(error) }
    }
}

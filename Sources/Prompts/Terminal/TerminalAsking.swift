internal import SodiumKit

/// One run of a prompt, from its first line to the answer.
struct TerminalAsking {
    /// The longest passcode that can be typed, in bytes: no authenticator accepts a longer one.
    static let longestPasscode = SecureBytes.passcodeLengths.upperBound
    /// The longest application password that can be typed, in bytes. The system silently cuts a line after 4095 bytes.
    static let longestPassword = 4094
    /// The number of times that a line may be too long, and that two new passwords may differ.
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

    /// Returns the name that the user typed for a fake sensor, which cannot see a finger by itself.
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
            try session.say("The two do not match.\n" + (attempt < Self.tries ? words.request : ""))
        }
        session.prompt.recordMismatch()
        return .cancel
    }

    /// Reads a line without echo, and asks again if it is too long.
    private func fittingLine(upTo longest: Int) throws(InterruptionError) -> TypedLine {
        for attempt in 1...Self.tries {
            let line = try session.readLine(upTo: longest)
            // The terminal did not echo Enter either.
            try session.say("\n")
            if line.isWhole { return line }
            try session.say(
                "Too long: at most \(longest) bytes.\n" + (attempt < Self.tries ? words.request : ""))
        }
        throw .dismissed
    }
}

/// A line that the user typed, in guarded memory.
struct TypedLine: ~Copyable {
    private let bytes: SecureBytes
    private let count: Int
    /// False if the line was too long and part of it is missing.
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

    /// Returns exactly the bytes that were typed.
    consuming func take() throws(InterruptionError) -> SecureBytes {
        do {
            return try bytes.prefix(count)
        } catch { throw .noMemory(error) }
    }
}

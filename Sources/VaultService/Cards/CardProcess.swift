package import AgentProtocol
package import CardKit
internal import Glibc
internal import KeyKit
internal import LinuxSystem
internal import PlainText
internal import SodiumKit

/// A process that speaks to smart cards for another one, and ends after one request.
///
/// A module for cards is foreign code. This process loads it, and has nothing but the PIN of the card: no key of the vault, and
/// no descriptor but that of its request. It gets the request once it has said that no other program can look into it.
package enum CardProcess: Sendable {
    /// The name under which this program speaks to cards.
    static let name = "latchkey-card"
    /// The time for one request, in milliseconds. A card may wait for a touch.
    private static let patience: Int32 = 60_000
    /// The time that the process gets to log out of the card and end, in milliseconds.
    private static let patienceAtEnd: Int32 = 3_000
    /// The longest message of a signature, in bytes. A request has it in hexadecimal digits.
    static let longestInput = 16 << 10
    /// The member of the first reply, once the process is closed to others, and of the answers to stages.
    private static let ready = "ready"
    /// The member of the replies before the last one, which say what becomes of the PIN. Each is answered.
    private static let stage = "pin"
    /// The most of them: a signature may take the PIN twice.
    private static let mostStages = 2 * CardModule.Stage.allCases.count

    /// The reason why there is no answer.
    enum Failure: Error {
        case said(AgentError)
        /// The process has said nothing of its own. The card may have refused the PIN.
        case silent(AgentError)

        var error: AgentError {
            switch self {
            case .said(let error), .silent(let error): error
            }
        }
    }

    // MARK: - In the process that asks

    /// Returns the keys that a module finds. It needs no PIN.
    package static func keys(by module: String) throws(AgentError) -> [CardKey] {
        let request = WireObject(["do": .string("keys"), "module": .string(module)])
        let none: SecureBytes
        do throws(SodiumError) { none = try SecureBytes(count: 0) } catch { throw AgentError(.agent, "\(error)") }
        var reply: WireObject
        do throws(Failure) { reply = try ask(request, none) } catch { throw error.error }
        do throws(WireError) {
            var keys: [CardKey] = []
            for value in try reply.consumeList("keys") {
                guard var fields = WireObject(value) else { throw .malformed("\"keys\" is a list of objects") }
                if let key = try FoundCardKey(reading: &fields).key { keys.append(key) }
            }
            return keys
        } catch { throw AgentError(ofSilence: error) }
    }

    /// Returns a signature by a key on a card. Tells `note` what becomes of the PIN.
    static func sign(
        _ input: [UInt8], _ scheme: SignatureScheme, with place: CardKeyPlace, pin: borrowing SecureBytes,
        _ reason: CardModule.Try, note: (CardModule.Stage) -> Void
    ) throws(Failure) -> [UInt8] {
        guard let algorithm = CardSignature(scheme) else { throw .said(AgentError(CardError.unsupportedScheme)) }
        var request = CardKeyReference(place).head
        request["do"] = .string("sign")
        request["algorithm"] = .string(algorithm.algorithm.rawValue)
        request["raw"] = .bool(algorithm.isRaw)
        request["input"] = .string(Hexadecimal.text(input))
        request["stored"] = .bool(reason == .stored)
        var reply = try ask(request, pin, note: note)
        do throws(WireError) {
            guard let signature = Hexadecimal.bytes(try reply.consumeText("signature")) else {
                throw .malformed("\"signature\" has hexadecimal digits")
            }
            return signature
        } catch { throw .silent(AgentError(ofSilence: error)) }
    }

    private static func ask(
        _ request: WireObject, _ pin: borrowing SecureBytes, note: (CardModule.Stage) -> Void = { _ in }
    ) throws(Failure) -> WireObject {
        var ends: [Int32] = [-1, -1]
        guard socketpair(AF_UNIX, Int32(SOCK_STREAM.rawValue | SOCK_CLOEXEC.rawValue), 0, &ends) == 0 else {
            throw .said(.system("a connection to a card"))
        }
        let wire = Wire(ends[0], longestHead: WireLimits.headFromAgent)
        var child = Child()
        (child.input, child.output, child.errors) = (.descriptor(ends[1]), .nothing, .nothing)
        child.closesOthers = true
        child.company = .ownSession
        let process: Int32
        do throws(SystemError) {
            defer { close(ends[1]) }
            let settings = Child.environmentHere + [Array("P11_KIT_NO_USER_CONFIG=1".utf8CString)]
            process = try child.start("/proc/self/exe", [name], environment: settings)
        } catch { throw .said(.system("the process for cards", error.code)) }
        defer { end(process, wire) }
        // It has loaded no module yet.
        do throws(WireError) { _ = try wire.receive(within: patience) } catch {
            throw .said(AgentError(ofSilence: error))
        }
        let deadline = Deadline(patience)
        var reply: WireObject
        do throws(WireError) {
            try wire.send(request.text, secret: pin)
            reply = try wire.receive(within: deadline.left).head
            var stages = 0
            while let told = reply[Self.stage] {
                stages += 1
                guard let stage = CardModule.Stage.allCases.first(where: { told == .string($0.rawValue) }),
                    stages <= mostStages
                else { throw .malformed("\"\(Self.stage)\" is a stage of a PIN, and there are \(mostStages) at most") }
                note(stage)
                try wire.send(WireObject([Self.ready: .bool(true)]).text)
                reply = try wire.receive(within: deadline.left).head
            }
        } catch { throw .silent(AgentError(ofSilence: error)) }
        guard reply["error"] != nil else { return reply }
        let fault: AgentError
        do throws(WireError) {
            guard var fields = try reply.consumeHeadIfPresent("error") else { throw .malformed("\"error\" is empty") }
            fault = try AgentError(from: &fields)
        } catch { throw .silent(AgentError(ofSilence: error)) }
        // The module is foreign code, and another kind would have this process prompt, or forget the key.
        let kinds: [AgentError.Kind] = [.wrong, .request, .unavailable]
        throw .said(AgentError(kinds.contains(fault.kind) ? fault.kind : .unavailable, fault.message))
    }

    /// Waits for the end of the process, and ends it if it takes too long. Also ends those that its module has started and left in
    /// its group.
    private static func end(_ process: Int32, _ wire: Wire) {
        wire.end()
        let watched = WatchedProcess(process)
        if !watched.isGone(within: patienceAtEnd) { kill(process, SIGKILL) }
        // Its number stays its own until it is waited for, and so does that of its group.
        kill(-process, SIGKILL)
        var status: Int32 = 0
        while waitpid(process, &status, 0) < 0 && errno == EINTR {}
    }

    // MARK: - In the process

    /// Answers one request and ends the process, if this program was started for that. Otherwise it returns.
    package static func runIfCalled() {
        guard CommandLine.argc == 1, let called = CommandLine.unsafeArgv[0], String(cString: called) == name else {
            return
        }
        guard CrashSafety.forbidInspection(), !Hardening.isTraced, chdir("/") == 0 else { exit(1) }
        // A module that hangs must not keep this process, and the PIN, if the one that asked has ended.
        alarm(UInt32((2 * patience + patienceAtEnd) / 1000))
        let wire = Wire(STDIN_FILENO, longestHead: WireLimits.headToAgent)
        do throws(WireError) {
            try wire.send(WireObject([ready: .bool(true)]).text)
            var frame = try wire.receive(within: patience)
            let request = try CardRequest(&frame.head)
            let reply: WireObject
            do throws(CardError) {
                reply = try answer(request, frame.secret.take()) { stage in
                    do throws(WireError) {
                        try wire.send(WireObject([Self.stage: .string(stage.rawValue)]).text)
                        _ = try wire.receive(within: patience)
                    } catch {
                        // The one that asked waits no longer. It has to know of each try, and a card that is open is closed.
                        if stage == .tried { exit(1) }
                    }
                }
            } catch {
                reply = WireObject(["error": .object(AgentError(error).head.fields)])
            }
            try wire.send(reply.text)
        } catch { exit(1) }
        exit(0)
    }

    private static func answer(
        _ request: CardRequest, _ given: consuming SecureBytes?, note: (CardModule.Stage) -> Void
    ) throws(CardError) -> WireObject {
        switch request {
        case .keys(let module):
            let keys = try CardModule(module).keys().map { FoundCardKey($0).head.fields }
            return WireObject(["keys": .array(keys.map { .object($0) })])
        case .sign(let input, let scheme, let place, let reason):
            let pin: SecureBytes
            switch consume given {
            case .some(let typed): pin = typed
            case .none:
                do throws(SodiumError) { pin = try SecureBytes(count: 0) } catch { throw .noMemory }
            }
            let signature = try CardModule(place.module).sign(
                input, scheme, with: place, pin: pin, reason, note: note)
            return WireObject(["signature": .string(Hexadecimal.text(signature))])
        }
    }
}

/// A request to the process.
private enum CardRequest {
    case keys(module: String)
    case sign([UInt8], SignatureScheme, CardKeyPlace, CardModule.Try)

    init(_ head: inout WireObject) throws(WireError) {
        switch try head.consumeText("do") {
        case "keys": self = .keys(module: try head.consumeText("module"))
        case "sign":
            guard let algorithm = SignatureAlgorithm(rawValue: try head.consumeText("algorithm")),
                let input = Hexadecimal.bytes(try head.consumeText("input"))
            else { throw .malformed("this signature is unknown") }
            let scheme = algorithm.scheme(isRaw: try head.consumeFlag("raw"))
            let reason: CardModule.Try = try head.consumeFlag("stored") ? .stored : .typed
            guard let place = try CardKeyReference(reading: &head).place else { throw .malformed("there is no place") }
            self = .sign(input, scheme, place, reason)
        default: throw .malformed("this request is unknown")
        }
    }
}

/// A signature scheme by its name on the wire.
private struct CardSignature {
    let algorithm: SignatureAlgorithm
    let isRaw: Bool

    /// Finds the name of a scheme; nil if it has none.
    init?(_ scheme: SignatureScheme) {
        for isRaw in [true, false] {
            for algorithm in SignatureAlgorithm.allCases where algorithm.scheme(isRaw: isRaw) == scheme {
                (self.algorithm, self.isRaw) = (algorithm, isRaw)
                return
            }
        }
        return nil
    }
}

/// A key that a module has found, as the process tells it.
private struct FoundCardKey {
    var token = ""
    var serial = ""
    var pin = CardToken.PIN.none
    var identifier = ""
    var label = ""
    var publicKey = ""

    init(_ key: CardKey) {
        (token, serial, pin) = (key.token.label, key.token.serial, key.token.pin)
        (identifier, label) = (Hexadecimal.text(key.identifier), key.label)
        publicKey = Hexadecimal.text(key.publicKey.subjectPublicKeyInfo)
    }

    init(reading head: inout WireObject) throws(WireError) { try read(from: &head) }

    /// The key; nil if its numbers are none.
    var key: CardKey? {
        guard let identifier = Hexadecimal.bytes(identifier), let info = Hexadecimal.bytes(publicKey),
            let publicKey = try? PublicKey(subjectPublicKeyInfo: info.span.bytes)
        else { return nil }
        return CardKey(
            token: CardToken(label: token, serial: serial, pin: pin), identifier: identifier, label: label,
            publicKey: publicKey)
    }
}

extension FoundCardKey: WireValue {
    mutating func describe<Coder: WireCoder>(to coder: inout Coder) throws(Coder.Failure) {
        try coder.text("token", &token)
        try coder.text("serial", &serial)
        try coder.word("pin", &pin)
        try coder.text("key", &identifier)
        try coder.text("label", &label)
        try coder.text("public", &publicKey)
    }
}

extension AgentError {
    /// Creates the error that reports what a card did not do.
    init(_ error: CardError) {
        let kind: Kind =
            switch error {
            case .wrongPIN: .wrong
            case .unsupportedScheme, .inputTooLong: .request
            case .noMemory, .noModuleInstalled, .untrustedModule, .unusableModule, .noToken, .noKey, .wrongPINOfKey,
                .mistakeBefore, .refusedStoredPIN, .noPIN, .lastTry, .locked, .removed, .otherKey, .failed:
                .unavailable
            }
        self.init(kind, error.description)
    }

    /// Creates the error for a process that did not answer, or not as it should.
    fileprivate init(ofSilence error: WireError) {
        switch error {
        case .unanswered, .timedOut: self.init(.unavailable, "the card did not answer within a minute")
        case .closed: self.init(.unavailable, "the module for the card ended the process that had loaded it")
        case .malformed:
            self.init(
                .unavailable,
                "the module for the card spoke in place of the process that had loaded it: use another one")
        case .noRoom, .neverRoom, .system, .over: self.init(error)
        }
    }
}

internal import CPAM
internal import Glibc
internal import LinuxSystem
internal import PlainText
internal import SodiumKit
internal import Synchronization

/// One check of a passcode by PAM. It hands the passcode out once, to the first module that asks for it without echo.
final class PAMTransaction: Sendable {
    private struct State: ~Copyable {
        /// The passcode; nil once it is handed out, or once the check was abandoned.
        var passcode: SecureBytes?
        var wasAnswered = false
        var wasUnexpected = false
        var notes = PAMNotes()
    }

    private let state: Mutex<State>
    private let length: UInt32

    /// Creates a transaction that owns `passcode`.
    init(_ passcode: consuming SecureBytes) {
        length = UInt32(passcode.count)
        state = Mutex(State(passcode: passcode))
    }

    /// Takes the passcode away after a timeout. Modules that ask from now on get nothing.
    func abandon() {
        state.withLock { state in
            state.passcode = nil
            state.wasUnexpected = true
        }
    }

    /// Runs the check and returns PAM's result. Modules can block it for as long as they like, so give it a thread of
    /// its own.
    func run(service: String, user: String, folder: String) -> PasscodeResult {
        // PAM knows this object only by its address, which does not keep it alive.
        let result = withExtendedLifetime(self) { ask(service, user, folder) }
        state.withLock { $0.passcode = nil }
        latchkey_wipe_traces(128 << 10, length)
        return result
    }

    @inline(never)
    private func ask(_ service: String, _ user: String, _ folder: String) -> PasscodeResult {
        var conversation = pam_conv(
            conv: { PAMTransaction.converse($0, $1, $2, $3) },
            appdata_ptr: Unmanaged.passUnretained(self).toOpaque())
        var opened: OpaquePointer?
        let started = folder.withPath { pam_start_confdir(service, user, &conversation, $0, &opened) }
        guard started == PAM_SUCCESS, let handle = opened else {
            return PasscodeResult(.unavailable(.broken(code: started, text: Self.text(of: started, nil))))
        }
        let noDelay: @convention(c) (Int32, UInt32, UnsafeMutableRawPointer?) -> Void = { _, _, _ in }
        // Without this, a module delays its answer after a wrong passcode. The device counts attempts and delays by
        // itself.
        var last = pam_set_item(handle, PAM_FAIL_DELAY, unsafeBitCast(noDelay, to: UnsafeRawPointer.self))
        let flags = Int32(bitPattern: PAM_DISALLOW_NULL_AUTHTOK)
        if last == PAM_SUCCESS { last = pam_authenticate(handle, flags) }
        let authentication = last
        var account: Int32?
        if authentication == PAM_SUCCESS, isAnswered {
            last = pam_acct_mgmt(handle, flags)
            account = last
        }
        let result = state.withLock { state in
            let answers = PAMAnswers(
                authentication: authentication, account: account, wasAnswered: state.wasAnswered,
                wasUnexpected: state.wasUnexpected)
            return PasscodeResult(
                answers.verdict(of: user) { Self.text(of: $0, handle) }, notes: state.notes.lines)
        }
        pam_end(handle, last)
        return result
    }

    private var isAnswered: Bool { state.withLock { $0.wasAnswered } }

    private static func text(of code: Int32, _ handle: OpaquePointer?) -> String {
        pam_strerror(handle, code).map { Terminal.sentence(String(cString: $0), longest: PAMNotes.longest) }
            ?? "unknown"
    }

    // MARK: - Messages and prompts of modules

    private typealias Messages = UnsafeMutablePointer<UnsafePointer<pam_message>?>
    private typealias Responses = UnsafeMutablePointer<UnsafeMutablePointer<pam_response>?>

    private static func converse(
        _ count: Int32, _ messages: Messages?, _ responses: Responses?, _ context: UnsafeMutableRawPointer?
    ) -> Int32 {
        guard let context else { return PAM_CONV_ERR }
        let transaction = Unmanaged<PAMTransaction>.fromOpaque(context).takeUnretainedValue()
        return transaction.converse(count, messages, responses)
    }

    private func converse(_ count: Int32, _ messages: Messages?, _ responses: Responses?) -> Int32 {
        state.withLock { state in
            guard (1...PAM_MAX_NUM_MSG).contains(count), let messages, let responses,
                let isAsking = Self.isAsking(UnsafeBufferPointer(start: messages, count: Int(count)), &state.notes),
                !state.wasUnexpected, !(isAsking && state.wasAnswered)
            else {
                state.wasUnexpected = true
                return PAM_CONV_ERR
            }
            let size = MemoryLayout<pam_response>.stride
            guard let block = calloc(Int(count), size) else { return PAM_BUF_ERR }
            let answers = block.bindMemory(to: pam_response.self, capacity: Int(count))
            for index in 0..<Int(count) where messages[index]?.pointee.msg_style == PAM_PROMPT_ECHO_OFF {
                guard let passcode = state.passcode.take(), let copy = Self.text(of: passcode) else {
                    free(block)
                    return PAM_CONV_ERR
                }
                // From here on the copy belongs to libpam, which wipes and frees it.
                answers[index].resp = copy
                state.wasAnswered = true
            }
            responses.pointee = answers
            return PAM_SUCCESS
        }
    }

    /// Returns true if one of the messages asks for a passcode; nil if one asks for something else, or if two do. Adds
    /// those that ask for nothing to `notes`.
    private static func isAsking(
        _ messages: UnsafeBufferPointer<UnsafePointer<pam_message>?>, _ notes: inout PAMNotes
    ) -> Bool? {
        var prompts = 0
        for message in messages {
            switch message?.pointee.msg_style {
            case PAM_PROMPT_ECHO_OFF: prompts += 1
            case PAM_TEXT_INFO, PAM_ERROR_MSG:
                guard let text = message?.pointee.msg else { continue }
                let bytes = UnsafeRawBufferPointer(start: text, count: strnlen(text, 4 * Int(PAM_MAX_MSG_SIZE)))
                notes.add(String(decoding: bytes, as: UTF8.self))
            default: return nil
            }
        }
        return prompts > 1 ? nil : prompts == 1
    }

    /// Returns a copy for C, which the caller frees; nil if there is no memory.
    private static func text(of passcode: borrowing SecureBytes) -> UnsafeMutablePointer<CChar>? {
        passcode.withBytes { bytes in
            guard let copy = calloc(bytes.byteCount + 1, 1) else { return nil }
            bytes.withUnsafeBytes { source in
                if let start = source.baseAddress { copy.copyMemory(from: start, byteCount: source.count) }
            }
            return copy.assumingMemoryBound(to: CChar.self)
        }
    }
}

import DeviceModel
import Glibc
import SodiumKit
import UserPresence

// Shows a prompt at its terminal and prints the result; of typed text only the length and a digest.
//
//     terminal-asker WISH [held] [handles] [exits] [thread]
//
// held      keeps the typed text until a byte comes over the input, frees it, and waits for another byte
// handles   has its own handlers for SIGINT and SIGTERM, which print a letter
// exits     calls exit() from another thread as soon as a byte comes over the input
// thread    shows the prompt on a thread that blocks all signals

func say(_ text: String) {
    var text = text + "\n"
    text.withUTF8 { _ = write(1, $0.baseAddress, $0.count) }
}

func waitForByte() {
    var byte: UInt8 = 0
    while read(0, &byte, 1) < 0 && errno == EINTR {}
}

func handleSignals() {
    for number in [SIGINT, SIGTERM] { signal(number) { _ = write(1, $0 == SIGINT ? "I" : "T", 1) } }
}

func askOnBlockedThread() {
    var thread = pthread_t()
    pthread_create(
        &thread, nil,
        { _ in
            var signals = sigset_t()
            sigfillset(&signals)
            pthread_sigmask(SIG_SETMASK, &signals, nil)
            ask(isHeld: false)
            return nil
        }, nil)
    pthread_join(thread, nil)
}

func exitAfterByte() {
    var thread = pthread_t()
    pthread_create(
        &thread, nil,
        { _ in
            waitForByte()
            exit(7)
        }, nil)
}

func digest(_ bytes: borrowing SecureBytes) -> String {
    bytes.withBytes { bytes in
        var hash: UInt64 = 0xCBF2_9CE4_8422_2325
        for place in 0..<bytes.byteCount {
            hash = (hash ^ UInt64(bytes.unsafeLoad(fromByteOffset: place, as: UInt8.self))) &* 0x100_0000_01B3
        }
        return String(hash, radix: 16)
    }
}

func ask(isHeld: Bool) {
    let kinds: [String: PromptContent.Kind] = [
        "passcode": .passcode, "permission": .permission, "newApplicationPassword": .newApplicationPassword,
    ]
    guard let kind = kinds[CommandLine.arguments.dropFirst().first ?? ""] else { exit(64) }
    let prompt = Prompt(PromptContent(kind, reason: "open the diary", app: "Asker", offersFallback: true))
    switch TerminalUser().answer(prompt) {
    case .typed(let bytes):
        say("typed \(bytes.count) \(digest(bytes))")
        if isHeld { waitForByte() }
    case .touch: say("touch")
    case .confirm: say("confirm")
    case .fallback: say("fallback")
    case .cancel: say("cancel")
    }
}

let options = Set(CommandLine.arguments.dropFirst(2))
if options.contains("handles") { handleSignals() }
if options.contains("exits") { exitAfterByte() }
do {
    try TerminalUser().check()
} catch {
    say("\(error)")
}
if options.contains("thread") { askOnBlockedThread() } else { ask(isHeld: options.contains("held")) }
if options.contains("held") {
    say("let go")
    waitForByte()
}

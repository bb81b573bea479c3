internal import AccessPolicy
internal import DeviceModel
internal import Latchkey
internal import PolicyScenarios
internal import SodiumKit
internal import Synchronization
internal import UserPresence

/// The third part of `latchkey demo`: a keychain that asks whoever is there, and what came of it.
struct KeychainDemo {
    private let keychain: Keychain
    private let asked = Asked()
    private var table = TextTable()

    init() throws {
        var settings = DeviceSettings()
        settings.lockGrace = .zero
        keychain = try Keychain.simulated(settings, passcode: "1234", enrolled: ["right index"])
        try store("token", .biometryCurrentSet, "s3cret")
        try store("spare", .userPresence, "sp4re")
    }

    mutating func text(coloured: Bool) throws -> String {
        let owner = SimulatedPerson(fingers: ["right index"], passcode: "1234")
        let thief = SimulatedPerson(fingers: ["left thumb"], passcode: "1234")
        let context = try keychain.makeContext()
        row("the owner reads the token", read("token", in: context, owner))
        row("once more, in the same context", read("token", in: context, owner))
        row("the thief reads the token", read("token", thief))
        row("the thief reads the spare", read("spare", thief))
        let keychain = keychain
        let locker = ClosureHolder(atOnce: true) { prompt in
            _ = try? keychain.lock()
            return .touch(showing: "right index")
        }
        row("the device is locked under the prompt", read("token", locker))
        try keychain.unlock(passcode: SecureBytes("1234"))
        try keychain.enrol("left thumb")
        row("a finger is enrolled; the token", read("token", owner))
        row("the spare, by the finger that is new", read("spare", thief))
        return """

            The same through a keychain, which asks whoever is there. In brackets, what it asked for.

            \(table.text(coloured: coloured))
            """
    }

    private mutating func row(_ what: String, _ result: (text: String, asked: [String])) {
        table.rows.append([
            .init(what), .init("[\(result.asked.joined(separator: ", "))]"), .init(result.text, .faint),
        ])
    }

    private func store(_ name: String, _ flags: AccessControlFlags, _ secret: String) throws {
        let control = try AccessControl(protection: .whenUnlocked, flags: flags)
        try keychain.add(.password(account: name, service: "demo", control), secret: SecureBytes(secret))
    }

    private func read(
        _ name: String, in context: KeychainContext? = nil, _ holder: any Holder
    ) -> (text: String, asked: [String]) {
        asked.begin()
        keychain.holder = Listening(holder: holder, asked: asked)
        let item = keychain.password(account: name, service: "demo")
        do throws(KeychainError) {
            let text = try keychain.read(item, in: context)?.withBytes { bytes in
                bytes.withUnsafeBytes { String(decoding: $0, as: UTF8.self) }
            }
            return (text ?? "nothing", asked.wishes)
        } catch {
            return (error.rule.map { "\($0.identifier): \($0.summary)" } ?? "\(error)", asked.wishes)
        }
    }
}

/// What was asked for since somebody began to listen, the same thing again left out.
private final class Asked: Sendable {
    private let list = Mutex<[Question.Wish]>([])

    func begin() { list.withLock { $0 = [] } }
    func note(_ prompt: Prompt) {
        list.withLock { if $0.last != prompt.question.wish { $0.append(prompt.question.wish) } }
    }
    var wishes: [String] { list.withLock { $0.map { "\($0)" } } }
}

/// Somebody whose prompts are listened to.
private struct Listening: Holder {
    let holder: any Holder
    let asked: Asked

    var answersAtOnce: Bool { holder.answersAtOnce }
    func answer(_ prompt: Prompt) -> Response {
        asked.note(prompt)
        return holder.answer(prompt)
    }
}

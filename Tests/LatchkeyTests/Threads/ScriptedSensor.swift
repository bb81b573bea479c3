import AccessPolicy
import DeviceModel
import Foundation
import Latchkey
import SecretVault
import SodiumKit
import Synchronization
import TestSupport
import UserPresence

/// A sensor that does what a test wants, and does not call itself fake.
final class ScriptedSensor: BiometricSensor {
    struct Script: Sendable {
        var identity = "scripted"
        var templates: [Template] = []
        /// The error of every list; nil to return one.
        var failure: SensorError?
        /// The thread that gets the error; nil for every thread.
        var failing: pthread_t?
        /// The lists to return instead, one after the other.
        var lists: [[Template]] = []
        var isFake = false
        var match: @Sendable (_ shown: String?, _ prompt: Prompt) throws(SensorError) -> SensorMatch
    }

    let kind: SensorKind
    private let script: Mutex<Script>
    private let listings = Mutex(0)

    init(_ kind: SensorKind = .touchID, _ names: [String] = []) {
        self.kind = kind
        let templates = names.map { Template(id: "id of \($0)", name: $0) }
        script = Mutex(
            Script(templates: templates) { (shown, _) throws(SensorError) in
                guard let shown else { return .noMatch }
                return .matched("id of \(shown)")
            })
    }

    /// The number of times its enrollments were asked for.
    var asked: Int { listings.withLock { $0 } }
    var isFake: Bool { script.withLock { $0.isFake } }

    func set(_ change: (inout Script) -> Void) { script.withLock { change(&$0) } }

    func enrollments() throws(SensorError) -> Enrollments {
        listings.withLock { $0 += 1 }
        let script = self.script.withLock { script in
            if !script.lists.isEmpty { script.templates = script.lists.removeFirst() }
            return script
        }
        if let failure = script.failure, script.failing.map({ $0 == pthread_self() }) ?? true { throw failure }
        return try Enrollments(sensor: script.identity, script.templates)
    }

    func enroll(_ name: String, until prompt: Prompt) throws(SensorError) {
        script.withLock { $0.templates.append(Template(id: "id of \(name)", name: name)) }
    }

    func remove(_ id: Template.ID) throws(SensorError) {
        script.withLock { $0.templates.removeAll { $0.id == id } }
    }

    func match(showing shown: String?, until prompt: Prompt) throws(SensorError) -> SensorMatch {
        try script.withLock { $0.match }(shown, prompt)
    }
}

/// An authenticator that does what a test wants.
struct ScriptedAuthenticator: PasscodeAuthenticator {
    let body: @Sendable (String) -> PasscodeResult.Verdict

    func authenticate(_ passcode: borrowing SecureBytes) -> PasscodeResult { PasscodeResult(body(passcode.text())) }
}

/// A vault that keeps secrets, with a scripted sensor that has one finger enrolled.
struct RealVault {
    let folder: TemporaryFolder
    let sensor: ScriptedSensor
    let keychain: Keychain

    var path: String { folder.path("vault") }

    init(
        _ sensor: ScriptedSensor = ScriptedSensor(.touchID, ["right index"]),
        authenticator: ScriptedAuthenticator? = nil,
        allowsFakeSensor: Bool = false
    ) throws {
        folder = try TemporaryFolder(inMemory: true)
        self.sensor = sensor
        var options = KeychainOptions()
        options.sensor = sensor.kind
        options.hasRecoveryKey = false
        options.allowsFakeSensor = allowsFakeSensor
        keychain = try Keychain.create(
            at: folder.path("vault"), options, passcode: SecureBytes("1234"), authenticator: authenticator,
            sensor: .external(sensor),
            user: Cast.owner, requester: .simulatedApp
        ).keychain
        try keychain.keep("any", as: "any", Cast.control(.biometryAny))
        try keychain.keep("bound", as: "bound", Cast.control(.biometryCurrentSet))
    }
}

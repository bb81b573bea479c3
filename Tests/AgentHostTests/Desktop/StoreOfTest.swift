import AccessPolicy
import AgentProtocol
import Foundation
import Latchkey
import SecretService
import SecretVault
import SodiumKit
import Synchronization
import TestSupport
import Testing
import UserPresence
import VaultService

/// The store of the Secret Service over a vault of a test, with a user and a clock that the test rules.
final class StoreOfTest: Sendable {
    /// How the user answers prompts.
    enum CallResult: Sendable {
        /// Types the passcode.
        case passcode
        /// Types another one.
        case wrong
        /// Dismisses the prompt.
        case dismiss
        /// Waits until the prompt is over.
        case wait
    }

    private struct State {
        var answer = CallResult.passcode
        var prompts: [PromptContent] = []
        var skipped: Int64 = 0
        var hasDisplay = true
        var changes: [ShelfChange] = []
        var presences: [Bool] = []
        /// The time of the last call.
        var called: Int64 = -1
    }

    let vault: VaultOfTest
    let keychain: Keychain
    private let settings: [UInt8]
    private let state = Mutex(State())
    private let made = Mutex<(service: VaultService, store: DesktopStore)?>(nil)
    /// Given whenever a prompt is shown.
    let isAsked = DispatchSemaphore(value: 0)

    static let group = VaultService.group
    static let service = VaultService.serviceOfSecrets

    init(rules: String = "", policy: ItemPolicy = .usual, historySeconds: Int = 86_400) throws {
        vault = try VaultOfTest(
            settings: VaultSettings([
                .defaultPolicy: .policy(policy), .history: .number(historySeconds), .secretRules: .text(rules),
            ]))
        keychain = try Keychain.open(at: vault.path)
        settings = try keychain.settings
        try unlock()
        try reopen()
    }

    deinit {
        made.withLock { $0 }?.service.endParts()
        keychain.close()
    }

    var store: DesktopStore { made.withLock { $0 }!.store }

    /// Makes the service and its store anew, as after a restart of the agent.
    func reopen() throws {
        made.withLock { $0 }?.service.endParts()
        let service = try VaultService(keychain, at: vault.place, ReadSettings(settings, of: vault.place)) {
            [weak self] in
            self?.state.withLock { $0.skipped } ?? 0
        }
        service.serve(in: self)
        service.events.subscribe { [weak self, weak service] event in
            guard case .used = event, let service else { return }
            self?.noteCall(at: service.lastActivity)
        }
        let store = try service.desktopStore()
        store.whenChanged { [weak self] change in self?.state.withLock { $0.changes.append(change) } }
        made.withLock { $0 = (service, store) }
    }

    /// Notes if a call counts as use by the user, and lets a moment pass.
    private func noteCall(at time: Int64) {
        state.withLock { state in
            state.presences.append(time > state.called)
            state.called = state.skipped
            state.skipped += 1
        }
    }

    private func answer(_ prompt: Prompt) -> Response {
        let answer = state.withLock { state in
            state.prompts.append(prompt.content)
            return state.answer
        }
        isAsked.signal()
        switch answer {
        case .passcode: return ClosureUser.typing().answer(prompt)
        case .wrong: return ClosureUser.typing("wrong").answer(prompt)
        case .dismiss: return .cancel
        case .wait:
            let over = DispatchSemaphore(value: 0)
            prompt.whenOver { over.signal() }
            over.wait()
            return .cancel
        }
    }

    // MARK: - What the test rules

    var answer: CallResult {
        get { state.withLock { $0.answer } }
        set { state.withLock { $0.answer = newValue } }
    }
    var hasDisplay: Bool {
        get { state.withLock { $0.hasDisplay } }
        set { state.withLock { $0.hasDisplay = newValue } }
    }
    /// The prompts so far.
    var prompts: [PromptContent] { state.withLock { $0.prompts } }
    /// The changes since the last call.
    func changes() -> [ShelfChange] {
        state.withLock { state in
            defer { state.changes = [] }
            return state.changes
        }
    }
    /// For each call since the last look, true if it counts as use by the user.
    func presences() -> [Bool] {
        state.withLock { state in
            defer { state.presences = [] }
            return state.presences
        }
    }
    /// Lets this much time pass on the clock of the store.
    func skip(milliseconds: Int64) { state.withLock { $0.skipped += milliseconds } }

    func unlock() throws {
        _ = try keychain.unlock(passcode: try SecureBytes(VaultOfTest.passcode))
        made.withLock { $0 }?.store.follow()
        made.withLock { $0 }?.store.settle(upTo: TestSupport.Patience.seconds * 1000)
    }

    func lock() throws {
        _ = try keychain.lock()
        store.follow()
        store.settle(upTo: TestSupport.Patience.seconds * 1000)
    }

    // MARK: - As a program and as the command

    static let alice = SecretCaller(connection: ":1.1", process: getpid())
    static let bob = SecretCaller(connection: ":1.2", process: getpid())

    var login: CollectionID { store.collections[0].id }

    @discardableResult
    func create(
        _ label: String, _ attributes: [String: String], _ secret: String = "s3cret", replaces: Bool = false,
        in collection: CollectionID? = nil, for caller: SecretCaller = alice
    ) throws -> ShelfItemID {
        try store.create(
            NewSecretItem(
                label: label, attributes: attributes, secret: try SecureBytes(secret), contentType: "text/plain"),
            in: collection ?? login, replaces: replaces, for: caller, CallLifetime())
    }

    /// Returns the secrets that a program gets, as texts.
    func read(_ items: [ShelfItemID], for caller: SecretCaller = alice, _ asking: CallLifetime = CallLifetime()) throws
        -> [String]
    {
        try store.secrets(of: items, for: caller, asking).map { String(decoding: $0.bytes.array(), as: UTF8.self) }
    }

    var requester: Requester { Requester("test", groups: [Self.group]) }

    /// Stores a secret as `latchkey set` does.
    func set(_ name: String, _ secret: String, _ policy: ItemPolicy = ItemPolicy(.whenUnlocked, [])) throws {
        let control = try policy.control()
        let bytes = try SecureBytes(secret)
        _ = try Keychain.asking(ClosureUser.typing()) { () throws(KeychainError) in
            try keychain.add(
                .password(account: name, service: Self.service, control), secret: bytes, by: requester)
        }
        settle()
    }

    /// Waits until the store has read what another program changed.
    func settle() {
        store.noteChange()
        store.settle(upTo: TestSupport.Patience.seconds * 1000)
    }

    func reference(_ name: String) -> ItemReference {
        keychain.password(account: name, service: Self.service, by: requester)
    }
}

extension StoreOfTest: ServiceHost {
    var sleepTrouble: String? { nil }
    var limitTroubles: [String] { [] }
    var sshSocket: String? { nil }
    var sshTrouble: String? { nil }
    var busState: (word: String, owner: Int32?, trouble: String?) { ("off", nil, nil) }

    func user(for caller: SecretCaller) -> (any DeviceUser)? {
        guard hasDisplay else { return nil }
        return ClosureUser { [weak self] prompt in self?.answer(prompt) ?? .cancel }
    }

    func stop() { Issue.record("the service ends") }
    func wake() {}
}

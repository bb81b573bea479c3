package import AccessPolicy
public import DeviceModel
internal import LinuxSystem
internal import SecretVault
internal import Synchronization
public import UserPresence

/// One device with its items, its authenticators and its user.
///
/// Every call looks an item up, has `decide` decide, asks the user for what is missing and has that checked, decides again,
/// and only then opens what the evidence opens. No lock is held while somebody is asked. May be used by any number of threads
/// at once; calls that ask somebody block until that is over.
public final class Keychain: Sendable {
    let vault: Vault
    let authenticator: (any PasscodeAuthenticator)?
    let sensor: (any BiometricSensor)?
    let patience: Patience
    /// How the points are settled on which Apple's sources leave a choice.
    package let fidelity: Fidelity
    /// The kind of sensor that the device has.
    let sensorKind: SensorKind
    private let state: Mutex<State>
    let prompts = OpenPrompts()
    let watching = Mutex<(any KeychainWatcher)?>(nil)
    let users: Supervisor
    let standingBy: Supervisor

    private struct State {
        var user: any DeviceUser
        var requester: Requester
        var sensorError: SensorError?
    }

    /// How long to wait for those who may never answer.
    public struct Patience: Hashable, Sendable {
        /// For a user, at each prompt, in seconds.
        public var user = 120
        /// How many of them may take their time at once; for more nobody is asked.
        public var prompts = 64

        /// The usual patience.
        public init() {}
    }

    init(
        _ vault: Vault, authenticator: (any PasscodeAuthenticator)?, sensor: (any BiometricSensor)?,
        user: any DeviceUser,
        requester: Requester, patience: Patience
    ) throws(KeychainError) {
        let settings: DeviceSettings
        do throws(VaultError) { settings = try vault.device.settings } catch { throw .vault(error) }
        self.vault = vault
        self.authenticator = authenticator
        self.sensor = sensor
        self.patience = patience
        users = Supervisor(places: patience.prompts)
        standingBy = Supervisor(places: patience.prompts)
        // It belongs to how the device was made, and stays.
        fidelity = settings.fidelity
        sensorKind = settings.sensor
        state = Mutex(State(user: user, requester: requester))
    }

    /// True if it keeps secrets, or plays a device. It is one or the other for ever.
    public var isReal: Bool { vault.kind == .real }

    /// True if it keeps secrets behind a fake sensor, which any program can answer for. Say so where you show its state.
    public var hasFakeSensor: Bool { vault.hasFakeSensor }

    /// True once the vault has closed itself after an error. Open it anew then.
    package var hasClosedItself: Bool { vault.hasClosedItself }

    @TaskLocal private static var userOfCalls: (any DeviceUser)?

    /// Whoever is in front of the device: whom the calls that are being made here ask, or else everybody's.
    public var user: any DeviceUser {
        get { Self.userOfCalls ?? state.withLock { $0.user } }
        set { state.withLock { $0.user = newValue } }
    }

    /// Runs `body`, whose calls ask this user. Calls on other threads ask theirs.
    public static func asking<Result, Failure: Error>(
        _ user: any DeviceUser, _ body: () throws(Failure) -> Result
    ) throws(Failure) -> Result {
        let outcome: Swift.Result<Result, Failure> = Self.$userOfCalls.withValue(user) {
            do throws(Failure) { return .success(try body()) } catch { return .failure(error) }
        }
        return try outcome.get()
    }

    /// Who asks where a call does not say who.
    public var requester: Requester {
        get { state.withLock { $0.requester } }
        set { state.withLock { $0.requester = newValue } }
    }

    /// Why the sensor could not be asked the last time; nil where it could, or was not asked yet.
    public internal(set) var sensorError: SensorError? {
        get { state.withLock { $0.sensorError } }
        set { state.withLock { $0.sensorError = newValue } }
    }

    /// Wipes every key and lets go of the files. Prompts that are open end.
    public func close() {
        seal()
        vault.close()
    }

    /// Runs `body` once when the vault closes itself. `body` must not use the keychain.
    package func whenItClosesItself(_ body: @escaping @Sendable () -> Void) { vault.whenItClosesItself(body) }

    /// How many of the last records could not be written to the audit log, once it is closed.
    package var unwrittenRecords: Int { vault.unwrittenRecords }

    /// Wipes every key for good and ends the prompts, without waiting. ``close()`` closes the files.
    package func seal() {
        vault.seal()
        prompts.endAll(.systemCanceled)
    }
}

/// An app that asks, or a program.
public struct Requester: Hashable, Sendable {
    /// The name in prompts and in the audit log.
    public var name: String
    /// Which program it is: what one repeats again and again is counted in one record of the log. The name, unless that says
    /// more than the program, such as its process.
    public var program: String
    /// Its access groups, the one for new items in front; the first thirty count.
    public var groups: [String]
    /// Which app of the device it is; it matters for permissions.
    public var app: AppID

    /// An app of this name and these groups.
    public init(_ name: String, groups: [String], app: AppID = .first) {
        self.name = name
        program = name
        self.groups = groups
        self.app = app
    }

    /// Where its new items go. That of tokens, which takes none, never is; a caller without groups is turned away by the rule
    /// for that, whatever is said here.
    package var usualGroup: String { groups.first { $0 != "com.apple.token" } ?? "" }
}

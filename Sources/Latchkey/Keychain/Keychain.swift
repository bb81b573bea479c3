package import AccessPolicy
public import DeviceModel
internal import LinuxSystem
package import SecretVault
internal import Synchronization
public import UserPresence

/// A device with its stored items, its authenticators and its user.
///
/// Every call follows the same steps. It looks up the item, and `decide` answers. If the answer is a challenge, the
/// keychain prompts the user, checks the answer and decides again. Only a grant opens the item, with the keys that the
/// evidence unlocks.
///
/// ```swift
/// let keychain = try Keychain.simulated(passcode: "1234", enrolled: ["right index"])
/// let policy = try AccessControl(protection: .whenUnlocked, flags: .biometryCurrentSet)
/// try keychain.add(.password(account: "me", service: "token", policy), secret: SecureBytes("s3cret"))
///
/// let token = keychain.password(account: "me", service: "token")
/// let secret = try keychain.read(token)  // The keychain prompts, and the simulated owner shows the finger.
/// try keychain.enroll("left thumb")
/// let decision = try keychain.decision(.readData, token)  // Denied: the set of enrolled fingers has changed.
/// ```
///
/// Any number of threads may use a keychain at once. A call that prompts blocks its thread until the prompt ends, and
/// holds no lock while it waits.
public final class Keychain: Sendable {
    /// The vault that stores the items and holds the keys.
    package let vault: Vault
    private let authenticator: (any PasscodeAuthenticator)?
    private let authenticatorTrust: AuthenticatorTrust
    let patience: Patience
    /// The choices on points that Apple's sources leave open.
    package let fidelity: Fidelity
    private let state: Mutex<State>
    let prompts = OpenPrompts()
    let watching = Mutex<(any KeychainWatcher)?>(nil)
    let deviceObservers = DeviceObservers()
    let users: Supervisor
    let standingBy: Supervisor

    private struct State {
        /// The settings of the vault that name the authenticator and the sensor; nil if the program chose them itself.
        var source: [UInt8]?
        var user: any DeviceUser
        var requester: Requester
        var sensorError: SensorError?
        var sensor: (any BiometricSensor)?
        var sensorKind: SensorKind
    }

    /// Limits on waiting for a user.
    public struct Patience: Hashable, Sendable {
        /// The number of seconds to wait for an answer to one prompt.
        public var user = 120
        /// The number of prompts that may wait for their user at once. Any further prompt times out at once.
        public var prompts = 64

        /// Creates the default limits: two minutes for each prompt, 64 prompts at once.
        public init() {}
    }

    init(
        _ vault: Vault, authenticator: (any PasscodeAuthenticator)?, sensor: (any BiometricSensor)?,
        user: any DeviceUser,
        requester: Requester, patience: Patience, source: [UInt8]? = nil,
        authenticatorTrust: AuthenticatorTrust = .always
    ) throws(KeychainError) {
        let settings: DeviceSettings
        do { settings = try vault.device.settings } catch { throw .vault(error) }
        self.vault = vault
        self.authenticator = authenticator
        self.authenticatorTrust = authenticatorTrust
        self.patience = patience
        users = Supervisor(places: patience.prompts)
        standingBy = Supervisor(places: patience.prompts)
        // The choices were stored when the device was created, and never change afterwards.
        fidelity = settings.fidelity
        state = Mutex(
            State(source: source, user: user, requester: requester, sensor: sensor, sensorKind: settings.sensor))
    }

    /// True if the vault keeps secrets; false if it simulates a device. The kind of a vault never changes.
    public var isReal: Bool { vault.kind == .real }

    /// True if the vault keeps secrets behind a fake sensor, for which any program can answer. Say so wherever you show
    /// its state.
    public var hasFakeSensor: Bool { vault.hasFakeSensor }

    /// True if the vault has closed itself after an error. Open it again to go on.
    package var hasClosedItself: Bool { vault.hasClosedItself }

    @TaskLocal private static var userOfCalls: (any DeviceUser)?

    /// The user who answers prompts: the one passed to ``asking(_:_:)`` around this call, or else the keychain's own.
    public var user: any DeviceUser {
        get { Self.userOfCalls ?? state.withLock { $0.user } }
        set { state.withLock { $0.user = newValue } }
    }

    /// Runs `body`, and sends the prompts of its calls to `user`. Calls on other threads keep their own user.
    public static func asking<Result, Failure: Error>(
        _ user: any DeviceUser, _ body: () throws(Failure) -> Result
    ) throws(Failure) -> Result {
        let outcome: Swift.Result<Result, Failure> = Self.$userOfCalls.withValue(user) {
            do throws(Failure) { return .success(try body()) } catch { return .failure(error) }
        }
        return try outcome.get()
    }

    /// The requester of calls that name none.
    public var requester: Requester {
        get { state.withLock { $0.requester } }
        set { state.withLock { $0.requester = newValue } }
    }

    /// Moves the requester of calls that name none to the background, which ends its open prompts, or back.
    package func moveRequester(toBackground isInBackground: Bool) {
        state.withLock { $0.requester.isInBackground = isInBackground }
        if isInBackground { prompts.endAll(.systemCanceled) }
    }

    /// The sensor; nil if there is none, or if the settings that name it are not checked.
    var sensor: (any BiometricSensor)? { maySettingsCount ? namedSensor : nil }

    /// The sensor, checked or not.
    var namedSensor: (any BiometricSensor)? { state.withLock { $0.sensor } }

    /// The authenticator that checks the passcode besides the keys; nil if there is none, or if it may not be asked yet.
    var judge: (any PasscodeAuthenticator)? {
        switch authenticatorTrust {
        case .always: authenticator
        case .onceChecked: maySettingsCount ? authenticator : nil
        }
    }

    /// True if there is an authenticator that checks the passcode besides the keys.
    var hasAuthenticator: Bool { authenticator != nil }

    /// True if the settings that name the authenticator and the sensor are those that the owner chose, or the program has
    /// named both itself.
    private var maySettingsCount: Bool { state.withLock { $0.source }.map { vault.hasChecked($0) } ?? true }

    /// Notes that the owner has changed the settings. The authenticator and the sensor stay as they were chosen.
    func noteChange(of settings: [UInt8]) {
        state.withLock { if $0.source != nil { $0.source = settings } }
    }

    var sensorKind: SensorKind { state.withLock { $0.sensorKind } }

    /// Uses a sensor that was added to the device.
    func adopt(_ sensor: any BiometricSensor) {
        state.withLock {
            $0.sensor = sensor
            $0.sensorKind = sensor.kind
        }
    }

    /// The reason why the sensor failed to answer the last time; nil if it answered or was not asked yet.
    public internal(set) var sensorError: SensorError? {
        get { state.withLock { $0.sensorError } }
        set { state.withLock { $0.sensorError = newValue } }
    }

    /// Wipes every key, ends open prompts and closes the files.
    public func close() {
        seal()
        vault.close()
    }

    /// Runs `body` once if the vault closes itself. `body` must not use the keychain.
    package func whenItClosesItself(_ body: @escaping @Sendable () -> Void) { vault.whenItClosesItself(body) }

    /// The number of records at the end of the audit log that could not be written. Read it after closing the keychain.
    package var unwrittenRecords: Int { vault.unwrittenRecords }

    /// Wipes every key for good and ends the prompts, without waiting. ``close()`` also closes the files.
    package func seal() {
        vault.seal()
        prompts.endAll(.systemCanceled)
    }
}

/// The time from which on an authenticator that the settings of a vault name may be asked.
package enum AuthenticatorTrust: Sendable {
    /// At any time, because only root can change it.
    case always
    /// Once the settings were checked. Until then, any program of the user could have named it.
    case onceChecked
}

/// The app or program that makes a call.
public struct Requester: Hashable, Sendable {
    /// The name shown in prompts and written to the audit log.
    public var name: String
    /// The identity under which the audit log counts repeated calls in one record. It is the same as the name, unless
    /// the name says more than the program, such as a process number.
    public var program: String
    /// The requester's access groups. New items go into the first one; only the first thirty count.
    public var groups: [String]
    /// The app of the device that the requester is; permission to use biometry belongs to an app.
    public var app: AppID
    /// True if the calls pass a context in which the user authenticated for an earlier call. It then counts only for
    /// items that allow reuse.
    package var isReusing = false
    /// True if the user of the requester is logged in over a network, and cannot touch a sensor at this machine.
    package var isRemote = false
    /// True if the requester is an app in the background, to which the system shows no prompt.
    package var isInBackground = false

    /// Creates a requester with this name and these access groups.
    public init(_ name: String, groups: [String], app: AppID = .first) {
        self.name = name
        program = name
        self.groups = groups
        self.app = app
    }

    /// The access group of new items. It is never the group of tokens, to which nothing can be added. If the requester
    /// has no groups, its calls are denied whatever the value.
    package var usualGroup: String { groups.first { $0 != "com.apple.token" } ?? "" }
}

public import DeviceModel
public import SecretVault
public import SodiumKit
public import UserPresence

/// The options for creating a keychain that keeps secrets.
public struct KeychainOptions: Sendable {
    /// The cost of one guess of the passcode.
    public var cost = StretchCost.moderate
    /// The kind of sensor that the device has.
    public var sensor = SensorKind.none
    /// True if creating the vault also makes a recovery key, which sets a new passcode if the present one is forgotten.
    public var hasRecoveryKey = true
    /// True if the vault accepts a fake sensor. Its state says so from then on.
    public var allowsFakeSensor = false
    /// True if every record of the audit log reaches the disk before the caller gets its answer.
    public var hasDurableAudit = false
    /// The maximum size of the audit log, in bytes.
    public var auditLimit = AuditSize.usual
    /// The settings of the program that uses the vault; see ``Keychain/settings``.
    package var settings: [UInt8] = []

    /// Creates the default options: a recovery key, no sensor, and no fake one either.
    public init() {}

    var forVault: VaultOptions {
        var options = VaultOptions.real(cost: cost, sensor: sensor)
        options.hasRecoveryKey = hasRecoveryKey
        options.allowsFakeSensor = allowsFakeSensor
        options.hasDurableAudit = hasDurableAudit
        options.auditLimit = auditLimit
        options.settings = settings
        return options
    }
}

/// The sensor that a keychain uses.
public enum SensorChoice: Sendable {
    /// No sensor, and so no biometry.
    case none
    /// The fake sensor kept in the vault, for simulated devices and for vaults that were created to accept one.
    case fake
    /// This sensor.
    case external(any BiometricSensor)
}

extension Keychain {
    /// Creates a vault that keeps secrets, in a folder that does not exist yet, and returns its keychain unlocked.
    ///
    /// Show the recovery key to the owner once and wipe it: it cannot be made again.
    ///
    /// If the keychain has an authenticator, such as PAM, it has to accept the passcode.
    ///
    /// - Throws: ``KeychainError/wrongPasscode`` if the authenticator rejects the passcode,
    ///   ``KeychainError/authenticator(_:)`` if it cannot check it, ``KeychainError/wrongKind(_:)`` if the sensor does
    ///   not fit the options, and ``KeychainError/vault(_:)`` if the vault cannot be created.
    public static func create(
        at path: String, _ options: KeychainOptions = KeychainOptions(), passcode: borrowing SecureBytes,
        authenticator: (any PasscodeAuthenticator)? = nil, sensor: SensorChoice = .none,
        user: any DeviceUser = NoUser(),
        requester: Requester = .thisProgram, patience: Patience = Patience()
    ) throws(KeychainError) -> (keychain: Keychain, recoveryKey: RecoveryKey?) {
        if let authenticator {
            switch authenticator.authenticate(passcode).verdict {
            case .accepted: break
            case .wrong: throw .wrongPasscode
            case .unavailable(let trouble): throw .authenticator(trouble)
            }
        }
        try requireFitting(sensor, options.sensor, fakeIsAllowed: options.allowsFakeSensor)
        let created: Vault.Created
        do {
            created = try Vault.create(at: path, options.forVault, passcode: passcode)
        } catch {
            throw .vault(error)
        }
        let keychain = try Keychain(created.vault, authenticator, sensor, user, requester, patience)
        _ = try keychain.askSensor()
        return (keychain, created.recoveryKey)
    }

    /// Opens the vault in this folder, locked. The first unlock takes the passcode.
    ///
    /// - Throws: ``KeychainError/wrongKind(_:)`` if the vault simulates a device or cannot have this sensor, and
    ///   ``KeychainError/vault(_:)`` if it cannot be opened.
    public static func open(
        at path: String, authenticator: (any PasscodeAuthenticator)? = nil, sensor: SensorChoice = .none,
        user: any DeviceUser = NoUser(), requester: Requester = .thisProgram, patience: Patience = Patience()
    ) throws(KeychainError) -> Keychain {
        let keychain = try openUnasked(
            at: path, authenticator: authenticator, sensor: sensor, user: user, requester: requester,
            patience: patience)
        _ = try keychain.askSensor()
        return keychain
    }

    /// Opens the vault in this folder as ``open(at:authenticator:sensor:user:requester:patience:)`` does, without
    /// waiting for its sensor.
    ///
    /// `source` are the settings of the vault that name the authenticator and the sensor. Neither is used before these are
    /// known to be what the owner chose, except for an authenticator that is trusted always.
    package static func openUnasked(
        at path: String, authenticator: (any PasscodeAuthenticator)? = nil, sensor: SensorChoice = .none,
        user: any DeviceUser = NoUser(), requester: Requester = .thisProgram, patience: Patience = Patience(),
        source: [UInt8]? = nil, authenticatorTrust: AuthenticatorTrust = .always
    ) throws(KeychainError) -> Keychain {
        let vault = try open(path, .real)
        let kind: SensorKind
        do { kind = try vault.device.settings.sensor } catch { throw .vault(error) }
        try requireFitting(sensor, kind, fakeIsAllowed: vault.hasFakeSensor)
        return try Keychain(
            vault, authenticator, sensor, user, requester, patience, source: source,
            authenticatorTrust: authenticatorTrust)
    }

    /// Creates a simulated device in memory, unlocked, with these fingers or faces enrolled on its fake sensor.
    ///
    /// - Parameters:
    ///   - settings: The device's sensor and other settings.
    ///   - passcode: The passcode; nil for a device without one.
    ///   - enrolled: The names of the enrolled fingers or faces.
    ///   - user: The user who answers prompts; nil for the owner, who knows the passcode and has every enrolled finger.
    ///   - requester: The app that makes calls which name none.
    ///   - patience: The limits on waiting for the user.
    /// - Throws: ``KeychainError/refused(_:)`` if the sensor cannot enroll these names, and ``KeychainError/vault(_:)``
    ///   if the vault cannot be made.
    public static func simulated(
        _ settings: DeviceSettings = DeviceSettings(), passcode: String? = "1234", enrolled: [String] = ["right index"],
        user: (any DeviceUser)? = nil, requester: Requester = .simulatedApp, patience: Patience = Patience()
    ) throws(KeychainError) -> Keychain {
        try simulated(
            settings, passcode: passcode, enrolled: enrolled, user: user, requester: requester, patience: patience,
            isAudited: false)
    }

    /// Creates a simulated device in memory, as the function above does, with an audit log if `isAudited` is true.
    package static func simulated(
        _ settings: DeviceSettings, passcode: String?, enrolled: [String], user: (any DeviceUser)?,
        requester: Requester = .simulatedApp, patience: Patience = Patience(), isAudited: Bool
    ) throws(KeychainError) -> Keychain {
        var options = VaultOptions.simulated(settings)
        options.isAuditedInMemory = isAudited
        let vault: Vault
        do {
            if let passcode {
                vault = try Vault.inMemory(options, passcode: try SecureBytes(passcode)).vault
            } else {
                vault = try Vault.inMemory(options).vault
            }
        } catch {
            throw .vault(error as? VaultError ?? .closed)
        }
        return try simulated(vault, passcode, enrolled, user, requester, patience)
    }

    /// Creates a simulated device in memory with an authenticator and a sensor of its own, unlocked by the passcode
    /// 1234.
    ///
    /// Tests use it to run a keychain with both, which a real vault would make slow.
    package static func simulated(
        _ settings: DeviceSettings = DeviceSettings(), authenticator: (any PasscodeAuthenticator)? = nil,
        sensor: any BiometricSensor, user: any DeviceUser
    ) throws(KeychainError) -> Keychain {
        let vault: Vault
        do {
            vault = try Vault.inMemory(.simulated(settings), passcode: try SecureBytes("1234")).vault
        } catch {
            throw .vault(error as? VaultError ?? .closed)
        }
        return try Keychain(vault, authenticator, .external(sensor), user, .simulatedApp, Patience())
    }

    /// Creates a simulated device in a folder that does not exist yet, so that several programs can use it.
    public static func createSimulated(
        at path: String, _ settings: DeviceSettings = DeviceSettings(), passcode: String,
        enrolled: [String] = ["right index"],
        user: (any DeviceUser)? = nil, requester: Requester = .simulatedApp, patience: Patience = Patience()
    ) throws(KeychainError) -> Keychain {
        let vault: Vault
        do {
            vault = try Vault.create(at: path, .simulated(settings), passcode: try SecureBytes(passcode)).vault
        } catch {
            throw .vault(error as? VaultError ?? .closed)
        }
        return try simulated(vault, passcode, enrolled, user, requester, patience)
    }

    /// Opens the simulated device in a folder, locked.
    public static func openSimulated(
        at path: String, user: any DeviceUser = NoUser(), requester: Requester = .simulatedApp,
        patience: Patience = Patience()
    ) throws(KeychainError) -> Keychain {
        try Keychain(try open(path, .simulated), nil, .fake, user, requester, patience)
    }

    private static func simulated(
        _ vault: Vault, _ passcode: String?, _ enrolled: [String], _ user: (any DeviceUser)?, _ requester: Requester,
        _ patience: Patience
    ) throws(KeychainError) -> Keychain {
        let owner = SimulatedPerson(fingers: enrolled, passcode: passcode)
        let keychain = try Keychain(vault, nil, .fake, user ?? owner, requester, patience)
        guard try keychain.device.settings.sensor != .none else { return keychain }
        for name in enrolled {
            if let refusal = try keychain.enroll(name).refusal { throw .refused(refusal) }
        }
        return keychain
    }

    private static func open(_ path: String, _ kind: VaultOptions.Kind) throws(KeychainError) -> Vault {
        let vault: Vault
        do { vault = try Vault.open(at: path) } catch { throw .vault(error) }
        if vault.kind == kind { return vault }
        vault.close()
        throw .wrongKind(
            kind == .real
                ? "\(path) simulates a device and keeps no secrets: open it as a simulated device"
                : "\(path) keeps secrets and simulates no device: open it as a vault")
    }

    /// Throws if a vault cannot have this sensor: a fake one, unless the vault was created to accept one, or one of
    /// another kind than its device has.
    private static func requireFitting(
        _ sensor: SensorChoice, _ kind: SensorKind, fakeIsAllowed: Bool
    ) throws(KeychainError) {
        let isFake: Bool
        switch sensor {
        case .none: return
        case .fake: isFake = true
        case .external(let sensor):
            isFake = sensor.isFake
            guard sensor.kind == kind else {
                throw .wrongKind("the vault was created for the sensor \(kind), and this sensor is \(sensor.kind)")
            }
        }
        if isFake && !fakeIsAllowed {
            throw .wrongKind("this vault accepts no fake sensor: use a real one, or create a vault that allows fakes")
        }
    }

    private convenience init(
        _ vault: Vault, _ authenticator: (any PasscodeAuthenticator)?, _ choice: SensorChoice, _ user: any DeviceUser,
        _ requester: Requester, _ patience: Patience, source: [UInt8]? = nil,
        authenticatorTrust: AuthenticatorTrust = .always
    ) throws(KeychainError) {
        let kind: SensorKind
        do { kind = try vault.device.settings.sensor } catch { throw .vault(error) }
        let sensor: (any BiometricSensor)? =
            switch choice {
            case .none: nil
            // A device without a sensor gets none, so there is nothing to ask or to reset when the device is erased.
            case .fake: kind == .none ? nil : FakeSensor(kind, memory: VaultMemory(vault: vault))
            case .external(let sensor): sensor
            }
        try self.init(
            vault, authenticator: authenticator, sensor: sensor, user: user, requester: requester, patience: patience,
            source: source, authenticatorTrust: authenticatorTrust)
    }
}

extension Requester {
    /// This program, under the name it was started with, in the group `latchkey`, which programs share unless they name
    /// another.
    public static var thisProgram: Requester {
        let name = CommandLine.arguments.first?.split(separator: "/").last.map(String.init) ?? "latchkey"
        return Requester(name, groups: ["latchkey"])
    }

    /// The app on a simulated device.
    public static var simulatedApp: Requester { Requester("com.example.app", groups: ["com.example.app"]) }
}

/// The memory of a fake sensor, kept in its vault.
struct VaultMemory: TemplateMemory {
    let vault: Vault

    func load() throws -> [UInt8] { try vault.fakeSensorMemory }
    func change(_ body: ([UInt8]) throws -> [UInt8]) throws -> [UInt8] { try vault.change(fakeSensorMemory: body) }
}

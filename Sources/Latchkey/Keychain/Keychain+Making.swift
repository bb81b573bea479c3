public import DeviceModel
public import SecretVault
public import SodiumKit
public import UserPresence

/// How a keychain that keeps secrets is made.
public struct KeychainOptions: Sendable {
    /// What a guess of the passcode costs.
    public var cost = StretchCost.moderate
    /// Which kind of sensor the device has.
    public var sensor = SensorKind.none
    /// True if a recovery key is made, that sets a new passcode when the present one is forgotten.
    public var hasRecoveryKey = true
    /// True if a sensor will do that anybody can fake. The vault says so ever after.
    public var allowsFakeSensor = false
    /// True if every record of the audit log is on the disk before the caller gets the answer.
    public var hasDurableAudit = false
    /// How many bytes the audit log may grow to.
    public var auditLimit = AuditSize.usual

    /// The usual: a recovery key, and no sensor.
    public init() {}

    var forVault: VaultOptions {
        var options = VaultOptions.real(cost: cost, sensor: sensor)
        options.hasRecoveryKey = hasRecoveryKey
        options.allowsFakeSensor = allowsFakeSensor
        options.hasDurableAudit = hasDurableAudit
        options.auditLimit = auditLimit
        return options
    }
}

/// Which sensor a keychain asks.
public enum SensorChoice: Sendable {
    /// None: there is no biometry.
    case none
    /// A fake one that is kept in the vault, for simulated devices and for vaults that were made to take one.
    case fake
    /// This one.
    case external(any BiometricSensor)
}

extension Keychain {
    /// Creates a vault that keeps secrets in a folder that does not exist yet, with this passcode, and comes up unlocked. The
    /// recovery key is never to be had again.
    ///
    /// If another authenticator such as PAM has a say, the passcode has to be one that it accepts.
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
        do throws(VaultError) {
            created = try Vault.create(at: path, options.forVault, passcode: passcode)
        } catch {
            throw .vault(error)
        }
        let keychain = try Keychain(created.vault, authenticator, sensor, user, requester, patience)
        _ = try keychain.askSensor()
        return (keychain, created.recoveryKey)
    }

    /// Opens the vault in this folder, locked: the first unlock takes the passcode. It has to be one that keeps secrets.
    public static func open(
        at path: String, authenticator: (any PasscodeAuthenticator)? = nil, sensor: SensorChoice = .none,
        user: any DeviceUser = NoUser(), requester: Requester = .thisProgram, patience: Patience = Patience()
    ) throws(KeychainError) -> Keychain {
        let vault = try open(path, .real)
        let kind: SensorKind
        do throws(VaultError) { kind = try vault.device.settings.sensor } catch { throw .vault(error) }
        try requireFitting(sensor, kind, fakeIsAllowed: vault.hasFakeSensor)
        let keychain = try Keychain(vault, authenticator, sensor, user, requester, patience)
        _ = try keychain.askSensor()
        return keychain
    }

    /// A simulated device in memory: unlocked, held by `user`, with these enrolled on its fake sensor.
    public static func simulated(
        _ settings: DeviceSettings = DeviceSettings(), passcode: String? = "1234", enrolled: [String] = ["right index"],
        user: (any DeviceUser)? = nil, requester: Requester = .simulatedApp, patience: Patience = Patience()
    ) throws(KeychainError) -> Keychain {
        let vault: Vault
        do {
            if let passcode {
                vault = try Vault.inMemory(.simulated(settings), passcode: try SecureBytes(passcode)).vault
            } else {
                vault = try Vault.inMemory(.simulated(settings)).vault
            }
        } catch {
            throw .vault(error as? VaultError ?? .closed)
        }
        return try simulated(vault, passcode, enrolled, user, requester, patience)
    }

    /// A simulated device in memory, unlocked by the passcode 1234, with this authenticator and this sensor instead of none and
    /// a fake one: for tests of how the three go together, which a real vault would make slow.
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

    /// A simulated device whose vault lies in a folder that does not exist yet, so that several programs can use it.
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

    /// Opens a simulated device in a folder, locked.
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
        do throws(VaultError) { vault = try Vault.open(at: path) } catch { throw .vault(error) }
        if vault.kind == kind { return vault }
        vault.close()
        throw .wrongKind(
            kind == .real
                ? "\(path) plays a device and keeps no secrets: open it as a simulated one"
                : "\(path) keeps secrets and plays no device: open it as what it is")
    }

    /// Throws where a vault cannot have this sensor: one that can be faked, unless the vault was created so, or one of another
    /// kind than its device has.
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
                throw .wrongKind("the device was created with the sensor \(kind), and this one is \(sensor.kind)")
            }
        }
        if isFake && !fakeIsAllowed {
            throw .wrongKind("this vault takes no sensor that can be faked: only one that was created so does")
        }
    }

    private convenience init(
        _ vault: Vault, _ authenticator: (any PasscodeAuthenticator)?, _ choice: SensorChoice, _ user: any DeviceUser,
        _ requester: Requester, _ patience: Patience
    ) throws(KeychainError) {
        let kind: SensorKind
        do throws(VaultError) { kind = try vault.device.settings.sensor } catch { throw .vault(error) }
        let sensor: (any BiometricSensor)? =
            switch choice {
            case .none: nil
            // A device that is made without a sensor has none that could be asked, or reset when it is erased.
            case .fake: kind == .none ? nil : FakeSensor(kind, memory: VaultMemory(vault: vault))
            case .external(let sensor): sensor
            }
        try self.init(
            vault, authenticator: authenticator, sensor: sensor, user: user, requester: requester, patience: patience)
    }
}

extension Requester {
    /// This program, by the name it was started under, in the group `latchkey`, which all programs share that say nothing else.
    public static var thisProgram: Requester {
        let name = CommandLine.arguments.first?.split(separator: "/").last.map(String.init) ?? "latchkey"
        return Requester(name, groups: ["latchkey"])
    }

    /// The app on a simulated device.
    public static var simulatedApp: Requester { Requester("com.example.app", groups: ["com.example.app"]) }
}

/// The memory of a fake sensor, kept in the vault that it belongs to.
struct VaultMemory: TemplateMemory {
    let vault: Vault

    func load() throws -> [UInt8] { try vault.fakeSensorMemory }
    func change(_ body: ([UInt8]) throws -> [UInt8]) throws -> [UInt8] { try vault.change(fakeSensorMemory: body) }
}

internal import AccessPolicy
internal import DeviceModel
internal import SodiumKit

/// A vault that is being created: what goes into its files, and its root until the vault has been unlocked.
final class Birth {
    let recoveryKey: RecoveryKey?
    private let options: VaultOptions
    var clock: VaultClock? { options.clock }
    private let passcode: SecureBytes?
    private var root: Key?

    /// Prepares a vault with this passcode.
    static func made(
        _ options: VaultOptions, _ passcode: borrowing SecureBytes, _ path: String
    ) throws(VaultError) -> Birth {
        do {
            try passcode.requirePasscodeLength()
            try options.requireSound(hasPasscode: true)
            return try Birth(options, try passcode.copy())
        } catch {
            throw Vault.inOurWords(error, path)
        }
    }

    /// Prepares a vault without a passcode.
    static func made(_ options: VaultOptions, _ path: String) throws(VaultError) -> Birth {
        try options.requireSound(hasPasscode: false)
        do { return try Birth(options, nil) } catch { throw Vault.inOurWords(error, path) }
    }

    private init(_ options: VaultOptions, _ passcode: consuming SecureBytes?) throws {
        try Sodium.start()
        self.options = options
        recoveryKey = options.hasRecoveryKey ? RecoveryKey(try Key.random()) : nil
        self.passcode = passcode
    }

    /// Writes the first keybag and an empty ledger, after laying out the database if that is still to do.
    @discardableResult
    func write(
        to connection: Connection, _ keys: any DeviceKeyStore, isLaidOut: Bool = false
    ) throws -> (bag: Keybag, ledger: Ledger) {
        let fixed = try FixedKeys(try keys.fixedKey())
        var device = Device(options.device)
        let clock = options.kind == .real ? options.clock ?? .system : nil
        // A real vault takes its time from the wall clock.
        if let clock { _ = device.apply(.timePassed(TimeSpan(milliseconds: clock.wall()))) }
        var bag = try Keybag(
            isReal: options.kind == .real, hasFakeSensor: options.kind == .real && options.allowsFakeSensor,
            isAuditDurable: options.hasDurableAudit, settings: options.settings,
            device: device.lasting, cost: options.cost, fixed: fixed)
        bag.clock = clock.map { ClockMark(boot: $0.boot, uptime: $0.uptime()) }
        let root = try bag.root(fixed)
        switch passcode {
        case .some(let passcode):
            let secrets = EventKeys(root: root, stretch: try bag.cost.stretch(passcode, salt: bag.salt))
            for effect in device.apply(.passcodeSet(PasscodeAttempts.first)) {
                try bag.follow(effect, device, secrets, nil, fixed)
            }
            try secrets.withRoot { self.root = try $0.copy() }
        case .none: self.root = root
        }
        bag.device = device.lasting
        if let recoveryKey {
            try Gates.lend(self.root) { try bag.wrap($0, recovery: recoveryKey.key, fixed) }
        }
        try Gates.lend(self.root) {
            try bag.sealSettings(under: try Keybag.settingsKey($0), after: 0, vaultID: keys.vaultID)
        }
        var ledger = Ledger()
        ledger.commits = 1
        ledger.generation = bag.generation
        ledger.audit.limit = options.auditLimit
        try connection.fill(
            isLaidOut: isLaidOut,
            keybag: bag.sealed(under: try fixed.keybag(keys.eraseKeys().newest), vaultID: keys.vaultID),
            generation: Int64(bitPattern: bag.generation), ledger: ledger.sealed(under: fixed.ledger))
        try keys.setCounter(ledger.commits, lasting: true)
        return (bag, ledger)
    }

    /// Unlocks the new vault. The owner has just set the passcode, so there is no need to type it again.
    func unlock(_ vault: inout VaultState) throws {
        guard let right = vault.device.passcode else { return }
        switch root {
        case .some(let root):
            _ = try vault.happen(.passcodeEntered(right), EventKeys(root: try root.copy()))
            try vault.checkSettings(with: root)
        case .none: break
        }
        root = nil
    }
}

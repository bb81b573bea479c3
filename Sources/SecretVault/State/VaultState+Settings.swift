internal import AccessPolicy
internal import DeviceModel
internal import SodiumKit

// The settings of the owner. Any program of the user can change their clear copy, so each time the root or the key derived
// from it is open, they are compared with the copy under that key.

extension VaultState {
    /// True if the settings in the keybag are those that were checked last.
    var hasCheckedSettings: Bool { checked == bag.owner }

    /// True if an audit record has to be on the disk before the caller gets an answer: the stricter of what the keybag says
    /// and what was checked last.
    var isAuditDurable: Bool { bag.isAuditDurable || checked?.isAuditDurable == true }

    /// Shows other threads whether the settings are checked.
    func showSettings() { ring.show(checked: hasCheckedSettings ? bag.settings : nil) }

    /// Checks the settings before another authenticator is asked, which they may name. If the passcode opens nothing, they
    /// stay unchecked. Returns true if they are checked.
    mutating func checkSettings(for stretched: borrowing Stretched) throws -> Bool {
        try lockedAndRefreshed { vault in
            let (bag, store) = (vault.bag, vault.store)
            if !stretched.isOf(bag) { return vault.hasCheckedSettings }
            let root = try bag.root(stretched.key, store.fixed)
            if try Gates.lend(root, { try vault.checkSettings(with: $0) }) != nil { return true }
            let former = try bag.formerRoot(stretched.key, at: vault.device.now, store.fixed)
            return try Gates.lend(former) { try vault.checkSettings(with: $0) } != nil || vault.hasCheckedSettings
        }
    }

    /// Compares the settings with their copy under a key of the root, which has just been opened.
    ///
    /// If another program has changed them, the vault puts the owner's back, records it, and closes. If it has changed the
    /// copy too, they cannot be put back, and nothing is opened.
    ///
    /// Each root is compared, also after another one was: a program can write roots of its own beside the owner's. A
    /// comparison `counts` if the passcode has opened the root, or if there is none, and if the root opens the keys of the
    /// vault.
    ///
    /// - Throws: ``VaultError/settingsChanged(_:)`` or ``VaultError/damaged(_:)``.
    mutating func checkSettings(with root: borrowing Key, counts: Bool = true) throws {
        let key = try Keybag.settingsKey(root)
        let mark = try Keybag.mark(ofSettingsKey: key)
        let last = mark == checkedUnder ? checked : nil
        switch try bag.settingsVerdict(under: key, since: last, vaultID: store.keys.vaultID) {
        case .genuine:
            guard counts else { return }
            _ = try bag.openGateKey(root)
            (checked, checkedUnder) = (bag.owner, mark)
        case .changed(let owner): throw try putBackSettings(owner, under: key)
        case .unknown:
            audit.add(.event, Self.changedWord, hour: device.now.milliseconds)
            try withdrawPending()
            throw VaultError.damaged(.settings)
        }
    }

    /// The word of the audit log for settings that a program has changed.
    private static let changedWord = "settings, changed without the passcode"

    /// Compares the settings of a keybag that another program has written with their copy, if the key for it is open. If
    /// they are not the owner's, the vault closes: the next passcode puts them back.
    mutating func checkAdoptedSettings() throws {
        if hasCheckedSettings { return }
        let (bag, last, id) = (bag, checked, store.keys.vaultID)
        let verdict: SettingsVerdict? = try ring.read { contents in
            try Gates.lend(contents.keys.settings) { try bag.settingsVerdict(under: $0, since: last, vaultID: id) }
        }
        switch verdict {
        case nil: break
        case .genuine: checked = bag.owner
        case .changed(let owner):
            audit.add(.event, Self.changedWord, hour: device.now.milliseconds)
            throw VaultError.settingsChanged(SettingsChange(found: bag.owner, owner: owner))
        case .unknown:
            audit.add(.event, Self.changedWord, hour: device.now.milliseconds)
            throw VaultError.damaged(.settings)
        }
    }

    /// Puts the owner's settings back, and closes the vault: this process may have used the others. Returns the error that
    /// says so.
    private mutating func putBackSettings(_ owner: OwnerSettings, under key: borrowing Key) throws -> any Error {
        let change = SettingsChange(found: bag.owner, owner: owner)
        audit.add(.event, Self.changedWord, hour: device.now.milliseconds)
        let copy = try key.copy()
        try recording { vault in
            try vault.transaction(lasting: true) { vault in
                var (bag, device) = (vault.bag, vault.device)
                bag.owner = owner
                bag.settingsPutBack = max(1, device.now.milliseconds)
                // The passcode was right, and opens nothing this time.
                bag.attempts.pending = nil
                try bag.sealSettings(under: copy, after: owner.number, vaultID: vault.store.keys.vaultID)
                device.settings = owner.device
                try vault.commit(bag, device, destroying: false)
            }
        }
        return failClosed(VaultError.settingsChanged(change))
    }

    /// Removes the recorded attempt, which does not count.
    mutating func withdrawPending() throws {
        guard bag.attempts.pending != nil else { return }
        try recording { try $0.amendKeybag { $0.attempts.pending = nil } }
    }

    /// Changes settings of the owner, and seals them anew. The owner has just typed the passcode.
    ///
    /// - Throws: ``VaultError/eventNeedsAuthentication`` if the key for them is not open, or if they are not checked.
    mutating func changeSettings(_ device: Device? = nil, _ change: (inout Keybag) -> Void) throws {
        guard hasCheckedSettings, let last = checked?.number else { throw VaultError.eventNeedsAuthentication }
        var bag = bag
        change(&bag)
        bag.settingsPutBack = 0
        let next = device ?? self.device
        bag.device.settings = next.settings
        let isSealed: Void? = try ring.read { contents in
            try Gates.lend(contents.keys.settings) {
                try bag.sealSettings(under: $0, after: last, vaultID: store.keys.vaultID)
            }
        }
        guard isSealed != nil else { throw ring.missing(.eventNeedsAuthentication) }
        try commit(bag, next, destroying: false)
        checked = self.bag.owner
    }
}

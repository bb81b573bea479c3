package import AccessPolicy
package import DeviceModel

/// The trust that a device has in its account, in the words of the model.
struct LiveTrust: LiveValue {
    let trust: Account.Trust

    static var shape: LiveShape { .word(Account.Trust.allCases.map { $0.name }) }
    var json: String { trust.name.json }
}

extension LiveAccount {
    /// Creates the account as it is now.
    ///
    /// - Parameters:
    ///   - devices: The name of each device, with its number in the account; nil if it was never signed in.
    ///   - itemCount: The number of items that the account keeps.
    ///   - waits: Returns true if items wait on a device for an unlock.
    package init(
        _ account: Account, _ devices: [(name: String, number: AccountDeviceID?)], itemCount: Int,
        waits: (AccountDeviceID) -> Bool
    ) {
        self.init(
            hasCircle: account.hasCircle, hasRecoveryKey: account.hasRecoveryKey, itemCount: itemCount,
            members: devices.map { name, number in
                let member = number.flatMap { account[$0] }
                return LiveMember(
                    title: name, trust: LiveTrust(trust: number.map { account.trust(of: $0) } ?? .noAccount),
                    isSignedIn: member?.isSignedIn ?? false, isOnList: member?.isOnList ?? false,
                    isOffline: member?.isOffline ?? false, syncsPasswords: member?.syncsPasswords ?? false,
                    hasWaitingItems: number.map { waits($0) } ?? false,
                    escrowTries: number.flatMap { account.escrow(of: $0) }.map { Int($0.triesLeft) })
            })
    }
}

extension LiveMovement {
    /// Creates a movement by this rule at the device with this name.
    package init(of item: String?, at device: String, by rule: SyncRule) {
        let facts = rule.facts
        self.init(
            device: device, item: item, moved: facts.effect == .allows, rule: LiveRule(facts),
            remedy: facts.remedy == .nothing ? nil : facts.remedy.text)
    }
}

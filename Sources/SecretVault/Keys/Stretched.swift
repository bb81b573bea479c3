internal import SodiumKit

/// A passcode stretched with the salt and cost that the keybag had at that moment.
struct Stretched: ~Copyable {
    let key: Key
    private let cost: StretchCost
    private let salt: [UInt8]

    init(_ passcode: borrowing SecureBytes, _ cost: StretchCost, salt: [UInt8]) throws(SodiumError) {
        key = try cost.stretch(passcode, salt: salt)
        self.cost = cost
        self.salt = salt
    }

    init(_ passcode: borrowing SecureBytes, _ bag: Keybag) throws(SodiumError) {
        try self.init(passcode, bag.cost, salt: bag.salt)
    }

    /// Returns true if the keybag still has the same salt and cost.
    func isOf(_ bag: Keybag) -> Bool { cost == bag.cost && salt == bag.salt }
}

extension SecureBytes {
    /// Throws if a passcode has a wrong length.
    func requirePasscodeLength() throws(VaultError) {
        guard canBePasscode else { throw .passcodeLength(count) }
    }
}

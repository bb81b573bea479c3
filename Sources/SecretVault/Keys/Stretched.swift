internal import SodiumKit

/// A passcode, stretched as the keybag of that moment says.
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

    /// Returns true if this is how the keybag still says it.
    func isOf(_ bag: Keybag) -> Bool { cost == bag.cost && salt == bag.salt }
}

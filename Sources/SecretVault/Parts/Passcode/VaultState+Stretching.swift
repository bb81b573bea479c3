internal import DeviceModel
internal import SodiumKit

extension VaultState {
    /// Returns the key of a passcode that was stretched before, or stretches it anew if the keybag has another salt or cost
    /// since.
    func stretch(_ passcode: borrowing SecureBytes, _ stretched: borrowing Stretched) throws -> Key {
        stretched.isOf(bag) ? try stretched.key.copy() : try Stretched(passcode, bag).key.copy()
    }

    /// A number for a passcode that differs from the present one.
    var otherPasscode: Passcode {
        device.passcode == PasscodeAttempts.first ? PasscodeAttempts.number(1) : PasscodeAttempts.first
    }
}

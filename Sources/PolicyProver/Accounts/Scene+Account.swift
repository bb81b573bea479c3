internal import DeviceModel

extension Scene {
    /// Signs the device in to an account of its owner, in which it and the owner's other device trust each other. The
    /// synchronizable items that may leave the device are on both.
    ///
    /// A proof about such a scene assumes that devices which are not at hand stay as they are: signed in, with a network, and
    /// unlocked now and then, so that everything arrives.
    ///
    /// - Parameters:
    ///   - hasOtherDevice: True if the owner has another device.
    ///   - otherHasPasscode: True if that device has a passcode.
    public mutating func joinAccount(hasOtherDevice: Bool = true, otherHasPasscode: Bool = true) {
        circles = Circles(
            handHasPasscode: world.device.passcode != nil, otherHasPasscode: hasOtherDevice ? otherHasPasscode : nil)
    }

    /// True if the device is signed in to an account.
    public var hasAccount: Bool { circles != nil }
}

internal import DeviceModel
internal import Latchkey

/// A device that has a folder of its own.
package protocol FileOwner: AnyObject, Sendable {
    /// The folder of the device.
    var protectedFolder: ProtectedFolder { get }
}

extension ProtectedFolder {
    /// The folder of the device that this code runs on; nil if it runs on none, or on one without a folder.
    public static var current: ProtectedFolder? { currentOwner?.protectedFolder }

    /// The device that this code runs on; nil if it runs on none, or on one without a folder.
    package static var currentOwner: (any FileOwner)? { CurrentKeychain.known?.owner as? any FileOwner }

    /// True if the device that this code runs on can open files of the classes that a lock closes. A call outside of any
    /// device counts as one that has none, as calls of the keychain do.
    public static var isProtectedDataAvailable: Bool {
        guard let current = try? CurrentKeychain.of(call: "isProtectedDataAvailable") else { return true }
        return (try? current.keychain.device)?.isProtectedDataAvailable ?? false
    }
}

internal import AccessPolicy
package import DeviceModel
package import PolicyProver

extension Scene {
    /// Creates `device` with one item under each policy.
    ///
    /// - Throws: `StoringError` if the device cannot store one of the items.
    package init(_ policies: MatrixPolicy..., on device: MatrixDevice) throws(StoringError) {
        try self.init(device, storing: policies.map(\.item))
    }

    /// Creates `device` with one file of the app.
    ///
    /// - Throws: `StoringError` if the device cannot be set up.
    package init(_ file: FileSlot, on device: MatrixDevice) throws(StoringError) {
        try self.init(device, storing: [], files: [file])
    }

    private init(
        _ device: MatrixDevice, storing items: [Item], files: [FileSlot] = []
    ) throws(StoringError) {
        try self.init(
            device.settings, hasPasscode: device.isSetUp, fingers: device.fingers, companion: device.companion,
            apps: device.apps, storing: items, files: files)
        if device.hasAccount { joinAccount(otherHasPasscode: device.otherHasPasscode) }
    }
}

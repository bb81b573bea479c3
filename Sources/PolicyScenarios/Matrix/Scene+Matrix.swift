internal import AccessPolicy
package import DeviceModel
package import PolicyProver

extension Scene {
    /// Creates a device of the tables with one item under each policy.
    ///
    /// - Throws: `StoringError` if the device cannot store one of the items.
    package init(_ policies: MatrixPolicy..., on device: MatrixDevice) throws(StoringError) {
        try self.init(
            device.settings, hasPasscode: device.isSetUp, fingers: device.isSetUp ? 1 : 0,
            storing: policies.map(\.item))
    }

    /// Creates a device of the tables with one file of the app.
    ///
    /// - Throws: `StoringError` if the device cannot be set up.
    package init(_ file: FileSlot, on device: MatrixDevice) throws(StoringError) {
        try self.init(
            device.settings, hasPasscode: device.isSetUp, fingers: device.isSetUp ? 1 : 0, storing: [], files: [file])
    }
}

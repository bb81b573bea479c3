public import AccessPolicy
public import DeviceModel

/// A device as its owner leaves it, with the items and the files stored on it. Every search begins with a scene.
///
/// ```swift
/// let token = try AccessControl(protection: .whenUnlockedThisDeviceOnly, flags: .biometryCurrentSet)
/// let scene = try Scene(DeviceSettings(sensor: .faceID), storing: [Item(token)])
/// ```
public struct Scene: Hashable, Sendable {
    /// The device, unlocked, and the items stored on it.
    public internal(set) var world: World
    /// The slots of the items, in the order in which they were passed.
    public internal(set) var items: [SlotID] = []
    /// The files of the app, in the order in which they were passed.
    public var files: FileSlots { world.files }
    /// The fingers that are enrolled at the beginning.
    let enrolled: Fingers
    /// The greatest age at which an unlock by biometry counts as biometry for the app, as its
    /// `touchIDAuthenticationAllowableReuseDuration` says.
    public var reuse = TimeSpan.zero

    /// The application password under which items are stored.
    package static let applicationPassword: UInt8 = 1
    /// The scene on a device with Stolen Device Protection on.
    package var underTheftProtection: Scene {
        var scene = self
        scene.world.device = world.device.underTheftProtection
        return scene
    }

    /// The greatest number of the owner's fingers that a scene tells apart.
    public static let mostFingers = 5

    /// Creates a device that its owner has set up, and stores `items` on it.
    ///
    /// - Parameters:
    ///   - settings: The settings of the device.
    ///   - hasPasscode: True if the owner has set a passcode.
    ///   - fingers: The number of the owner's enrolled fingers, at most ``mostFingers`` and at most what the sensor has
    ///     room for.
    ///   - hasCompanion: True if the owner wears a paired companion, near and unlocked.
    ///   - items: The items, at most eight.
    ///   - files: The files of the app, at most eight.
    /// - Throws: `StoringError` if the device cannot store one of the items, for example one that needs a passcode when
    ///   none is set.
    public init(
        _ settings: DeviceSettings = DeviceSettings(), hasPasscode: Bool = true, fingers: Int = 1,
        hasCompanion: Bool = true,
        storing items: [Item], files: [FileSlot] = []
    ) throws(StoringError) {
        try self.init(
            settings, hasPasscode: hasPasscode, fingers: fingers, companion: hasCompanion ? .ready : .notPaired,
            app: App(), storing: items, files: files)
    }

    /// Creates a device with a companion in the given state, and stores `items` on it through `app`.
    ///
    /// - Throws: `StoringError` if the device cannot store one of the items.
    public init(
        _ settings: DeviceSettings, hasPasscode: Bool, fingers: Int, companion: CompanionState, app: App,
        storing items: [Item], files: [FileSlot] = []
    ) throws(StoringError) {
        var world = World(Device(settings))
        world.apply(.appInstalled(.first, app))
        if hasPasscode { world.apply(.passcodeSet(.owners)) }
        for number in 0..<UInt8(max(0, min(fingers, Self.mostFingers))) { world.apply(.enrolled(.numbered(number))) }
        if companion != .notPaired { world.apply(.companionPaired) }
        if companion == .locked || companion == .ready { world.apply(.companionNear) }
        if companion == .ready { world.apply(.companionUnlocked) }
        if let group = AccessGroup(rawValue: 1) { world.apply(.appInstalled(.other, App(groups: [group]))) }
        var places: [SlotID] = []
        for item in items {
            places.append(
                try world.store(
                    item, applicationPassword: item.control.needsApplicationPassword ? Self.applicationPassword : 0))
        }
        for file in files { try world.addFile(file) }
        self.world = world
        self.items = places
        enrolled = world.device.enrolled
    }

    /// Returns true if the item at this index is a private key.
    package func isKey(_ item: Int) -> Bool { world[items[item]]?.item.isKey == true }

    /// Makes a backup of the device, as the owner's computer does. The owner can later restore items from it.
    public mutating func backUp(encrypted: Bool = true) { world.apply(.backupTaken(encrypted: encrypted)) }
}

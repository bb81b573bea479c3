public import AccessPolicy
public import DeviceModel

/// A device as its owner leaves it, with what is stored on it: where every search begins.
public struct Scene: Hashable, Sendable {
    /// The device, unlocked, and what is stored on it.
    public internal(set) var world: World
    /// Where the items are, in the order in which they were named.
    public internal(set) var items: [SlotID] = []
    /// Who was enrolled when they were stored.
    let enrolled: Fingers
    /// How old an unlock by biometry may be to count as biometry for the app that asks (`touchIDAuthenticationAllowableReuseDuration`).
    public var reuse = TimeSpan.zero

    /// The application password that items are stored under.
    static let applicationPassword: UInt8 = 1
    /// Returns the scene on a device with Stolen Device Protection on.
    package var underTheftProtection: Scene {
        var scene = self
        scene.world.device = world.device.underTheftProtection
        return scene
    }

    /// How many fingers a scene tells apart as the owner's.
    public static let mostFingers = 5

    /// A device made like this, set up by its owner with a passcode, so many fingers and a companion, on which `items` are stored.
    ///
    /// A sensor has room for at most so many. Fails where an item cannot be stored.
    public init(
        _ settings: DeviceSettings = DeviceSettings(), hasPasscode: Bool = true, fingers: Int = 1,
        hasCompanion: Bool = true,
        storing items: [Item]
    ) throws(StoringError) {
        try self.init(
            settings, hasPasscode: hasPasscode, fingers: fingers, companion: hasCompanion ? .ready : .notPaired,
            app: App(), storing: items)
    }

    /// The same with a companion that is there, and with `app` for the app that asks for the items.
    public init(
        _ settings: DeviceSettings, hasPasscode: Bool, fingers: Int, companion: CompanionState, app: App,
        storing items: [Item]
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
        self.world = world
        self.items = places
        enrolled = world.device.enrolled
    }

    /// Returns true if the item in this place is a private key.
    package func isKey(_ item: Int) -> Bool { world[items[item]]?.item.isKey == true }

    /// Makes a backup of the device, as the owner's computer does: what is lost later the owner can bring back from it.
    public mutating func backUp(encrypted: Bool = true) { world.apply(.backupTaken(encrypted: encrypted)) }
}

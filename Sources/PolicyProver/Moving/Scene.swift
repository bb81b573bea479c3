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
    /// The apps that can ask for the items, each once: the one that stored them, and those of its access group that
    /// behave differently.
    public internal(set) var apps: [AppID] = [.first]
    /// The names of the apps that a search asks through, those that behave the same included.
    public private(set) var appNames: [String] = []
    /// For each of these names, the app of ``apps`` that stands for it.
    private var stands: [AppID] = []
    /// The files of the app, in the order in which they were passed.
    public var files: FileSlots { world.files }
    /// The fingers that are enrolled at the beginning.
    let enrolled: Fingers
    /// The greatest age at which an unlock by biometry counts as biometry for the app, as its
    /// `touchIDAuthenticationAllowableReuseDuration` says.
    public var reuse = TimeSpan.zero

    /// The application password under which items are stored.
    package static let applicationPassword: UInt8 = 1
    /// The forms of the account that the device is signed in to; nil if there is none.
    var circles: Circles?
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
            apps: [NamedApp()], storing: items, files: files)
    }

    /// Creates a device with a companion in the given state, and stores `items` on it through the first of `apps`. The
    /// others share its access group, so that every person can ask for the items through each of them.
    ///
    /// - Throws: `StoringError` if the device cannot store one of the items.
    public init(
        _ settings: DeviceSettings, hasPasscode: Bool, fingers: Int, companion: CompanionState, apps: [NamedApp],
        storing items: [Item], files: [FileSlot] = []
    ) throws(StoringError) {
        var world = World(Device(settings))
        let kinds = apps.map { $0.app.asSeen(by: settings.sensor) }
        for (place, app) in apps.enumerated() {
            appNames.append(app.name)
            if place == 0 {
                world.apply(.appInstalled(.first, app.app))
                stands.append(.first)
            } else if let same = kinds.firstIndex(of: kinds[place]), same < place {
                stands.append(stands[same])
            } else {
                // The number after the first belongs to the app of another group.
                let id = AppID.numbered(UInt8(self.apps.count + 1))
                world.apply(.appInstalled(id, app.app))
                self.apps.append(id)
                stands.append(id)
            }
        }
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

    /// Returns the name of an app, or nil if the scene has no two apps to tell apart.
    package func name(of app: AppID) -> String? {
        if apps.count < 2 { return nil }
        return stands.firstIndex(of: app).map { appNames[$0] }
    }

    /// Returns the place among ``appNames`` of the first app that `app` stands for, or nil for the app of another group.
    package func place(of app: AppID) -> Int? { stands.firstIndex(of: app) }

    /// Returns true if the item at this index is a private key.
    package func isKey(_ item: Int) -> Bool { world[items[item]]?.item.isKey == true }

    /// Makes a backup of the device, as the owner's computer does. The owner can later restore items from it.
    public mutating func backUp(encrypted: Bool = true) { world.apply(.backupTaken(encrypted: encrypted)) }
}

/// An app of the items' access group, with its name in reports.
public struct NamedApp: Hashable, Sendable {
    /// The name.
    public var name: String
    /// The app.
    public var app: App

    /// Creates an app, by default one that may use biometry.
    public init(_ name: String = "app", _ app: App = App()) {
        self.name = name
        self.app = app
    }
}

extension App {
    /// Returns the app as far as a sensor of this kind tells apps apart.
    package func asSeen(by sensor: SensorKind) -> App {
        if !sensor.needsPermission { return App(groups: groups) }
        return declaresUsage ? self : App(groups: groups, declaresUsage: false)
    }
}

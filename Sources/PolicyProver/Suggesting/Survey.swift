public import AccessPolicy
public import DeviceModel

/// Many items on devices with the same settings, in scenes of as many items as one search has room for.
public struct Survey: Sendable {
    /// The items that the device can store.
    public let items: [Item]
    /// The scenes of these items, in the same order.
    public let scenes: [Scene]

    /// Sorts out the items of `all` that a device with these settings can store, and divides them into scenes of `size`
    /// items.
    ///
    /// If `isSetUp` is false, the owner has set no passcode, enrolled no finger and paired no watch.
    public init(
        _ settings: DeviceSettings = DeviceSettings(), isSetUp: Bool = true, of all: [Item],
        at size: Int = SlotID.capacity
    ) {
        func scene(_ items: some Sequence<Item>) throws(StoringError) -> Scene {
            try Scene(
                settings, hasPasscode: isSetUp, fingers: isSetUp ? 1 : 0, hasCompanion: isSetUp, storing: Array(items))
        }
        var items: [Item] = []
        for item in all {
            do throws(StoringError) {
                _ = try scene([item])
                items.append(item)
            } catch {}
        }
        var scenes: [Scene] = []
        for start in stride(from: 0, to: items.count, by: max(1, min(size, SlotID.capacity))) {
            do throws(StoringError) { scenes.append(try scene(items[start..<min(start + size, items.count)])) } catch {
                preconditionFailure("what can be stored alone can be stored beside others: \(error)")
            }
        }
        self.items = items
        self.scenes = scenes
    }
}

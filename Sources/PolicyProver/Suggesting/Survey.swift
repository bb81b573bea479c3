public import AccessPolicy
public import DeviceModel

/// Many items on the same kind of device, in scenes of as many as one search has room for.
public struct Survey: Sendable {
    /// The items that can be stored there.
    public let items: [Item]
    /// The scenes that they are in, in the same order.
    public let scenes: [Scene]

    /// The scenes of `all` that can be stored on a device that is made like this, so many of them in each. Its owner has set a passcode
    /// and is enrolled, or not.
    public init(
        _ settings: DeviceSettings = DeviceSettings(), isSetUp: Bool = true, of all: [Item],
        at size: Int = SlotID.capacity
    ) {
        func scene(_ items: some Sequence<Item>) throws(StoringError) -> Scene {
            try Scene(settings, hasPasscode: isSetUp, fingers: isSetUp ? 1 : 0, storing: Array(items))
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

import AccessPolicy
import DeviceModel
import Testing

/// The records of an account, for what no simulated device leads to: it stores what waits as soon as it is unlocked.
@Suite struct CloudTests {
    private let slot = SlotID(rawValue: 0)!
    private let ids = (0..<2).map { AccountDeviceID(rawValue: $0)! }

    private func device() throws -> SyncingWorld {
        var world = World(Device(DeviceSettings(sensor: .touchID, lockGrace: .zero)))
        _ = try world.addSlot(for: Item(AccessControl(.whenUnlocked), isSynchronizable: true))
        world.apply(.passcodeSet(Passcode(rawValue: 1)!))
        return SyncingWorld(world)
    }

    @Test func aChangeDropsTheCopyThatWaits() throws {
        var cloud = Cloud<SyncingWorld>()
        var (phone, pad) = (try device(), try device())
        func add(_ action: Action, _ device: inout SyncingWorld, _ secret: UInt32) {
            #expect(device.perform(Call(action, slot, by: Person()), secret: secret).decision.isGranted)
        }
        let standing = SyncStanding()
        for id in ids { _ = cloud.fetch(to: id, &phone, standing) }
        add(.add, &phone, 1)
        #expect(cloud.send(from: ids[0], &phone, standing).map(\.rule) == [.sent])
        #expect(cloud.fetch(to: ids[1], &pad, standing).map(\.rule) == [.arrived])
        add(.update, &phone, 2)
        _ = cloud.send(from: ids[0], &phone, standing)
        pad.apply(.lock)
        #expect(cloud.fetch(to: ids[1], &pad, standing).map(\.rule) == [.waitsForUnlock] && cloud.waits(on: ids[1]))
        pad.apply(.passcodeEntered(Passcode(rawValue: 1)!))
        add(.update, &pad, 3)
        #expect(cloud.send(from: ids[1], &pad, standing).map(\.rule) == [.waitingDropped, .sent])
        #expect(cloud.fetch(to: ids[0], &phone, standing).map(\.rule) == [.arrived])
        #expect(phone.secret(in: slot) == 3 && pad.secret(in: slot) == 3 && !cloud.waits(on: ids[1]))
    }
}

import AccessPolicy
import DeviceModel
import Testing

@testable import PolicyProver

@Suite struct SearchTests {
    @Test(arguments: Profile.all) func sizes(_ profile: Profile) throws {
        let controls: [AccessControlFlags] = [[], .userPresence, .biometryAny, .biometryCurrentSet, .devicePasscode, .companion, [.biometryCurrentSet, .or, .devicePasscode], [.biometryCurrentSet, .devicePasscode]]
        let items = try controls.map { Item(try AccessControl(protection: .whenUnlockedThisDeviceOnly, flags: $0)) }
        let scene = try Scene(storing: items)
        var facts = Facts()
        for place in items.indices { facts.formUnion(Facts(Aim.allCases, of: place)) }
        let clock = ContinuousClock()
        var search = Search(scene, profile, for: facts)
        let time = clock.measure { search.run() }
        print(profile.name, "worlds", search.found.count, "depth", search.depth, "generated", search.generated, search.end!, time, "ns per generated", Int(Double(time.components.attoseconds)/1e9) / max(1, search.generated), "bytes", search.found.bytes / search.found.count, MemoryLayout<World>.size)
        var facts2 = Facts()
        facts2 = Facts([.read], of: 3)
        var search2 = Search(scene, profile, for: facts2)
        let time2 = clock.measure { search2.run() }
        print(profile.name, "  read cur worlds", search2.found.count, "depth", search2.depth, "generated", search2.generated, search2.end!, time2, "ns per generated", Int(Double(time2.components.attoseconds)/1e9) / max(1, search2.generated))
    }
}

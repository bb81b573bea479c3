import AccessPolicy
import DeviceModel
import SecretVault
import SodiumKit
import TestSupport
import Testing

/// The names of keys are correct: a wrap opens if and only if its way was authenticated and the keybag holds the keys
/// that it names.
@Suite struct KeyNamesTests {
    private typealias Step = DecisionIsDecryptionTests.Step
    private typealias Scene = DecisionIsDecryptionTests.Scene

    /// Histories of a device. After each, every factor can be authenticated again on the unlocked device.
    private static let histories: [(name: String, events: [Step])] = [
        ("nothing", []),
        ("a finger more", [.event(.enrolled(Cast.thumb))]),
        ("a finger more and less", [.event(.enrolled(Cast.thumb)), .event(.removed(Cast.thumb))]),
        ("another sensor, enrolled", [.event(.biometryReset), .event(.enrolled(Cast.index))]),
        ("another passcode", [.changePasscode]),
        ("no passcode, and one again", [.removePasscode, .setPasscode]),
        ("restarted, and unlocked", [.event(.reboot), .passcode]),
    ]

    @Test func aWrapOpensIfAndOnlyIfWhatItNeedsIsThere() throws {
        var (opened, closed) = (0, 0)
        for history in Self.histories {
            var scene = try Scene(Fidelity())
            for step in history.events { try scene.perform(step) }
            let contents = try scene.vault.keybagContents()
            for factors in (0..<8 as Range<UInt8>).map({ FactorSet(bits: $0) }) {
                let context = try scene.context(factors)
                try context.setApplicationPassword(Cast.bytes("opensesame"))
                let authenticated = factors.union([.applicationPassword])
                for item in scene.items where try item.control.isProtected && !item.isLost(on: scene.vault) {
                    let needs = try #require(try scene.vault.wrapNeeds(of: item.reference))
                    let isThere = needs.contains { need in
                        need.way.isSubset(of: authenticated) && contents.classKeys.contains(need.classKey)
                            && need.gates.allSatisfy(contents.gates.contains)
                    }
                    let opens = try scene.vault.opensByForce(item.reference, in: context)
                    #expect(opens == isThere, "\(history.name): \(item.control) by \(factors) needs \(needs)")
                    if opens { opened += 1 } else { closed += 1 }
                }
            }
        }
        #expect(opened > 1000 && closed > 1000, "\(opened) opened, \(closed) did not: the comparison shows little")
    }

    @Test func gatesAndWrapsHaveTheirNames() throws {
        let vault = try Cast.vault()
        for event in [Event.companionPaired, .companionNear, .companionUnlocked] { try vault.apply(event) }
        let demands: [(AccessControlFlags, [[String]])] = [
            (.biometryAny, [["sensor 1"]]), (.biometryCurrentSet, [["domain state 1.2"]]),
            (.userPresence, [["presence"], []]), (.devicePasscode, [[]]), (.companion, [["companion"]]),
            ([.biometryCurrentSet, .and, .companion], [["domain state 1.2", "companion"]]),
            ([.biometryCurrentSet, .applicationPassword], [["domain state 1.2"]]),
        ]
        let context = try vault.makeContext()
        try context.setApplicationPassword(Cast.bytes("opensesame"))
        for (place, (flags, gates)) in demands.enumerated() {
            let control = try Cast.control(flags, .whenPasscodeSetThisDeviceOnly)
            try #require(try vault.adding(Cast.item("\(place)", control), "secret", in: context) == "granted")
            let needs = try #require(try vault.wrapNeeds(of: Cast.key("\(place)")))
            #expect(needs.map(\.gates) == gates, "\(control)")
            #expect(needs.allSatisfy { $0.classKey == "whenPasscodeSet 1" })
        }
        try vault.adding(Cast.item("plain"), "secret")
        #expect(try vault.wrapNeeds(of: Cast.key("plain")) == [])
        #expect(try vault.wrapNeeds(of: Cast.key("nowhere")) == nil)
        #expect(try vault.keybagContents().gates == ["presence", "companion", "sensor 1", "domain state 1.2"])
        try vault.apply(.enrolled(Cast.thumb))
        #expect(try vault.keybagContents().gates == ["presence", "companion", "sensor 1", "domain state 1.3"])
    }

    @Test func whatADatabaseHoldsIsSeenWithTheDeviceFileOfItsTimeAlone() throws {
        let folder = try TemporaryFolder()
        let path = folder.path("vault")
        let vault = try Vault.create(at: path, .simulated(), passcode: Cast.bytes("1234")).vault
        try vault.apply(.enrolled(Cast.index))
        let (then, contents) = (try VaultFiles(in: path), try vault.keybagContents())
        try vault.apply(.enrolled(Cast.thumb))
        let (now, present) = (try VaultFiles(in: path), try vault.keybagContents())
        #expect(contents != present)
        var mixed = then
        mixed.device = now.device
        for (name, files, seen) in [("then", then, contents), ("now", now, present), ("mixed", mixed, nil)] {
            let place = folder.path(name)
            try files.write(to: place)
            let probe = try KeybagProbe(deviceFile: place + "/device")
            #expect(try probe.contents(ofDatabaseAt: place + "/vault.db") == seen, "\(name)")
            #expect(try VaultFiles(in: place).database == files.database, "looking has changed the database")
        }
        vault.close()
    }
}

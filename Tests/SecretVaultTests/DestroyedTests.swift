import AccessPolicy
import DeviceModel
import SecretVault
import SodiumKit
import TestSupport
import Testing

/// Law "destroyed stays destroyed": after an event that destroys keys, no earlier copy of the database opens with the
/// later device file, not even for an attacker who knows the passcode, neither through the vault nor without it.
@Suite struct DestroyedTests {
    /// An event that destroys keys.
    enum Destroying: String, CaseIterable, CustomTestStringConvertible {
        case enrollment, removal, sensorReset, passcodeChange, passcodeRemoval, passcodeSet, erasing, rekeying

        var testDescription: String { rawValue }

        /// The passcode before the event; nil if there is none.
        var passcode: String? { self == .passcodeSet ? nil : Specimen.passcode }

        func happen(to vault: Vault) throws {
            switch self {
            case .enrollment: try happened(vault.apply(.enrolled(Cast.thumb)))
            case .removal: try happened(vault.apply(.removed(Cast.index)))
            case .sensorReset: try happened(vault.apply(.biometryReset))
            case .passcodeChange:
                try happened(vault.changePasscode(from: Cast.bytes(Specimen.passcode), to: Cast.bytes("5678")))
            case .passcodeRemoval: try happened(vault.removePasscode(Cast.bytes(Specimen.passcode)))
            case .passcodeSet: try happened(vault.setPasscode(Cast.bytes(Specimen.passcode)))
            case .erasing: try happened(vault.apply(.erase))
            case .rekeying: try happened(vault.rekey(Cast.bytes(Specimen.passcode)).effects)
            }
        }

        private func happened(_ effects: Effects) throws {
            try #require(effects.refusal == nil && !effects.contains(.rejected(.passcode)), "\(Array(effects))")
        }
    }

    /// The files of a vault at moments before an event, and after it.
    private struct History {
        let bench: Specimen.Bench
        var before: [VaultFiles] = []
        /// The files while the vault is still open, so that they include the log.
        let open: VaultFiles
        let closed: VaultFiles

        init(_ event: Destroying) throws {
            bench = try Specimen.Bench()
            let path = bench.path
            do {
                let passcode = event.passcode
                let vault: Vault
                if let passcode {
                    vault = try Vault.create(at: path, .simulated(), passcode: Cast.bytes(passcode)).vault
                    try vault.apply(.enrolled(Cast.index))
                } else {
                    vault = try Vault.create(at: path, .simulated()).vault
                }
                try vault.adding(Cast.item("plain"), "plain secret")
                before.append(try VaultFiles(in: path))
                vault.close()
            }
            before.append(try VaultFiles(in: path))
            do {
                let vault = try Vault.open(at: path)
                if let passcode = event.passcode { try vault.enter(passcode: Cast.bytes(passcode)) }
                try vault.adding(Cast.item("more"), "more")
                before.append(try VaultFiles(in: path))
                try event.happen(to: vault)
                open = try VaultFiles(in: path)
                vault.close()
            }
            closed = try VaultFiles(in: path)
        }

        /// Returns the generations of all keybags in the bytes of `copy` that the device file of `device` opens.
        func keybags(in copy: VaultFiles, with device: VaultFiles, of lengths: Set<Int>) throws -> Set<UInt64> {
            try device.write(to: bench.path)
            let probe = try KeybagProbe(deviceFile: bench.path + "/device")
            var found: Set<UInt64> = []
            for bytes in [copy.database, copy.log ?? []] {
                try bytes.withUnsafeBytes { bytes in
                    for start in bytes.indices.dropLast(8)
                    where bytes.loadUnaligned(fromByteOffset: start, as: UInt64.self) != 0 {
                        for length in lengths where start + length <= bytes.count {
                            let box = UnsafeRawBufferPointer(rebasing: bytes[start..<(start + length)])
                            if let generation = try probe.generation(of: box) { found.insert(generation) }
                        }
                    }
                }
            }
            return found
        }

        /// Returns the length and the generation of the keybag that SQLite finds.
        func present(in files: VaultFiles) throws -> (length: Int, generation: UInt64) {
            try files.write(to: bench.path)
            let database = try RawDatabase(bench.path + "/vault.db")
            let length = try #require(try database.numbers("SELECT length(keybag) FROM device").first)
            let generation = try #require(try database.numbers("SELECT generation FROM device").first)
            return (Int(length), UInt64(generation))
        }
    }

    @Test(arguments: Destroying.allCases)
    func noCopyFromBeforeOpensWithTheDeviceFileFromAfter(_ event: Destroying) throws {
        let history = try History(event)
        var lengths: Set<Int> = []
        for files in history.before + [history.open] { lengths.insert(try history.present(in: files).length) }

        for (number, old) in history.before.enumerated() {
            // The vault refuses the old database ...
            var mixed = old
            mixed.device = history.open.device
            #expect(try Specimen.outcome(of: mixed, on: history.bench) == .refused("olderCopy"), "copy \(number)")
            // ... and without the vault, nothing in it opens.
            let opened = try history.keybags(in: old, with: history.open, of: lengths)
            #expect(opened.isEmpty, "copy \(number) holds keybags \(opened) that open")
        }

        // Remnants in the log and in free pages are dead too; only the present keybag opens.
        let present = try history.present(in: history.open).generation
        #expect(try history.keybags(in: history.open, with: history.open, of: lengths) == [present])
        #expect(try history.keybags(in: history.closed, with: history.closed, of: lengths) == [present])

        // This is the stated limit, and it shows that the test can fail: an old copy of the device file opens an old
        // database.
        let old = try #require(history.before.last)
        let oldGeneration = try history.present(in: old).generation
        #expect(try history.keybags(in: old, with: old, of: lengths).contains(oldGeneration))
        #expect(try history.keybags(in: history.open, with: old, of: lengths).contains(oldGeneration))
        for old in history.before {
            try old.write(to: history.bench.path)
            let vault = try Vault.open(at: history.bench.path)
            if let passcode = event.passcode {
                #expect(try vault.enter(passcode: Cast.bytes(passcode)).authenticated(.passcode))
            }
            #expect(try vault.reading("plain") == "plain secret")
        }
    }

    @Test func theOldPasscodeOpensNothingAfterAChange() throws {
        let history = try History(.passcodeChange)
        try history.open.write(to: history.bench.path)
        let vault = try Vault.open(at: history.bench.path)
        #expect(try vault.enter(passcode: Cast.bytes(Specimen.passcode)).authenticated(.passcode) == false)
        #expect(try vault.reading("plain") == "class.before-first-unlock")
        #expect(try vault.enter(passcode: Cast.bytes("5678")).authenticated(.passcode))
        #expect(try vault.reading("plain") == "plain secret")
    }
}

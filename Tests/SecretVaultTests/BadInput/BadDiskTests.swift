import AccessPolicy
import DeviceModel
import Foundation
import Glibc
import SecretVault
import SodiumKit
import TestSupport
import Testing

/// Vaults on disks that are full or read-only.
@Suite(.needsMounting) struct BadDiskTests {
    @Test func aFullDiskChangesNothing() throws {
        let disk = try SmallDisk(kibibytes: 768)
        let path = disk.path + "/vault"
        let vault = try Vault.create(at: path, .simulated(), passcode: Cast.bytes("1234")).vault
        try vault.adding(Cast.item("mail"), "s3cret")
        try disk.fill(leaving: 24 * 1024)
        let large = try SecureBytes(count: 200_000)
        let error = try #require(
            try refusal { try vault.add(Cast.item("large"), secret: large.copy(), for: Cast.app) })
        #expect(error == .full(path + "/vault.db"))
        #expect(error.description.contains(path) && error.description.contains("free some"))
        #expect(try vault.reading("large") == "item.not-found")
        #expect(try vault.reading("mail") == "s3cret")
        #expect(try vault.verify().findings == [])
        try disk.free()
        #expect(try vault.add(Cast.item("large"), secret: large.copy(), for: Cast.app).isGranted)
        #expect(try vault.verify().items == 2)
        vault.close()
    }

    @Test(arguments: [0, 4, 8, 16, 24, 40, 64, 80, 96, 120, 160, 200])
    func creationOnAFullDiskLeavesNothingBehind(_ kibibytes: Int) throws {
        let disk = try SmallDisk(kibibytes: 768)
        try disk.fill(leaving: kibibytes * 1024)
        let path = disk.path + "/vault"
        let error = try refusal {
            let vault = try Vault.create(at: path, .simulated(), passcode: Cast.bytes("1234")).vault
            vault.close()
        }
        let left = try FileManager.default.contentsOfDirectory(atPath: disk.path).sorted()
        switch error {
        case .none: #expect(left == ["filler", "vault"])
        case .full(let named): #expect(named.hasPrefix(disk.path) && left == ["filler"], "\(named), \(left)")
        case .some(let other): Issue.record("\(kibibytes) KiB left: \(other), \(left)")
        }
    }

    @Test func aDiskThatIsReadOnlySaysSo() throws {
        let disk = try SmallDisk(kibibytes: 768)
        let path = disk.path + "/vault"
        do {
            let vault = try Vault.create(at: path, .simulated(), passcode: Cast.bytes("1234")).vault
            try vault.adding(Cast.item("mail"), "s3cret")
            vault.close()
        }
        try disk.remount(readOnly: true)
        let error = try #require(try refusal { try Vault.open(at: path) })
        guard case .readOnly(let named) = error else { throw error }
        #expect(named.hasPrefix(path))
        #expect(error.description.contains("mount its file system for writing"))
        let beside = disk.path + "/beside"
        #expect(
            try refusal { try Vault.create(at: beside, .simulated(), passcode: Cast.bytes("1234")) }
                == .readOnly(beside))
        try disk.remount(readOnly: false)
        let vault = try Vault.open(at: path)
        try vault.enter(passcode: Cast.bytes("1234"))
        #expect(try vault.reading("mail") == "s3cret")
        vault.close()
    }
}

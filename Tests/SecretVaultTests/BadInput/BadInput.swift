import AccessPolicy
import DeviceModel
import Foundation
import Glibc
import SecretVault
import SodiumKit
import TestSupport
import Testing

/// Returns the vault error that `body` throws; nil if it throws none.
func refusal<Result: ~Copyable>(_ body: () throws -> Result) throws -> VaultError? {
    do {
        _ = try body()
        return nil
    } catch let error as VaultError {
        return error
    }
}

/// A closed vault in a folder of its own, with one item.
struct ClosedVault {
    let folder: TemporaryFolder
    let path: String

    init() throws {
        folder = try TemporaryFolder()
        path = folder.path("vault")
        let vault = try Vault.create(at: path, .simulated(), passcode: Cast.bytes("1234")).vault
        try vault.adding(Cast.item("mail"), "s3cret")
        vault.close()
    }

    var files: [String] { ["vault.db", "device", "lock"].map { path + "/" + $0 } }

    func opening() throws -> VaultError? { try refusal { try Vault.open(at: path, patience: 50) } }

    /// Expects that the vault opens and is intact, after the fault was repaired.
    func expectSound() throws {
        let vault = try Vault.open(at: path)
        try vault.enter(passcode: Cast.bytes("1234"))
        #expect(try vault.reading("mail") == "s3cret")
        #expect(try vault.verify().findings == [])
        vault.close()
    }
}

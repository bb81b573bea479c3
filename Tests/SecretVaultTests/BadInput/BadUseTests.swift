import AccessPolicy
import DeviceModel
import Foundation
import Glibc
import SecretVault
import SodiumKit
import TestSupport
import Testing

/// Vaults that another program holds, secrets that are too large, and contexts of another vault.
@Suite struct BadUseTests {
    @Test func somebodyWhoWritesForTooLongIsWaitedForInVain() throws {
        let closed = try ClosedVault()
        let database = closed.path + "/vault.db"
        let vault = try Vault.open(at: closed.path, patience: 50)
        try vault.enter(passcode: Cast.bytes("1234"))
        do {
            let other = try RawDatabase(database)
            try other.run("BEGIN IMMEDIATE")
            let error = try #require(
                try refusal { try vault.add(Cast.item("more"), for: Cast.app) })
            #expect(error == .busy(database))
            #expect(error.description.contains(database) && error.description.contains("try again"))
            #expect(try vault.reading("mail") == "s3cret")  // reading needs no lock
            #expect(try closed.opening() == .busy(closed.path))
            try other.run("ROLLBACK")
        }
        let lock = open(closed.path + "/lock", O_RDWR | O_CLOEXEC)
        #expect(flock(lock, LOCK_EX) == 0)
        #expect(
            try refusal { try vault.add(Cast.item("more"), for: Cast.app) }
                == .busy(closed.path + "/lock"))
        #expect(try vault.reading("mail") == "s3cret")
        #expect(try closed.opening() == .busy(closed.path + "/lock"))
        close(lock)
        #expect(try vault.adding(Cast.item("more"), "more") == "granted")
        #expect(try vault.verify().findings == [])
        vault.close()
    }

    @Test func whatIsTooLargeIsRefused() throws {
        let vault = try Cast.vault()
        let limit = SecretSize.limit
        let secret = try SecureBytes(count: limit + 1)
        #expect(
            try refusal { try vault.add(Cast.item("large"), secret: secret.copy(), for: Cast.app) }
                == .secretTooLarge(limit + 1))
        var item = Cast.item("large")
        item.attributes["note"] = .data(Array(repeating: 1, count: Attributes.limit))
        let error = try #require(try refusal { try vault.add(item, for: Cast.app) })
        guard case .attributesTooLarge(let count) = error else { throw error }
        #expect(
            count > Attributes.limit && error.description.contains("1 MiB") && error.description.contains("\(count)"))
        #expect(VaultError.secretTooLarge(limit + 1).description.contains("64 MiB"))

        // A change cannot store them either.
        try vault.adding(Cast.item("large"), "small")
        #expect(
            try refusal { try vault.update(Cast.key("large"), secret: .replace(secret.copy()), for: Cast.app) }
                == .secretTooLarge(limit + 1))
        let changes = ItemChanges(attributes: item.attributes)
        #expect(try refusal { try vault.update(Cast.key("large"), changes, secret: .keep, for: Cast.app) } == error)
        #expect(try vault.reading("large") == "small")
        #expect(try vault.verify().findings == [])
    }

    @Test func aContextOfAnotherVaultIsRefused() throws {
        let vault = try Cast.vault()
        try vault.adding(Cast.item("mail"), "s3cret")
        let elsewhere = try Cast.vault().makeContext()
        #expect(try refusal { try vault.reading("mail", in: elsewhere) } == .foreignContext)
        #expect(try refusal { try vault.enter(passcode: Cast.bytes("1234"), in: elsewhere) } == .foreignContext)
        #expect(VaultError.foreignContext.description.contains("make one on this vault"))
    }

    @Test func aClosedVaultAnswersNothing() throws {
        let closed = try ClosedVault()
        let vault = try Vault.open(at: closed.path)
        try vault.enter(passcode: Cast.bytes("1234"))
        let context = try vault.makeContext()
        vault.close()
        vault.close()
        #expect(try refusal { try vault.reading("mail") } == .closed)
        #expect(try refusal { try vault.reading("mail", in: context) } == .closed)
        #expect(try refusal { try vault.attributes(Cast.key("mail"), for: Cast.app) } == .closed)
        #expect(try refusal { try vault.find(ItemSearch()) } == .closed)
        #expect(try refusal { try vault.add(Cast.item("more"), for: Cast.app) } == .closed)
        #expect(try refusal { try vault.update(Cast.key("mail"), secret: .remove, for: Cast.app) } == .closed)
        #expect(try refusal { try vault.delete(Cast.key("mail"), for: Cast.app) } == .closed)
        #expect(try refusal { try vault.enter(passcode: Cast.bytes("1234")) } == .closed)
        #expect(try refusal { try vault.changePasscode(from: Cast.bytes("1234"), to: Cast.bytes("1")) } == .closed)
        #expect(try refusal { try vault.lock() } == .closed)
        #expect(try refusal { try vault.device } == .closed)
        #expect(try refusal { try vault.verify() } == .closed)
        #expect(try refusal { try vault.auditLog() } == .closed)
        #expect(VaultError.closed.description.contains("open it again"))
        try closed.expectSound()
    }
}

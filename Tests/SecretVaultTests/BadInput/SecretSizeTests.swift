import AccessPolicy
import DeviceModel
import Foundation
import Glibc
import SecretVault
import SodiumKit
import TestSupport
import Testing

/// Secrets of every size are read back unchanged.
@Suite struct SecretSizeTests {
    private func secret(_ count: Int) throws -> SecureBytes {
        var bytes = try SecureBytes(count: count)
        // The length of the repeated piece is no power of two, so no two pages are equal.
        let piece = (0..<65_521).map { UInt8(truncatingIfNeeded: $0 &* 31 &+ $0 >> 8) }
        bytes.withMutableBytes { bytes in
            for start in stride(from: 0, to: bytes.count, by: piece.count) {
                let part = UnsafeMutableRawBufferPointer(rebasing: bytes[start...])
                piece.withUnsafeBytes { piece in
                    part.copyMemory(from: UnsafeRawBufferPointer(rebasing: piece.prefix(part.count)))
                }
            }
        }
        return bytes
    }

    @Test func everySizeComesBackAfterReopening() throws {
        let sizes = [0, 1, 256, 4095, 4096, 4097, 65535, 65536, 65537, 1 << 20, SecretSize.limit]
        let folder = try TemporaryFolder()
        let path = folder.path("vault")
        do {
            let vault = try Vault.create(at: path, .simulated(), passcode: Cast.bytes("1234")).vault
            for size in sizes {
                let isGranted = try vault.add(
                    Cast.item("size \(size)"), secret: secret(size), for: Cast.app
                ).isGranted
                #expect(isGranted)
            }
            let isGranted = try vault.add(Cast.item("without"), for: Cast.app).isGranted
            #expect(isGranted)
            vault.close()
        }
        let vault = try Vault.open(at: path)
        try vault.enter(passcode: Cast.bytes("1234"))
        for size in sizes {
            guard case .granted(let found) = try vault.read(Cast.key("size \(size)"), for: Cast.app) else {
                Issue.record("\(size) bytes are not given")
                continue
            }
            switch found {
            case .some(let bytes):
                let isSame = try bytes.equals(secret(size))
                #expect(isSame, "\(size)")
            case .none: Issue.record("\(size) bytes came back as none")
            }
        }
        guard case .granted(let found) = try vault.read(Cast.key("without"), for: Cast.app) else {
            Issue.record("the item without a secret is not given")
            return
        }
        let isThere = found.text != nil
        #expect(!isThere)
        let report = try vault.verify()
        #expect(report.findings == [] && report.opened == sizes.count + 1)
    }
}

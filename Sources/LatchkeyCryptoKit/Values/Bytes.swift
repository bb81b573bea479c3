internal import Foundation
internal import SodiumKit

/// Secret bytes that several values share. They are wiped when the last of these values is gone.
final class SharedSecretBytes: Sendable {
    let bytes: SecureBytes

    init(_ bytes: consuming SecureBytes) { self.bytes = bytes }

    convenience init(copying bytes: RawSpan) {
        self.init(guarding { () throws(SodiumError) in try SecureBytes(copying: bytes) })
    }

    /// Returns true if both hold the same bytes. The time that this takes does not reveal where they differ.
    func equals(_ other: SharedSecretBytes) -> Bool { bytes.equals(other.bytes) }

    /// Lends the bytes to code that takes a pointer.
    func withUnsafeBytes<Result>(_ body: (UnsafeRawBufferPointer) throws -> Result) rethrows -> Result {
        try bytes.withBytes { try $0.withUnsafeBytes(body) }
    }
}

extension Data {
    init(copying bytes: RawSpan) { self = bytes.withUnsafeBytes { Data($0) } }

    /// Copies secret bytes for an app. The copy is not wiped.
    init(revealing bytes: borrowing SecureBytes) { self = bytes.withBytes { Data(copying: $0) } }
}

extension DataProtocol {
    /// Lends the bytes in one piece. If they are in several, it copies them to guarded memory.
    func withSpan<Result>(_ body: (RawSpan) throws -> Result) rethrows -> Result {
        if regions.count == 1, let region = regions.first {
            return try region.withUnsafeBytes { try body($0.bytes) }
        }
        var whole = guarding { () throws(SodiumError) in try SecureBytes(count: count) }
        whole.withMutableBytes { _ = copyBytes(to: $0) }
        return try whole.withBytes { try body($0) }
    }
}

/// Returns true if the bytes are equal. The time that this takes does not reveal where they differ.
func areEqual(_ left: some ContiguousBytes, _ right: some ContiguousBytes) -> Bool {
    left.withUnsafeBytes { left in right.withUnsafeBytes { Sodium.areEqual(left.bytes, $0.bytes) } }
}

/// Returns true if the bytes are equal. The time that this takes does not reveal where they differ.
func areEqual(_ left: some ContiguousBytes, data right: some DataProtocol) -> Bool {
    left.withUnsafeBytes { left in right.withSpan { Sodium.areEqual(left.bytes, $0) } }
}

func hexadecimal(_ bytes: some ContiguousBytes) -> String {
    bytes.withUnsafeBytes { bytes in
        String(decoding: bytes.flatMap { [digits[Int($0 >> 4)], digits[Int($0 & 15)]] }, as: UTF8.self)
    }
}

private let digits = Array("0123456789abcdef".utf8)

// swift-format-ignore-file: AlwaysUseLowerCamelCase

internal import SodiumKit

/// A source of random bytes.
public final class SecRandom: Sendable {
    init() {}
}

/// A source of random bytes.
public typealias SecRandomRef = SecRandom

/// The random source of the system.
public let kSecRandomDefault: SecRandomRef? = nil

/// Fills `bytes` with `count` random bytes. Returns ``errSecParam`` if `count` is negative.
public func SecRandomCopyBytes(
    _ random: SecRandomRef?, _ count: Int, _ bytes: UnsafeMutableRawPointer
) -> OSStatus {
    if count < 0 { return errSecParam }
    Sodium.fillRandomly(UnsafeMutableRawBufferPointer(start: bytes, count: count))
    return errSecSuccess
}

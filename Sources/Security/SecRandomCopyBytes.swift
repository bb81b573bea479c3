// swift-format-ignore-file: AlwaysUseLowerCamelCase

internal import SodiumKit

/// Something that bytes are drawn from at random.
public final class SecRandom: Sendable {
    init() {}
}

/// What bytes are drawn from: something at random.
public typealias SecRandomRef = SecRandom

/// The system's own.
public let kSecRandomDefault: SecRandomRef? = nil

/// Fills `bytes` with `count` bytes at random.
public func SecRandomCopyBytes(
    _ random: SecRandomRef?, _ count: Int, _ bytes: UnsafeMutableRawPointer
) -> OSStatus {
    if count < 0 { return errSecParam }
    Sodium.fillRandomly(UnsafeMutableRawBufferPointer(start: bytes, count: count))
    return errSecSuccess
}

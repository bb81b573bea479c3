internal import CSodium

/// The cost of one guess of a passcode: Argon2id with one of libsodium's named settings.
public enum StretchCost: UInt8, CaseIterable, Sendable {
    /// 8 KiB and one pass. It protects nothing; use it for tests and simulated devices only.
    case test = 1
    /// 64 MiB and two passes.
    case interactive = 2
    /// 256 MiB and three passes, about half a second. A real vault needs at least this.
    case moderate = 3
    /// 1 GiB and four passes.
    case sensitive = 4

    /// True if a real vault may use this cost.
    public var isEnoughForRealVaults: Bool { self == .moderate || self == .sensitive }

    /// The number of bytes in a salt.
    public static let saltCount = 16

    private var passes: UInt64 {
        switch self {
        case .test: 1
        case .interactive: 2
        case .moderate: 3
        case .sensitive: 4
        }
    }

    /// The number of bytes of memory that one guess takes.
    public var memory: Int {
        switch self {
        case .test: 8 * 1024
        case .interactive: 64 * 1024 * 1024
        case .moderate: 256 * 1024 * 1024
        case .sensitive: 1024 * 1024 * 1024
        }
    }

    /// Derives a key from `passcode` and this salt.
    ///
    /// - Throws: ``SodiumError/outOfMemory(bytes:)`` or ``SodiumError/addressSpace(bytes:)`` if the system lacks the memory that
    ///   this cost needs.
    public func stretch(_ passcode: borrowing SecureBytes, salt: [UInt8]) throws(SodiumError) -> Key {
        precondition(salt.count == Self.saltCount, "a salt has \(Self.saltCount) bytes")
        let key = try Key()
        let result = passcode.withBytes { passcode in
            passcode.withPointer { letters in
                letters.withMemoryRebound(to: CChar.self, capacity: passcode.byteCount) { letters in
                    crypto_pwhash(
                        key.base, UInt64(Key.count), letters, UInt64(passcode.byteCount), salt, passes, memory,
                        crypto_pwhash_ALG_ARGON2ID13)
                }
            }
        }
        Sodium.wipeStack(16 * 1024)
        guard result == 0 else { throw .refused(bytes: memory) }
        return key
    }
}

// swift-format-ignore-file: AlwaysUseLowerCamelCase

/// The hash functions that digest data: those of signatures, one that is too weak for them, and those that no signature here uses.
public enum DigestAlgorithm: Hashable, Sendable {
    /// MD5, for old files and peers. Its collisions are easily found.
    case md5
    /// A hash function that signatures use too.
    case standard(HashAlgorithm)
    /// SHA3-256.
    case sha3_256
    /// SHA3-384.
    case sha3_384
    /// SHA3-512.
    case sha3_512

    /// Every algorithm.
    public static let all: [DigestAlgorithm] =
        [.md5] + HashAlgorithm.allCases.map { .standard($0) } + [.sha3_256, .sha3_384, .sha3_512]

    /// The number of bytes in a digest.
    public var digestCount: Int {
        switch self {
        case .md5: 16
        case .standard(let hash): hash.digestCount
        case .sha3_256: 32
        case .sha3_384: 48
        case .sha3_512: 64
        }
    }

    /// The name that OpenSSL uses.
    var name: StaticString {
        switch self {
        case .md5: "MD5"
        case .standard(let hash): hash.name
        case .sha3_256: "SHA3-256"
        case .sha3_384: "SHA3-384"
        case .sha3_512: "SHA3-512"
        }
    }
}

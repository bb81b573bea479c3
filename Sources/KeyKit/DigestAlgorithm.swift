/// The hash functions that digest data: those of signatures, and one that is too weak for them.
public enum DigestAlgorithm: Hashable, Sendable {
    /// MD5, for old files and peers. Its collisions are easily found.
    case md5
    /// A hash function that signatures use too.
    case standard(HashAlgorithm)

    /// Every algorithm.
    public static let all: [DigestAlgorithm] = [.md5] + HashAlgorithm.allCases.map { .standard($0) }

    /// The number of bytes in a digest.
    public var digestCount: Int {
        switch self {
        case .md5: 16
        case .standard(let hash): hash.digestCount
        }
    }

    /// The name that OpenSSL uses.
    var name: StaticString {
        switch self {
        case .md5: "MD5"
        case .standard(let hash): hash.name
        }
    }
}

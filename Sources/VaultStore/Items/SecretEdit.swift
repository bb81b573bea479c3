public import SodiumKit

/// The limits of what a vault keeps of a secret's former versions.
public struct HistoryLimit: Hashable, Sendable {
    /// The time since it was replaced for which a former version is kept, in milliseconds.
    public var age: Int64
    /// The number of former versions of one secret.
    public var count: Int

    /// Creates a limit. The number of versions is at most ``largestCount``.
    public init(age: Int64, count: Int = HistoryLimit.largestCount) {
        self.age = max(0, age)
        self.count = age > 0 ? min(max(0, count), Self.largestCount) : 0
    }

    /// The limit that keeps nothing.
    public static let none = HistoryLimit(age: 0)
    /// The largest number of former versions.
    public static let largestCount = 10
}

/// The limits of the fields of a secret, which are protected like its value.
public enum SecretFields: Sendable {
    /// The largest number of fields.
    public static let limit = 64
    /// The largest number of bytes in the name of a field.
    public static let longestName = 128
}

/// A change of one part of a secret.
public struct SecretEdit: ~Copyable, Sendable {
    /// The part that changes.
    package enum Part: Sendable {
        case value
        case parts
        case amendedValue
        case field(String)
        case version(Int)
        case formerVersions
    }

    package let part: Part
    /// The new contents; nil if the part is removed or restored.
    private let bytes: SecureBytes?
    /// The new value and fields, if the change brings both.
    private let parts: SecretParts?
    /// The limit of what is kept of the version before.
    package let limit: HistoryLimit

    private init(_ part: Part, _ bytes: consuming SecureBytes?, _ limit: HistoryLimit) {
        self.part = part
        self.bytes = bytes
        parts = nil
        self.limit = limit
    }

    private init(_ parts: consuming SecretParts, _ limit: HistoryLimit) {
        part = .parts
        bytes = nil
        self.parts = consume parts
        self.limit = limit
    }

    /// Replaces the value, and adds or replaces fields.
    package static func parts(_ parts: consuming SecretParts, keeping limit: HistoryLimit) -> Self {
        Self(parts, limit)
    }

    /// Replaces the value.
    public static func value(_ bytes: consuming SecureBytes, keeping limit: HistoryLimit) -> Self {
        Self(.value, bytes, limit)
    }

    /// Replaces the value, and keeps nothing of the one before: for a value that counts, such as the seed of one-time codes.
    public static func amending(_ bytes: consuming SecureBytes, keeping limit: HistoryLimit) -> Self {
        Self(.amendedValue, bytes, limit)
    }

    /// Adds a field, or replaces it; removes it if `bytes` is nil.
    public static func field(_ name: String, _ bytes: consuming SecureBytes?, keeping limit: HistoryLimit) -> Self {
        Self(.field(name), bytes, limit)
    }

    /// Makes a former version the present one: 1 for the last one.
    public static func restoring(version: Int, keeping limit: HistoryLimit) -> Self {
        Self(.version(version), nil, limit)
    }

    /// Deletes the former versions.
    public static func forgetting() -> Self { Self(.formerVersions, nil, .none) }

    /// True if the change makes a former version the present one.
    package var restoresVersion: Bool {
        if case .version = part { true } else { false }
    }

    /// The number of bytes that the change brings.
    package var count: Int {
        borrowing get {
            switch parts {
            case .some(let parts): return parts.count
            case .none: break
            }
            switch bytes {
            case .some(let bytes): return bytes.count
            case .none: return 0
            }
        }
    }

    /// Lends the new contents, if there are any, to `body`: a value or a field, and the fields that a new value brings.
    package borrowing func withBytes<Result: ~Copyable>(
        _ body: (UnsafeRawBufferPointer?, _ fields: [SecretBody.Field]) throws -> Result
    ) rethrows -> Result {
        switch parts {
        case .some(let parts): return try parts.withParts { try body($0, $1) }
        case .none: break
        }
        switch bytes {
        case .some(let bytes): return try bytes.withBytes { bytes in try bytes.withUnsafeBytes { try body($0, []) } }
        case .none: return try body(nil, [])
        }
    }
}

/// A part of a secret to read. A version is 0 for the present one, 1 for the one before.
public enum SecretPart: Hashable, Sendable {
    /// The value of a version.
    case value(version: Int)
    /// A field of a version.
    case field(String, version: Int)
    /// The value and these fields of a version, each behind its length. A field that is not there is empty.
    case valueWith(fields: [String], version: Int)
}

/// The parts of a secret, without its contents.
public struct SecretOutline: Hashable, Sendable {
    /// A version of the secret.
    public struct Version: Hashable, Sendable {
        /// The date on which it was saved, in seconds since the first day of 2001.
        public let saved: Double
        /// The number of bytes of the value.
        public let count: Int
        /// The names of the fields.
        public let fields: [String]
    }

    /// The versions, the present one first.
    public let versions: [Version]

    package init(_ body: SecretBody) {
        versions = body.versions.map {
            Version(saved: ItemDate.seconds($0.saved), count: $0.value.count, fields: $0.fields.map { $0.name })
        }
    }
}

public import AccessPolicy
public import Foundation
internal import SealedFiles

extension Data.WritingOptions {
    var withoutProtection: Self { subtracting(.fileProtectionMask) }

    /// Returns the class that the options name; nil if they name none. The four bits are one number.
    ///
    /// - Throws: `CocoaError.featureUnsupported` for a class that is not simulated.
    func protection(of place: Place) throws -> FileProtection? {
        switch intersection(.fileProtectionMask) {
        case []: return nil
        case .noFileProtection: return FileProtection.none
        case .completeFileProtection: return .complete
        case .completeFileProtectionUnlessOpen: return .completeUnlessOpen
        case .completeFileProtectionUntilFirstUserAuthentication: return .completeUntilFirstUserAuthentication
        default: throw CocoaError(unsupported: FileProtection.notSimulated, at: place.url)
        }
    }
}

// On Linux, Foundation declares the type without these, and apps compare classes.
extension FileProtectionType: @retroactive Equatable, @retroactive Hashable {
    /// Returns true if both are the same class.
    public static func == (one: FileProtectionType, other: FileProtectionType) -> Bool {
        one.rawValue == other.rawValue
    }

    /// Adds the class to `hasher`.
    public func hash(into hasher: inout Hasher) { hasher.combine(rawValue) }
}

extension FileProtection {
    /// The reason why a class is refused.
    static let notSimulated =
        "this protection class is not simulated; take one of complete, completeUnlessOpen, "
        + "completeUntilFirstUserAuthentication and none"

    /// Creates the class of Foundation's name; nil if it is not simulated.
    public init?(_ type: FileProtectionType) {
        switch type {
        case .complete: self = .complete
        case .completeUnlessOpen: self = .completeUnlessOpen
        case .completeUntilFirstUserAuthentication: self = .completeUntilFirstUserAuthentication
        case .none: self = .none
        default: return nil
        }
    }

    /// Returns the class in attributes of a file; nil if they have none.
    ///
    /// - Throws: `CocoaError.featureUnsupported` for a class that is not simulated.
    init?(in attributes: [FileAttributeKey: Any]?, of place: Place) throws {
        let type: FileProtectionType
        switch attributes?[.protectionKey] {
        case let value as FileProtectionType: type = value
        case let value as String: type = FileProtectionType(rawValue: value)
        default: return nil
        }
        guard let protection = FileProtection(type) else {
            throw CocoaError(unsupported: Self.notSimulated, at: place.url)
        }
        self = protection
    }

    /// The class by Foundation's name.
    public var type: FileProtectionType {
        switch self {
        case .complete: .complete
        case .completeUnlessOpen: .completeUnlessOpen
        case .completeUntilFirstUserAuthentication: .completeUntilFirstUserAuthentication
        case .none: .none
        }
    }

    /// The class as a resource value of a URL, by Apple's name.
    var resourceValue: String {
        switch self {
        case .complete: "NSURLFileProtectionComplete"
        case .completeUnlessOpen: "NSURLFileProtectionCompleteUnlessOpen"
        case .completeUntilFirstUserAuthentication: "NSURLFileProtectionCompleteUntilFirstUserAuthentication"
        case .none: "NSURLFileProtectionNone"
        }
    }
}

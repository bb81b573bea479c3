internal import AccessPolicy
internal import Foundation
internal import SecretVault

extension AttributeValue {
    /// Creates the value of an attribute; nil if the type fits none.
    init?(_ value: Any) {
        switch value {
        case let text as NSString: self = .string(text as String)
        case let text as String: self = .string(text)
        case let data as Data: self = .data(Array(data))
        case let date as Date: self = .date(date.timeIntervalSinceReferenceDate)
        case let uuid as UUID: self = .string(uuid.uuidString)
        case let number as NSNumber:
            if let flag = boolean(value) {
                self = .number(flag ? 1 : 0)
            } else if let whole = Int64(exactly: number) {
                self = .number(whole)
            } else {
                return nil
            }
        default: return nil
        }
    }

    /// The value as a text: a text, or the UTF-8 bytes of one; nil for anything else.
    var asText: String? {
        switch self {
        case .string(let text): text
        case .data(let bytes): String(validating: bytes, as: UTF8.self)
        case .number, .date: nil
        }
    }

    var forApps: Any {
        switch self {
        case .string(let text): text
        case .data(let bytes): Data(bytes)
        case .number(let number): NSNumber(value: number)
        case .date(let seconds): Date(timeIntervalSinceReferenceDate: seconds)
        }
    }
}

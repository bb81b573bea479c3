internal import PlainText
internal import Prompts

/// The last records that an agent could not write to the audit log when it ended.
package enum LostRecords: Hashable, Sendable, CustomStringConvertible {
    case records(Int)
    /// An unknown number, because a request still held the vault.
    case unknown

    /// A message for the user.
    package var description: String {
        switch self {
        case .records(1): "the audit log lacks the last record: it could not be written"
        case .records(let count): "the audit log lacks the last \(count) records: they could not be written"
        case .unknown: "the audit log may lack the last records: a request still held the vault"
        }
    }

    /// Reads the answer to a `stop` request. Returns nil if no record is lost.
    package init?(reading head: inout Head) throws(WireError) {
        guard let count = try head.consumeNumberIfPresent("lost-records") else { return nil }
        self = count < 0 ? .unknown : .records(Int(clamping: count))
    }

    /// The answer to a `stop` request.
    package var head: Head {
        switch self {
        case .records(let count): Head(["lost-records": .number("\(count)")])
        case .unknown: Head(["lost-records": .number("-1")])
        }
    }
}

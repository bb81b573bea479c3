internal import PlainText
internal import UserPresence

/// The last records that an agent could not write to the audit log when it ended.
package enum LostRecords: Hashable, Sendable, CustomStringConvertible {
    /// So many.
    case records(Int)
    /// An unknown number: a request still held the vault.
    case unknown

    /// The sentence that a person reads.
    package var description: String {
        switch self {
        case .records(1): "the audit log has not taken the last record: it is lost"
        case .records(let count): "the audit log has not taken the last \(count) records: they are lost"
        case .unknown: "the audit log may lack the last records: a request still held the vault"
        }
    }

    /// Reads the answer to a request to stop; nil if nothing is lost.
    init?(reading head: inout Head) throws(WireError) {
        guard let count = try head.consumeNumberIfPresent("lost-records") else { return nil }
        self = count < 0 ? .unknown : .records(Int(clamping: count))
    }

    /// The answer to a request to stop.
    var head: Head {
        switch self {
        case .records(let count): Head(["lost-records": .number("\(count)")])
        case .unknown: Head(["lost-records": .number("-1")])
        }
    }
}

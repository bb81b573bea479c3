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

    /// Creates the records of a number on the wire. A negative one is unknown.
    package init(count: Int) { self = count < 0 ? .unknown : .records(count) }

    /// The number on the wire; -1 if it is unknown.
    package var count: Int {
        switch self {
        case .records(let count): count
        case .unknown: -1
        }
    }
}

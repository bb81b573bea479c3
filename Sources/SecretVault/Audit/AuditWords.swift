package import AccessPolicy
package import DeviceModel

// The words of the audit log. They are stored: a word never changes.

extension Action {
    /// The word of the audit log for it.
    package var auditWord: String { "\(self)" }
}

extension Event {
    /// The word of the audit log for it.
    package var auditWord: String { String("\(self)".prefix { $0 != "(" }) }
}

extension AuditRecord.Kind {
    /// The word of `latchkey log` and of the wire for it.
    package var word: String { "\(self)" }
}

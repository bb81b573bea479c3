internal import AccessPolicy
internal import SodiumKit

extension AuditLog {
    /// Records a decision. `word` names a request that has no `action` on an item.
    mutating func add(
        _ decision: Decision, _ trace: borrowing Trace, _ action: Action?, on subject: Tag, by caller: Caller,
        hour: Int64, word: String = "evaluate"
    ) {
        add(decision, trace, action, on: subject, by: caller.name, of: caller.program, hour: hour, word: word)
    }

    /// Records an event of the device or the vault. If the program repeats the last event, its record is counted up.
    mutating func add(_ kind: AuditRecord.Kind, _ what: String, by caller: Caller, hour: Int64) {
        add(kind, what, by: caller.name, of: caller.program, hour: hour)
    }
}

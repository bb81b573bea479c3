internal import AccessPolicy
internal import DeviceModel
internal import SodiumKit

/// Decides for callers, and reports each decision to the audit log and to a watcher.
struct Decider {
    /// The closure that watches a simulated device.
    var watcher: (@Sendable (WatchedDecision) -> Void)?
    var fileWatcher: (@Sendable (WatchedFileDecision) -> Void)?
    private var groups = GroupNumbers()

    /// Returns the conditions under which a request of this caller is decided now.
    mutating func conditions(for caller: Caller, of device: Device, _ indexKey: borrowing Key) -> Conditions {
        var conditions = device.conditions(for: caller.app)
        groups.update(caller.groups, indexKey)
        // While no app is installed in a place, that place has no groups, whatever the caller claims.
        if !conditions.groups.isEmpty { conditions.groups = groups.all }
        if caller.sensor == .away { conditions.biometry = .noHardware }
        return conditions
    }

    /// Returns a stored item as it appears to the caller of the last call to `conditions(for:of:_:)`. A key that is
    /// kept outside the vault is in no access group: its bytes belong to the program that has them.
    func item(of record: RecordView) -> Item {
        record.header.item(in: record.isApart ? .first : groups.number(of: record.header.group))
    }

    /// Returns the number of the group with this tag, for the caller of the last call to `conditions(for:of:_:)`.
    func number(of group: Tag) -> AccessGroup { groups.number(of: group) }

    /// Decides a request and records the decision.
    func decide(
        _ request: Request, on record: Tag, _ action: Action?, for caller: Caller, under conditions: Conditions,
        recordingIn log: inout AuditLog
    ) -> Decision {
        let isRecorded = log.isOn && !(caller.isListing && action == .inventory)
        guard isRecorded || watcher != nil else { return AccessPolicy.decide(request, under: conditions) }
        var trace = Trace()
        let decision = AccessPolicy.decide(request, under: conditions, into: &trace)
        if isRecorded {
            log.add(decision, trace, action, on: record, by: caller, hour: conditions.now.milliseconds)
        }
        watcher?(
            WatchedDecision(
                request: request, caller: caller.name, decision: decision, trace: trace, at: conditions.now))
        return decision
    }

    /// Returns the grant for an item that the context would get if it also held `evidence`.
    func grant(
        expecting evidence: Evidence, for record: RecordView, in context: Context, under conditions: Conditions
    ) -> Grant? {
        var context = context
        context.add(evidence)
        let request = Request(.update, item(of: record), in: context, interaction: .preflight)
        guard case .granted(let grant) = AccessPolicy.decide(request, under: conditions) else { return nil }
        return grant
    }
}

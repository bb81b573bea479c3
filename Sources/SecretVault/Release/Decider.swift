internal import AccessPolicy
internal import DeviceModel
internal import SodiumKit

/// Decides for callers, and tells the audit log and a watcher of each decision.
struct Decider {
    /// The watcher of a simulated device.
    var watcher: (@Sendable (WatchedDecision) -> Void)?
    private var groups = GroupNumbers()

    /// Returns what deciding needs to know now, for this caller.
    mutating func conditions(for caller: Caller, of device: Device, _ indexKey: borrowing Key) -> Conditions {
        var conditions = device.conditions(for: caller.app)
        groups.update(caller.groups, indexKey)
        // A place without an app has no groups, whatever the caller says.
        if !conditions.groups.isEmpty { conditions.groups = groups.all }
        if caller.sensor == .away { conditions.biometry = .noHardware }
        return conditions
    }

    /// Returns a stored item as the caller of the last conditions sees it.
    func item(of record: RecordView) -> Item { record.header.item(in: groups.number(of: record.header.group)) }

    /// Returns the number that the group with this tag has for the caller of the last conditions.
    func number(of group: Tag) -> AccessGroup { groups.number(of: group) }

    /// Decides, and puts the decision on record.
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

    /// Returns what would be granted of an item if `evidence` were held besides.
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

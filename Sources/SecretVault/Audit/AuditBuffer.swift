internal import AccessPolicy
internal import SodiumKit

/// What happened since the trail was last written out. Equal decisions become one record with a count.
struct AuditBuffer {
    /// What makes two decisions the same.
    private struct Same: Hashable {
        let subject: Tag
        let action: Action
        let kind: AuditRecord.Kind
        let rule: Rule
        let caller: String
    }

    /// Whether anything is recorded: a vault in memory keeps no trail.
    let isOn: Bool
    let process: UInt64
    private var number: UInt64 = 0
    private(set) var records: [AuditRecord] = []
    private var places: [Same: Int] = [:]

    /// More than this is never held back: reads are refused before.
    static let capacity = 4096

    init(isOn: Bool) {
        self.isOn = isOn
        process = Sodium.randomBytes(8).withUnsafeBytes { $0.loadUnaligned(as: UInt64.self) }
    }

    var isFull: Bool { records.count >= Self.capacity }
    var isEmpty: Bool { records.isEmpty }

    /// Records a decision.
    mutating func add(
        _ decision: Decision, _ trace: borrowing Trace, _ action: Action, on subject: Tag, by caller: Caller,
        hour: Int64
    ) {
        guard isOn else { return }
        let kind: AuditRecord.Kind =
            switch decision {
            case .granted: .granted
            case .challenge: .challenged
            case .denied: .denied
            }
        let same = Same(
            subject: subject, action: action, kind: kind, rule: trace.last ?? .classOpen, caller: caller.name)
        if let place = places[same] {
            records[place].count &+= 1
            return
        }
        places[same] = records.count
        append(
            kind, subject: subject.withBytes { bytes in bytes.withUnsafeBytes { [UInt8]($0) } }, "\(action)",
            caller.name, trace.map(\.identifier), hour)
    }

    /// Records what happened to the device or to the vault.
    mutating func add(_ kind: AuditRecord.Kind, _ what: String, by caller: String = "", hour: Int64) {
        guard isOn else { return }
        append(kind, subject: [], what, caller, [], hour)
    }

    private mutating func append(
        _ kind: AuditRecord.Kind, subject: [UInt8], _ action: String, _ caller: String, _ rules: [String], _ hour: Int64
    ) {
        records.append(
            AuditRecord(
                kind: kind, process: process, number: number, subject: subject, action: action, caller: caller,
                rules: rules, count: 1, hour: hour))
        number += 1
    }

    /// Everything is written out.
    mutating func clear() {
        records.removeAll(keepingCapacity: true)
        places.removeAll(keepingCapacity: true)
    }
}

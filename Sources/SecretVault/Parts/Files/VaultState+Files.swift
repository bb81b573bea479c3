internal import AccessPolicy
internal import DeviceModel
internal import SodiumKit

extension VaultState {
    /// Decides about an access to a file, runs `body` if it is granted, and records the decision. An access without a
    /// subject leaves no record.
    mutating func answer<Value: ~Copyable & Sendable>(
        _ access: FileAccess, about file: FileSubject?,
        _ body: (borrowing KeyRing.Contents, FileDecision) throws -> Value
    ) throws -> FileAnswer<Value> {
        try refresh()
        if file != nil { try requireRoomForRecord() }
        var made: FileDecision?
        let answer = try ring.read { contents -> FileAnswer<Value> in
            let decision = decide(access, under: contents.device.conditions())
            made = decision
            guard decision.isGranted else { return .denied(decision.rule) }
            return .granted(try body(contents, decision))
        }
        if let file, let made { record(access, made, about: file) }
        return answer
    }

    /// Records a decision, and tells the watcher of a simulated device.
    mutating func record(_ access: FileAccess, _ decision: FileDecision, about file: FileSubject) {
        let now = device.now
        if audit.isOn {
            audit.add(
                FileVerdict(access: access, rule: decision.rule), on: file.tag(store.fixed.index),
                by: file.caller.name, of: file.caller.program, hour: now.milliseconds)
        }
        decider.fileWatcher?(
            WatchedFileDecision(
                access: access, path: file.path, caller: file.caller.name, decision: decision, at: now))
    }
}

internal import AccessPolicy
internal import DeviceModel
internal import SodiumKit

/// The file that an access is about, and the program that makes the access.
package struct FileSubject: Sendable {
    /// The random bytes that identify the file, whatever its class is.
    package let id: [UInt8]
    /// The path by which the program names the file. Only the watcher of a simulated device gets it: the audit log holds
    /// no path.
    package let path: String
    package let caller: Caller

    package init(id: [UInt8], path: String, caller: Caller) {
        self.id = id
        self.path = path
        self.caller = caller
    }

    /// Returns the keyed hash that stands for the file in the audit log. It is never that of an item: an attacker who
    /// writes the identifier of an item into a file cannot make the log name that item.
    func tag(_ indexKey: borrowing Key) -> Tag {
        let bytes = Array("file".utf8) + id
        return Tag(of: bytes.span.bytes, under: indexKey)
    }
}

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

    /// Decides about an access to a file that needs no key, and records the decision.
    mutating func decision(_ access: FileAccess, about file: FileSubject?) throws -> FileDecision {
        try refresh()
        if file != nil { try requireRoomForRecord() }
        let decision = decide(access, under: device.conditions())
        if let file { record(access, decision, about: file) }
        return decision
    }

    private mutating func record(_ access: FileAccess, _ decision: FileDecision, about file: FileSubject) {
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

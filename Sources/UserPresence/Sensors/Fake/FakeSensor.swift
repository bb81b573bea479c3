public import DeviceModel
internal import SodiumKit

/// A sensor without hardware: it is told what it is shown, and believes it.
///
/// It stands in for a finger in tests and on simulated devices, and proves nothing. What it was shown is kept as a keyed
/// hash only. Several of them on one memory are one sensor.
public final class FakeSensor: BiometricSensor {
    /// What it is a sensor for.
    public let kind: SensorKind
    /// Anybody can make it say what they like.
    public var isFake: Bool { true }
    package let memory: any TemplateMemory

    /// A sensor of this kind, which keeps whom it knows in `memory`.
    public init(_ kind: SensorKind, memory: any TemplateMemory = ProcessMemory()) {
        self.kind = kind
        self.memory = memory
    }

    /// Everybody that it knows now.
    public func enrollments() throws(SensorError) -> Enrollments {
        let known = try reading()
        return try Enrollments(sensor: known.identity, known.templates.map { Template(id: $0.id, name: $0.name) })
    }

    /// Learns somebody who shows what they are called.
    public func enroll(_ name: String, until prompt: Prompt) throws(SensorError) {
        if prompt.ending != nil { throw .interrupted }
        try enroll(name, showing: name)
    }

    /// Learns somebody called `name`, who will show `shown`.
    public func enroll(_ name: String, showing shown: String) throws(SensorError) {
        guard (1...Template.longest).contains(name.utf8.count) else {
            throw .refused("a name has 1 to \(Template.longest) bytes")
        }
        try changing { (known) throws(SensorError) in
            let digest = try known.digest(of: shown)
            guard !known.templates.contains(where: { $0.name == name || $0.digest == digest }) else {
                throw .alreadyEnrolled
            }
            guard known.templates.count < kind.capacity else { throw .full }
            known.templates.append(.init(id: FakeTemplates.newIdentifier(), name: name, digest: digest))
        }
    }

    /// Forgets somebody.
    public func remove(_ id: Template.ID) throws(SensorError) {
        try changing { (known) throws(SensorError) in
            guard let index = known.templates.firstIndex(where: { $0.id == id }) else { throw .notEnrolled }
            known.templates.remove(at: index)
        }
    }

    /// Whom `shown` belongs to; nobody, when nothing is shown.
    public func match(showing shown: String?, until prompt: Prompt) throws(SensorError) -> SensorMatch {
        if prompt.ending != nil { throw .interrupted }
        let known = try reading()
        guard let shown else { return .nobody }
        let digest = try known.digest(of: shown)
        guard let template = known.templates.first(where: { $0.digest == digest }) else { return .nobody }
        return .matched(template.id)
    }

    /// Forgets everybody, and is another sensor from then on.
    public func reset() throws(SensorError) {
        try requirePresence()
        let fresh = try FakeTemplates()
        // Whatever is in it now, damaged or not, is not read.
        do { _ = try memory.change { _ in fresh.bytes } } catch {
            throw .refused("its memory cannot be written: \(error)")
        }
    }

    /// The same sensor as it would be with this in its memory.
    package func remembering(_ bytes: [UInt8]) -> FakeSensor { FakeSensor(kind, memory: ProcessMemory(bytes)) }

    // MARK: - The memory

    private func requirePresence() throws(SensorError) {
        if kind == .none { throw .absent("this device has no sensor") }
    }

    /// What it remembers. Who it is has to last from the first time that anybody asks.
    private func reading() throws(SensorError) -> FakeTemplates {
        try requirePresence()
        if let known = try load() { return known }
        return try change { (known) throws(SensorError) in
            if let known { return known }  // somebody else was faster
            return try FakeTemplates()
        }
    }

    private func changing(
        _ change: (inout FakeTemplates) throws(SensorError) -> Void
    ) throws(SensorError) {
        try requirePresence()
        try self.change { (before) throws(SensorError) in
            var known: FakeTemplates
            if let before { known = before } else { known = try FakeTemplates() }
            try change(&known)
            return known
        }
    }

    private func load() throws(SensorError) -> FakeTemplates? {
        let bytes: [UInt8]
        do { bytes = try memory.load() } catch { throw .absent("its memory cannot be read: \(error)") }
        return bytes.isEmpty ? nil : try FakeTemplates(bytes)
    }

    /// Several may be one sensor, in several programs even: what is read is what is changed.
    @discardableResult
    private func change(
        _ body: (FakeTemplates?) throws(SensorError) -> FakeTemplates
    ) throws(SensorError) -> FakeTemplates {
        do {
            let bytes = try memory.change { try body($0.isEmpty ? nil : FakeTemplates($0)).bytes }
            return try FakeTemplates(bytes)
        } catch let failure as SensorError {
            throw failure
        } catch {
            throw .refused("its memory cannot be written: \(error)")
        }
    }
}

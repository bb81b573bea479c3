public import DeviceModel
internal import SodiumKit

/// A sensor without hardware. It believes the name that it is given for what touches it.
///
/// It replaces a finger in tests and on simulated devices, and authenticates no one. It stores a keyed hash of what was
/// shown to it. Fake sensors that share a memory are one sensor.
public final class FakeSensor: BiometricSensor {
    /// The kind of sensor that it simulates.
    public let kind: SensorKind
    /// True: a fake sensor can be made to answer anything.
    public var isFake: Bool { true }
    /// The memory that holds the enrolled set.
    package let memory: any TemplateMemory

    /// Creates a sensor of this kind that stores its enrolled set in `memory`.
    public init(_ kind: SensorKind, memory: any TemplateMemory = ProcessMemory()) {
        self.kind = kind
        self.memory = memory
    }

    /// Returns the enrolled set.
    public func enrollments() throws(SensorError) -> Enrollments {
        let known = try reading()
        return try Enrollments(sensor: known.identity, known.templates.map { Template(id: $0.id, name: $0.name) })
    }

    /// Enrolls a finger that shows its own name.
    public func enroll(_ name: String, until prompt: Prompt) throws(SensorError) {
        if prompt.ending != nil { throw .interrupted }
        try enroll(name, showing: name)
    }

    /// Enrolls a finger called `name` that will show `shown`.
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

    /// Removes an enrolled finger.
    public func remove(_ id: Template.ID) throws(SensorError) {
        try changing { (known) throws(SensorError) in
            guard let index = known.templates.firstIndex(where: { $0.id == id }) else { throw .notEnrolled }
            known.templates.remove(at: index)
        }
    }

    /// Returns the enrolled finger that `shown` belongs to; `noMatch` if there is none, or if nothing is shown.
    public func match(showing shown: String?, until prompt: Prompt) throws(SensorError) -> SensorMatch {
        if prompt.ending != nil { throw .interrupted }
        let known = try reading()
        guard let shown else { return .noMatch }
        let digest = try known.digest(of: shown)
        guard let template = known.templates.first(where: { $0.digest == digest }) else { return .noMatch }
        return .matched(template.id)
    }

    /// Removes every enrolled finger. From then on it is another sensor.
    public func reset() throws(SensorError) {
        try requirePresence()
        let fresh = try FakeTemplates()
        // Do not read the present content: it may be damaged.
        do { _ = try memory.change { _ in fresh.bytes } } catch {
            throw .refused("its memory cannot be written: \(error)")
        }
    }

    /// Creates a sensor of the same kind whose memory holds `bytes`.
    package func remembering(_ bytes: [UInt8]) -> FakeSensor { FakeSensor(kind, memory: ProcessMemory(bytes)) }

    // MARK: - The memory

    private func requirePresence() throws(SensorError) {
        if kind == .none { throw .absent("this device has no sensor") }
    }

    /// Returns the content of the memory. The first call stores a new identity, which has to last from then on.
    private func reading() throws(SensorError) -> FakeTemplates {
        try requirePresence()
        if let known = try load() { return known }
        return try change { (known) throws(SensorError) in
            if let known { return known }  // Another thread or process was faster.
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

    /// Changes the content of the memory in one step, since several programs may share the sensor.
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

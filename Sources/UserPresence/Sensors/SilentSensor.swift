package import DeviceModel

/// A sensor that gives no answer, in place of one that did.
package struct SilentSensor: BiometricSensor {
    /// The sensor that answered.
    package let sensor: any BiometricSensor

    /// Creates a sensor that no longer answers.
    package init(_ sensor: any BiometricSensor) { self.sensor = sensor }

    package var kind: SensorKind { sensor.kind }
    /// True if the sensor can be made to answer anything.
    package var isFake: Bool { sensor.isFake }
    /// True if only a user at this machine can reach the sensor.
    package var isAtMachine: Bool { sensor.isAtMachine }

    package func enrollments() throws(SensorError) -> Enrollments { throw .timedOut }
    package func enroll(_ name: String, until prompt: Prompt) throws(SensorError) { throw .timedOut }
    package func remove(_ id: Template.ID) throws(SensorError) { throw .timedOut }
    /// Throws ``SensorError/timedOut``.
    package func match(showing shown: String?, until prompt: Prompt) throws(SensorError) -> SensorMatch {
        throw .timedOut
    }
}

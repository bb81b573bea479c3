extension SensorError: CustomStringConvertible {
    /// A message that says what is wrong and what to do.
    public var description: String {
        switch self {
        case .absent(let what):
            "the sensor cannot be reached (\(what)): check that it is plugged in and works"
        case .timedOut: "the sensor did not answer in time: try again"
        case .ended(let how): "the sensor's command ended without an answer (\(how)): run it by hand to see why"
        case .garbage(let what): "the answer of the sensor's command is not valid (\(what)): see docs/sensors.md"
        case .flooded: "the answer of the sensor's command is too long: see docs/sensors.md"
        case .unsteady: "the sensor gave two different lists in a row: try again"
        case .exchanged(let what):
            "this is not the sensor that the vault knows (\(what)): plug that one in, or run `latchkey biometry reset` "
                + "to use this one"
        case .refused(let why): "the sensor refused: \(why)"
        case .full: "the sensor has no room for another enrollment: remove one first"
        case .alreadyEnrolled: "this finger or face is enrolled already: remove it first, or choose another name"
        case .notEnrolled: "the sensor has no enrollment of this name"
        case .interrupted: "the prompt ended before anything was shown to the sensor: try again"
        case .untrusted(let what): "the sensor's command cannot be trusted: \(what)"
        }
    }
}

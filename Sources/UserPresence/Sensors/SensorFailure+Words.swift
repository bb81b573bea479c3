extension SensorError: CustomStringConvertible {
    /// What is wrong, and the way out.
    public var description: String {
        switch self {
        case .absent(let what):
            "the sensor cannot be reached (\(what)): see that it is plugged in and that its command is there"
        case .timedOut: "the sensor did not answer in time: try again"
        case .ended(let how): "the sensor's command ended without an answer (\(how)): run it by hand to see why"
        case .garbage(let what): "the sensor's command said what cannot be understood (\(what)): see docs/sensors.md"
        case .flooded: "the sensor's command said more than an answer can be: see docs/sensors.md"
        case .unsteady: "the sensor said one thing, and another when it was asked again: try again"
        case .exchanged(let what):
            "this is another sensor than the vault knows (\(what)): plug the known one in, or replace it"
        case .refused(let why): "the sensor refused: \(why)"
        case .full: "the sensor has room for no more: remove somebody first"
        case .alreadyEnrolled: "this one is enrolled already: remove it first, or choose another name"
        case .notEnrolled: "the sensor knows nobody of this name"
        case .interrupted: "the prompt was over before anything was shown to the sensor: try again"
        case .untrusted(let what): "the sensor's command cannot be trusted: \(what)"
        }
    }
}

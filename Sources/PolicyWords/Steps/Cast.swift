package import DeviceModel

// The model has numbers for what a scenario names. A cast turns names into numbers and back. A report needs only the names, and a runner
// only the numbers.

/// Names for the fingers, passcodes and apps of the model.
package protocol StepNames {
    func name(of finger: Finger) -> String
    func name(of code: Passcode) -> String
    func name(of app: AppID) -> String
}

/// The fingers, passcodes and apps of the model that names stand for.
package protocol StepNumbers {
    /// The error about a name that stands for nothing.
    associatedtype Failure: Error

    mutating func finger(_ name: String) throws(Failure) -> Finger
    mutating func passcode(_ name: String) throws(Failure) -> Passcode
    /// Returns the number of an app, and the app as `install` brings it.
    mutating func app(_ name: String) throws(Failure) -> (id: AppID, app: App)
}

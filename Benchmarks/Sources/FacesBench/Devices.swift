import Dispatch
import LatchkeyTesting
import LocalAuthentication
import Measuring

/// Measures creating a simulated device as a test does, with a passcode and a finger.
func devices(_: String) throws -> [Figure] {
    for _ in 0..<20 { _ = SimulatedDevice() }
    let times = (0..<401).map { _ in nanoseconds { keep(SimulatedDevice()) } / 1e3 }
    return [Figure(name: "device.create.us", value: median(times), unit: "µs", runs: times.count)]
}

/// Measures evaluating a policy with the finger of a simulated owner, in a new context each time, up to the reply.
func evaluations(_: String) throws -> [Figure] {
    let device = SimulatedDevice()
    var times: [Double] = []
    for _ in 0..<1_001 {
        let isOver = DispatchSemaphore(value: 0)
        let time = nanoseconds {
            device.run {
                LAContext().evaluatePolicy(.deviceOwnerAuthenticationWithBiometrics, localizedReason: "to measure it") {
                    isMet, _ in
                    if isMet { isOver.signal() }
                }
            }
            isOver.wait()
        }
        times.append(time / 1e3)
    }
    return [Figure(name: "lacontext.evaluate.us", value: median(times), unit: "µs", runs: times.count)]
}

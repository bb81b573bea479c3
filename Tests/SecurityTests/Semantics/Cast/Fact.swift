import LatchkeyTesting
import Testing

/// One fact of the page on semantics that a client of the keychain can observe: the calls, and their exact results.
struct Fact: Sendable, CustomTestStringConvertible {
    /// How well the page knows it. `ours` marks a decision of this package on a point that the page leaves open.
    enum Evidence: String, Sendable {
        case test = "TEST"
        case code = "CODE"
        case header = "HDR"
        case documentation = "DOC"
        case field = "FIELD"
        case inference = "INF"
        case unverified = "UNVERIFIED"
        case ours = "ours"
    }

    let words: String
    let evidence: Evidence
    let expected: String
    private let device: @Sendable () -> SimulatedDevice
    private let play: @Sendable (Play) -> [String]

    init(
        _ words: String, _ evidence: Evidence, _ expected: String,
        on device: @escaping @autoclosure @Sendable () -> SimulatedDevice = SimulatedDevice(),
        _ play: @escaping @Sendable (Play) -> [String]
    ) {
        self.words = words
        self.evidence = evidence
        self.expected = expected
        self.device = device
        self.play = play
    }

    /// Returns the fact on another device.
    func on(_ device: @escaping @autoclosure @Sendable () -> SimulatedDevice) -> Fact {
        Fact(words, evidence, expected, on: device(), play)
    }

    var testDescription: String { "\(words) [\(evidence.rawValue)]" }

    func check() {
        let device = device()
        let said = device.run { play(Play(device: device)) }.joined(separator: "; ")
        #expect(said == expected, "\(testDescription)\n\(device)")
    }
}

/// A device with these choices on disputed facts.
func device(_ change: (inout Fidelity) -> Void) -> SimulatedDevice {
    var fidelity = Fidelity()
    change(&fidelity)
    return SimulatedDevice(fidelity: fidelity)
}

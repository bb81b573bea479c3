import ScenarioFormat
import Testing

/// Mistakes in files with several devices of one account.
@Suite struct AccountFileTests {
    private static let devices = "devices: { phone: iPhoneWithFaceID, pad: iPhoneWithTouchID }\n"

    private func mistakes(_ text: String) -> [String] {
        ScenarioFile(bytes: Array("name: x\n\(text)".utf8), of: "x.yaml").mistakes.map { "\($0)" }
    }

    @Test(arguments: [
        ("{ passcode: a, sponsor: phone }", "5:11"), ("{ of: phone }", "5:11"), ("{ passcode: a }", "5:11"),
        ("{ recoveryKey: a, sponsor: phone }", "5:11"),
    ])
    func aJoinNamesOneWay(_ join: String, _ place: String) {
        #expect(
            mistakes("\(Self.devices)items: { i: }\nsteps:\n  - join: \(join)\n") == [
                "x.yaml:\(place): \"join\" joins the circle by one of: `sponsor`, `passcode` and `of`, `recoveryKey`"
            ])
    }

    @Test func namesOfDevicesAreKnown() {
        let steps = "steps:\n  - { lock: , on: mac }\n  - { join: { sponsor: mac } }\n"
        #expect(
            mistakes(Self.devices + steps) == [
                "x.yaml:4:19: unknown device \"mac\": use phone or pad",
                "x.yaml:5:24: unknown device \"mac\": use phone or pad",
            ])
    }

    @Test func anAccountNeedsDevicesAndExcludesTheOthers() {
        #expect(
            mistakes("steps:\n  - settle\n").first?.contains("needs several devices: declare them under \"devices\"")
                == true)
        #expect(
            mistakes("steps:\n  - { lock: , on: pad }\n").first?.contains("this file has one device") == true)
        #expect(
            mistakes("device: mac\n\(Self.devices)steps: [lock]\n").first?.contains(
                "\"device\" does not go with \"devices\"")
                == true)
    }
}

import AccessPolicy
import DeviceModel
import Foundation
import PlainText
import PolicyAnswers
import PolicyProver
import TestSupport
import Testing

/// The engine of the page, run by node, is the engine of these tests.
///
/// Both get the same requests, and every byte of their answers has to be the same: verdicts, shortest attacks, and the numbers of
/// situations and moves.
@Suite(.waitsForProcesses) struct BrowserEngineTests {
    @Test(.enabled(if: Play.obstacle == nil, "\(Play.obstacle ?? "")"))
    func everyPolicyOfAClassHasTheSameVerdicts() throws {
        let classes = Soak.isExhaustive ? Accessibility.allCases : [.whenUnlockedThisDeviceOnly]
        var requests: [String] = []
        for protection in classes {
            for isKey in [false, true] {
                for (place, flags) in PolicySpace.flags(forKey: isKey).enumerated() where Play.takes(place) {
                    for profile in Profile.all {
                        let subject = Play.subject(protection, flags, isKey) + #","against":"\#(profile.name)""#
                        for aim in Aim.allCases where aim.isOpen(toKey: isKey) {
                            requests.append(#"{"ask":"prove",\#(subject),"never":"\#(aim.rawValue)"}"#)
                        }
                        // One search for all aims. Everyday runs sample it, because it goes the same ways.
                        if Soak.isExhaustive || place % 8 == 0 { requests.append(#"{"ask":"threats",\#(subject)}"#) }
                    }
                }
            }
        }
        try compare(requests)
    }

    @Test(.enabled(if: Play.obstacle == nil, "\(Play.obstacle ?? "")"))
    func everyWordHasTheSameMeaning() throws {
        var requests = [#"{"ask":"words"}"#] + RequestTests.mistakes.map(\.request)
        for device in DevicePreset.all {
            for flags in PolicySpace.flags(forKey: false) + [[.biometryAny, .biometryCurrentSet]] {
                let subject = Play.subject(.afterFirstUnlock, flags, false)
                requests.append(#"{"ask":"policy",\#(subject),"device":"\#(device.name)"}"#)
            }
        }
        let settings = [
            #""lockGrace":"1m 30s""#, #""companion":"away""#, #""stolenDeviceProtection":true"#, #""contexts":"kept""#,
            #""deletes":false"#, #""holds":"just-locked""#, #""reuse":"5m""#,
            #""companion":"notPaired","lockGrace":"0s""#,
        ]
        for setting in settings {
            for claim in [
                #""never":"read","against":"passcode-thief""#, #""always-can":"read","against":"coerced-finger""#,
                #""eventually-can":"overwrite","by":"injured-finger""#, #""gone-after-enrollment-change":true"#,
                #""at-most-prompts":2,"workflow":"read,read""#,
            ] {
                requests.append(#"{"ask":"prove","require":"biometryAny or companion",\#(setting),\#(claim)}"#)
            }
        }
        for example in PlayTests.examples { requests.append(PlayTests.request(example.policy, example.steps)) }
        for mistake in PlayTests.mistakes {
            requests.append(PlayTests.request(#""require":"userPresence""#, mistake.steps))
        }
        for request in SuggestTests.requests + SuggestTests.mistakes.map({ $0.request }) {
            requests.append(SuggestTests.request(request))
        }
        try compare(requests)
    }

    private func compare(_ requests: [String]) throws {
        let folder = try TemporaryFolder()
        let path = folder.path("requests")
        try requests.joined(separator: "\n").write(toFile: path, atomically: true, encoding: .utf8)
        let expected = Play.answers(to: requests)
        let run = try Command.run(
            [Play.file("Play/ask-engine.js"), Play.file(".build/play/engine.wasm"), path],
            program: try #require(Play.node))
        try #require(run.status == 0, "\(run.errors)")
        let answers = run.output.split(separator: "\n").map(String.init)
        try #require(answers.count == requests.count)
        var faults = 0
        for (request, (answer, expected)) in zip(requests, zip(answers, expected)) where answer != expected {
            faults += 1
            if faults <= 5 { Issue.record("\(request): the page says \(answer), and the engine here \(expected)") }
        }
        #expect(faults == 0, "of \(requests.count) answers")
    }
}

/// The built playground, and the programs that run it.
enum Play {
    /// Returns the path of a file of the checkout.
    static func file(_ path: String) -> String { Repository.root.appending(path: path).path }

    /// The program of this name in the usual places; nil if it is not installed.
    private static func program(_ name: String) -> URL? {
        ["/usr/bin", "/usr/local/bin"].map { URL(filePath: $0).appending(path: name) }
            .first { FileManager.default.isExecutableFile(atPath: $0.path) }
    }

    static let node = program("node")
    static let chromium = program("chromium")

    /// The reason why the engine cannot run here, or nil if it can.
    static var obstacle: String? {
        if node == nil { return "skipped: needs node" }
        return FileManager.default.fileExists(atPath: file(".build/play/engine.wasm"))
            ? nil : "skipped: needs the playground, which make play builds"
    }

    /// The reason why the page cannot be shown here, or nil if it can.
    static var obstacleToPage: String? { obstacle ?? (chromium == nil ? "skipped: needs chromium" : nil) }

    /// Returns true if a run takes the policy or profile at this place of its list. A debug build searches fifty times slower, so
    /// it takes a tenth.
    static func takes(_ place: Int) -> Bool {
        #if DEBUG
            place % 10 == 0
        #else
            true
        #endif
    }

    /// Returns the members of a request that state a policy.
    static func subject(_ protection: Accessibility, _ flags: AccessControlFlags, _ isKey: Bool) -> String {
        let words = flags.members.map(\.name).joined(separator: " ")
        return #""accessible":"\#(protection.name)","require":"\#(words)","key":\#(isKey)"#
    }

    /// Returns the answers of the engine in this process, on all cores.
    static func answers(to requests: [String]) -> [String] {
        var answers = [String](repeating: "", count: requests.count)
        answers.withUnsafeMutableBufferPointer { places in
            nonisolated(unsafe) let places = places
            DispatchQueue.concurrentPerform(iterations: requests.count) { place in
                places[place] = String(decoding: answer(Array(requests[place].utf8)), as: UTF8.self)
            }
        }
        return answers
    }
}

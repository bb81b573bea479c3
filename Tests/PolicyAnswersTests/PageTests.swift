import Foundation
import PlainText
import TestSupport
import Testing

/// The page of the playground in Chromium: with a mouse, with keys alone, at every width, and with a hostile link.
@Suite(.waitsForProcesses) struct PageTests {
    /// What `Play/drive-page.js` saw.
    struct Report: Decodable {
        struct Chosen: Decodable {
            let verdict: String
            let steps: [String]
            let link: String
            let swift: String
        }
        struct Shown: Decodable {
            let verdict: String
            let policy: String
        }
        struct Refused: Decodable {
            let verdict: String
            let swiftIsHidden: Bool
        }
        struct Cell: Decodable {
            let verdict: String
            let focus: String
        }
        struct Key: Decodable {
            let verdict: String
            let policy: String
            let aims: [String]
        }
        struct Hostile: Decodable {
            let hit: Bool
            let policy: String
            let images: Int
        }
        struct Proof: Decodable {
            let answer: String
            let situations: Int
            let moves: Int
            let steps: [String]
        }
        let firstVerdict: Int
        let verdict: String
        let cells: Int
        let steps: Int
        let chosen: Chosen
        let reopened: Shown
        let refused: Refused
        let cell: Cell
        let stops: Int
        let nameless: [String]
        let key: Key
        let overflow: [Int]
        let hostile: Hostile
        let blocked: Bool
        let proof: Proof
        let mistake: String
        let requests: [String]
        let errors: [String]
    }

    @Test(.enabled(if: Play.obstacleToPage == nil, "\(Play.obstacleToPage ?? "")"))
    func thePageAnswersAPerson() throws {
        let run = try Command.run(
            [Play.file("Play/drive-page.js"), try #require(Play.chromium).path, Play.file(".build/play/index.html")],
            program: try #require(Play.node))
        try #require(run.status == 0, "\(run.errors)")
        let report = try JSONDecoder().decode(Report.self, from: Data(run.output.utf8))

        #expect(report.verdict == "Never. Whatever passcode-thief does, they cannot read the secret.")
        #expect(report.cells == 44 && report.steps == 0)
        #expect(report.chosen.verdict == "Yes. passcode-thief can read the secret in 3 steps.")
        #expect(report.chosen.steps.count == 3)
        #expect(report.chosen.steps.first?.hasPrefix("Passcode-thief types the passcode.") == true)
        #expect(report.chosen.link.hasSuffix("index.html#require=biometryAny"))
        #expect(report.chosen.swift.contains("[.biometryAny]"))
        #expect(report.reopened.verdict == report.chosen.verdict)
        #expect(report.reopened.policy == "whenUnlockedThisDeviceOnly, biometryAny")
        #expect(report.refused.verdict.hasPrefix("userPresence + biometryAny is refused: "))
        #expect(report.refused.swiftIsHidden)
        #expect(report.cell.verdict == "Yes. snatcher can delete it, or make it useless in 1 step.")
        #expect(report.cell.focus == "snatcher, destroy: 1 step")
        #expect(report.stops > 30 && report.nameless.isEmpty)
        #expect(report.key.policy == "whenUnlockedThisDeviceOnly, biometryAny, privateKeyUsage")
        #expect(report.key.aims == ["person", "use", "list", "overwrite", "destroy"])
        #expect(report.overflow.isEmpty, "the page is wider than a window of this width")

        #expect(report.hostile.hit && report.hostile.images == 0)
        #expect(report.hostile.policy == "whenUnlockedThisDeviceOnly")
        #expect(report.blocked, "the page may make no request")
        #expect(report.requests.isEmpty)
        #expect(report.errors.isEmpty)

        #expect(report.proof.answer == "holds" && report.proof.steps.isEmpty)
        #expect(report.mistake == #"unknown profile "passcode-thieff": did you mean passcode-thief?"#)
        let here = try Answers.of(
            #"{"ask":"prove","accessible":"whenPasscodeSetThisDeviceOnly","require":"biometryCurrentSet","never":"read","against":"passcode-thief"}"#
        )
        #expect(here["situations"] == .number("\(report.proof.situations)"))
        #expect(here["moves"] == .number("\(report.proof.moves)"))
    }
}

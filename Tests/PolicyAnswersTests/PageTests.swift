import AccessPolicy
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
        struct Told: Decodable {
            let first: String
            let second: String
            let device: String
            let current: Int
            let back: String
            let end: String
            let runsCalmly: Bool
        }
        struct Played: Decodable {
            let said: [String]
            let trace: [String]
            let history: Int
            let past: String
            let undone: String
            let link: String
            let reopened: String
        }
        struct Compared: Decodable {
            struct Side: Decodable, Equatable {
                let differ: String
                let sentences: [String]
                let chosen: String
                let kept: String
                let marked: Int
                let cells: Int
            }
            let same: String
            let first: Side
            let link: String
            let swapped: Side
            let reopened: Side
            let isHidden: Bool
        }
        struct Suggested: Decodable {
            struct Found: Decodable {
                let says: String
                let counts: [String]
                let policies: [String]
                let command: String
            }
            let usual: Found
            let chosen: String
            let focus: String
            let stale: Int
            struct Aside: Decodable {
                let longest: Double
                let took: Double
                let counts: [String]
                let says: String
            }
            let link: String
            let clash: Found
            let aside: Aside
            let stopped: [String]
        }
        struct Printed: Decodable {
            let titles: [String]
            let facts: [String]
            let controls: Int
            let pages: Int
        }
        struct Hostile: Decodable {
            let links: Int
            let shown: [String]
            let names: Int
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
        let engineBytes: Int
        let pageBytes: Int
        let story: Told
        let play: Played
        let compare: Compared
        let suggest: Suggested
        let firstVerdict: Int
        let verdict: String
        let cells: Int
        let steps: [String]
        let reasons: [String]
        let refusals: [[String]]
        let chosen: Chosen
        let reopened: Shown
        let refused: Refused
        let cell: Cell
        let stops: Int
        let nameless: [String]
        let key: Key
        let overflow: [Int]
        let cut: [Int]
        let isFirst: Bool
        let printed: Printed
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

        #expect(report.verdict == "Yes. passcode-thief can read the secret in 3 steps.", "the page opens on an attack")
        #expect(report.cells == 44 && report.steps.count == 3)
        #expect(report.steps.first?.hasPrefix("Passcode-thief types the passcode.") == true)
        let rules: [Rule] = [.classOpen, .evidenceCounts, .waySatisfied]
        let said = rules.map(\.summary).joined(separator: "; ")
        #expect(report.reasons.last == "because \(said) \(rules.map(\.identifier).joined(separator: ", "))")
        // Each flag that cannot be added is off limits, with the reason beside it.
        let refused = AccessControlFlag.allCases.compactMap { flag -> [String]? in
            let flags: AccessControlFlags = [.biometryAny, AccessControlFlags(flag)]
            do throws(InvalidFlagsError) {
                _ = try AccessControl(protection: .whenUnlockedThisDeviceOnly, flags: flags)
                return nil
            } catch {
                return [flag.name, "Not available here: \(error.rule.summary)."]
            }
        }
        #expect(report.refusals == refused && refused.count > 1)
        #expect(report.chosen.verdict == "Never. Whatever passcode-thief does, they cannot read the secret.")
        #expect(report.chosen.steps.isEmpty)
        #expect(report.chosen.link.hasSuffix("index.html#require=biometryCurrentSet"))
        #expect(report.chosen.swift.contains("[.biometryCurrentSet]"))
        #expect(report.reopened.verdict == report.chosen.verdict)
        #expect(report.reopened.policy == "whenUnlockedThisDeviceOnly, biometryCurrentSet")
        #expect(report.story.first.hasPrefix("Before The device is locked"))
        #expect(report.story.second.hasPrefix("Step 2 of 3 Passcode-thief enrolls a finger of their own."))
        #expect(report.story.device.contains("enrolled: right index, the attacker's finger"))
        #expect(report.story.device.contains("key whenUnlocked open"))
        #expect(report.story.current == 1 && report.story.back.hasPrefix("Step 1 of 3"))
        #expect(report.story.end.hasPrefix("Step 3 of 3") && !report.story.runsCalmly)
        #expect(
            report.play.said == [
                "Lock: done.", "Show the attacker's finger: refused: the finger or face is wrong.", "Type 1234: done.",
                "Hand the device to passcode-thief: done.", "Passcode-thief: enroll the attacker's finger: done.",
                "The app reads the secret: asks for biometry.", "The app reads the secret: granted by biometry.",
            ])
        #expect(report.play.trace == ["class.open", "evidence.counts", "way.proved"] && report.play.history == 6)
        #expect(report.play.past.hasPrefix("The device: Locked, held by owner"))
        #expect(report.play.undone == "The app asks for biometry." && report.play.reopened == report.play.undone)
        #expect(report.play.link.contains("&steps=%5B%22lock%22%2C"))
        #expect(report.compare.same == "Both give the same 44 answers.")
        #expect(report.compare.first.differ == "They differ in 4 of 44 answers.")
        #expect(report.compare.first.sentences.first == "injured-finger, read: never if chosen, 3 steps if kept.")
        #expect(report.compare.first.marked == 8 && report.compare.first.cells == 88)
        #expect(report.compare.first.kept == "whenUnlockedThisDeviceOnly, biometryAny")
        #expect(report.compare.swapped.chosen == report.compare.first.kept)
        #expect(report.compare.swapped.kept == report.compare.first.chosen)
        #expect(report.compare.link == "#require=biometryCurrentSet&kept=whenUnlockedThisDeviceOnly+biometryAny")
        #expect(report.compare.reopened == report.compare.first && report.compare.isHidden)
        #expect(report.suggest.usual.says == "3 policies ask least of the owner, of the 280 that were searched.")
        #expect(
            report.suggest.usual.counts.first == "never read against passcode-thief: 203 of 280 policies satisfy it")
        #expect(report.suggest.chosen == report.suggest.usual.policies.first)
        #expect(report.suggest.focus == "Goal 3: kind" && report.suggest.stale == 0)
        #expect(report.suggest.link.hasSuffix("&goals=eventually-can+read+by+owner%3Beventually-can+read+by+snatcher"))
        #expect(
            report.suggest.clash.says
                == "No policy makes these true together: eventually-can read by borrower; never read against borrower.")
        #expect(
            report.suggest.clash.command
                == #"latchkey suggest "eventually-can read by borrower" "never read against borrower""#)
        let aside = report.suggest.aside
        #expect(aside.counts.count > 10 && aside.counts.first == "8 policies searched", "it tells how far it is")
        #expect(aside.longest < aside.took / 4, "the page was busy for \(aside.longest) of \(aside.took) ms")
        #expect(report.suggest.stopped == ["Stopped.", "suggest", "true", "Stopped.", "0"])
        #expect(report.engineBytes <= 200_000 && report.pageBytes < 600_000)
        #expect(report.refused.verdict.hasPrefix("userPresence + biometryAny is refused: "))
        #expect(report.refused.swiftIsHidden)
        #expect(report.cell.verdict == "Yes. snatcher can delete it, or make it useless in 1 step.")
        #expect(report.cell.focus == "snatcher, destroy: 1 step")
        #expect(report.stops > 30 && report.nameless.isEmpty)
        #expect(report.key.policy == "whenUnlockedThisDeviceOnly, biometryAny, privateKeyUsage")
        #expect(report.key.aims == ["person", "use", "list", "overwrite", "destroy"])
        #expect(report.overflow.isEmpty, "the page is wider than a window of this width")
        #expect(report.cut.isEmpty, "a line of code is wider than its box in a window of this width")
        #expect(report.isFirst, "in a narrow window the question and the verdict come before the form")

        #expect(report.printed.titles.first == "The verdict" && report.printed.titles.count == 5)
        #expect(report.printed.facts.contains("never destroy against snatcher"))
        #expect(report.printed.facts.contains { $0.contains("#require=biometryAny&against=snatcher&aim=destroy") })
        #expect(report.printed.controls == 0 && report.printed.pages == 1, "the report has one page and no control")
        #expect(report.hostile.hit && report.hostile.images == 0)
        #expect(report.hostile.links > 100 && report.hostile.shown.isEmpty, "links that ran or broke something")
        #expect(report.hostile.names == 4, "a name of markup is shown as text")
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

import Foundation
import LatchkeyCLI
import TestSupport
import Testing

/// `latchkey report`, run as a user would run it.
@Suite(.waitsForProcesses) struct ReportCommandTests {
    private func run(_ arguments: String...) throws -> Command.Run { try Command.run(["report"] + arguments) }

    private static let claims = """
        name: the token keeps thieves out
        items:
          token: { accessible: whenPasscodeSetThisDeviceOnly, require: biometryCurrentSet }
          spare: { accessible: whenUnlockedThisDeviceOnly, require: biometryAny }
        claims:
          - { never: read, item: token, against: passcode-thief }
          - { never: read, item: spare, against: passcode-thief }

        """

    /// Writes a file with `text`. The returned folder removes it in the end.
    private func file(_ text: String = claims, name: String = "claims.yaml") throws -> (path: String, TemporaryFolder) {
        let folder = try TemporaryFolder()
        let path = folder.path(name)
        try text.write(toFile: path, atomically: true, encoding: .utf8)
        return (path, folder)
    }

    /// Returns true if `text` has all of `parts` in this order.
    private func isInOrder(_ parts: [String], in text: String) -> Bool {
        var rest = text[...]
        for part in parts {
            guard let range = rest.range(of: part) else { return false }
            rest = rest[range.upperBound...]
        }
        return true
    }

    @Test func theBottomLineComesFirst() throws {
        let (path, folder) = try file()
        defer { withExtendedLifetime(folder) {} }
        let order = [
            "Review: claims.yaml", "✘ Fails in 3 steps: never read against passcode-thief, of spare.",
            "1 of 9 attackers reads token: coerced-finger in 2 steps", "attackers read spare: ",
        ]
        let page = try run(path).output
        let body = try #require(page.components(separatedBy: "<body>").last)
        #expect(
            isInOrder(
                order + [
                    "<dt>Covers</dt><dd>token and spare; 2 claims</dd>",
                    "<dt>Made with</dt><dd>Latchkey \(Latchkey.version)</dd>", "<h2>Claims</h2>",
                    "Assumed for every claim: The app offers a way to delete", "line 6</p>",
                    "passcode-thief enrolls a finger of their own<small>because the settings ask for the passcode",
                    "<h2>token: when<wbr/>Passcode<wbr/>Set<wbr/>This<wbr/>Device<wbr/>Only, biometry<wbr/>Current<wbr/>Set</h2>",
                    "If a finger is added or removed, the item is invalidated for good", "MASTG-TEST-0266 passes",
                    "<h3>How to read the table</h3>", "<h3>Assumptions</h3>", "<code>deletes: true</code>",
                    "<caption><span>Who can do it", "<h3>Shortest attacks: read</h3>",
                    "<h4>coerced-finger, read</h4>", "<h2>spare: ", "<h4>passcode-thief, read</h4>", "<h2>Limits</h2>",
                ], in: body), "\(body)")
        let text = try run(path, "--format", "text").output
        #expect(
            isInOrder(
                order + [
                    "Covers: token and spare; 2 claims\n", "Claims\n",
                    "fails  never read against passcode-thief, of spare", "assuming deletes: true",
                ],
                in: text), "\(text)")
    }

    @Test func theStatusIsThatOfTheClaims() throws {
        func claim(_ words: String) -> String {
            "name: x\nitems: { spare: { require: biometryAny } }\nclaims:\n  - { never: read, item: spare, \(words) }\n"
        }
        let (fails, first) = try file(claim("against: passcode-thief"))
        let (holds, second) = try file(claim("against: watch-thief"))
        let (expected, third) = try file(claim("against: passcode-thief, expect: fails"))
        defer { withExtendedLifetime((first, second, third)) {} }
        for (path, status) in [(fails, Int32(1)), (holds, 0), (expected, 0)] {
            let report = try run(path, "--output", path + ".html")
            #expect(report.status == status && report.errors == "Wrote \(path).html.\n")
            #expect(try Command.run("prove", path).status == status)
            let page = try String(contentsOfFile: path + ".html", encoding: .utf8)
            let good = "✔ The claim of the file came out as expected."
            #expect(page.contains(good) == (status == 0))
        }

        let (broken, fourth) = try file("name: x\nitems: { token: { requir: none } }\nsteps: [lock]\n")
        let (empty, fifth) = try file("name: x\nsteps: [lock]\n")
        defer { withExtendedLifetime((fourth, fifth)) {} }
        #expect(try run(broken).status == 2 && run(broken).output.isEmpty)
        let nothing = try run(empty)
        #expect(nothing.status == 2 && nothing.errors.hasSuffix(" declares no item, no policy and no file\n"))
    }

    @Test func theReportIsTheSameEachTimeAndHasNoDateOfItsOwn() throws {
        let folder = try TemporaryFolder()
        let page = try run("--require", "biometryCurrentSet").output
        #expect(!page.contains(/20\d\d-\d\d/))
        let target = folder.path("review.html")
        let written = try run("--require", "biometryCurrentSet", "--output", target)
        #expect(written.status == 0 && written.output.isEmpty && written.errors == "Wrote \(target).\n")
        #expect(try String(contentsOfFile: target, encoding: .utf8) == page)
        let dated = try run("--require", "biometryCurrentSet", "--date", "2026-03-01").output
        let row = "<dl class=\"facts\">\n"
        #expect(dated == page.replacing(row, with: row + "<dt>Date</dt><dd>2026-03-01</dd>\n") && dated != page)
    }

    @Test func theHeadStatesWhatTheOptionsSay() throws {
        let options = [
            "--title", "Token storage", "--scope", "the keychain of the app", "--app-version", "4.1 (812)", "--author",
            "Security team", "--date", "2026-03-01",
        ]
        let page = try Command.run(["report", "--require", "biometryCurrentSet"] + options).output
        #expect(page.contains("<title>Token storage</title>"))
        #expect(
            isInOrder(
                [
                    "<h1>Token storage</h1>", "<dt>Scope</dt><dd>the keychain of the app</dd>",
                    "<dt>Version</dt><dd>4.1 (812)</dd>", "<dt>Author</dt><dd>Security team</dd>",
                    "<dt>Date</dt><dd>2026-03-01</dd>", "<dt>Covers</dt><dd>the item</dd>",
                ], in: page))
        let text = try Command.run(["report", "--require", "biometryCurrentSet", "--format", "text"] + options).output
        #expect(text.hasPrefix("Token storage\n\n✘ "))
        #expect(
            text.contains(
                "\nScope: the keychain of the app\nVersion: 4.1 (812)\nAuthor: Security team\nDate: 2026-03-01\nCovers: the item\n"
            ))
    }

    /// The page in windows of several widths, as `Play/measure-page.js` sees it.
    private struct Measure: Decodable {
        let width: Int
        let isTooWide: Bool
        let tables: Int
        let scrolling: Int
        let unsigned: Int
        let unreachable: Int
        let cut: Int
    }

    @Test(
        .enabled(if: LivePageReport.obstacle == nil, "\(LivePageReport.obstacle ?? "")"),
        arguments: [["report"], ["matrix", "--format", "html"]])
    func aNarrowWindowShowsEverything(_ command: [String]) throws {
        let folder = try TemporaryFolder()
        let path = folder.path("page.html")
        let page = try Command.run(
            command + ["--accessible", "whenPasscodeSetThisDeviceOnly", "--require", "biometryCurrentSet"])
        try page.output.write(toFile: path, atomically: true, encoding: .utf8)
        let script = Repository.root.appending(path: "Play/measure-page.js").path
        let run = try Command.run([script, LivePageReport.chromium, path], program: URL(filePath: LivePageReport.node))
        let measures = try JSONDecoder().decode([Measure].self, from: Data(run.output.utf8))
        #expect(measures.count == 4)
        for measure in measures {
            #expect(!measure.isTooWide && measure.tables > 0 && measure.cut == 0, "\(measure)")
            #expect(measure.unsigned == 0 && measure.unreachable == 0, "\(measure)")
            #expect((measure.scrolling > 0) == (measure.width < 600), "\(measure)")
        }
    }

    @Test func hostileNamesInjectNoMarkup() throws {
        let hostile = #"<script>alert(1)</script>"&'<img src=x onerror=alert(2)>"#
        let quoted = hostile.replacing("\"", with: "\\\"")
        let (path, folder) = try file(
            """
            name: "\(quoted)"
            items: { "\(quoted)": { require: biometryAny } }
            files: { "\(quoted)": complete }
            attackers: { "clerk": { like: passcode-thief } }
            claims:
              - { never: read, item: "\(quoted)", against: clerk }

            """, name: "<img src=x onerror=alert(3)>.yaml")
        defer { withExtendedLifetime(folder) {} }
        let run = try run(
            path, "--date", hostile, "--title", hostile, "--scope", hostile, "--app-version", hostile, "--author",
            hostile)
        #expect(run.status == 1, "\(run.errors)")
        #expect(run.output.contains("&lt;script&gt;alert(1)&lt;/script&gt;"))
        // Every tag of the page is one of its own, and none has an attribute that runs anything or loads anything.
        let body = try #require(run.output.components(separatedBy: "</style>").last)
        for tag in body.matches(of: /<[^>]*>/) {
            #expect(
                try /<\/?[a-z0-9]+( (class|scope|role|tabindex|colspan|aria-label)="[A-Za-z0-9, ]+")*\/?>/
                    .wholeMatch(in: tag.output) != nil, "\(tag.output)")
        }
        #expect(!body.contains("<script") && !body.contains("<img") && !run.output.contains("http"))
    }

    @Test(arguments: [
        (["--require", "biometryCurrentSet"], "1 of 9 attackers reads the item: coerced-finger in 2 steps"),
        (["--require", "biometryCurrentSet", "--key"], "1 of 9 attackers uses the key: coerced-finger in 2 steps"),
        (
            ["--accessible", "whenUnlocked", "--require", "applicationPassword"],
            "No attacker of these profiles ever reads the item."
        ),
        (["--file", "complete"], "attackers read the file: "),
    ])
    func aPolicyInOptionsHasAReport(_ options: [String], _ bottomLine: String) throws {
        let text = try Command.run(["report", "--format", "text"] + options)
        #expect(text.status == 0 && text.output.contains(bottomLine))
        #expect(text.errors.isEmpty)
        // The table is the one of `latchkey threats`, whose first line is the policy.
        let threats = try Command.run(["threats"] + options).output
        #expect(text.output.contains(threats.drop { $0 != "\n" }.dropFirst()))
    }
}

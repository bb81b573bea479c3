import Foundation
import PolicyProver
import PolicyReports
import PolicyScenarios
import ScenarioFormat
import TestSupport
import Testing

/// Tests that the numbers of a report on claims are those of the verdicts.
@Suite struct ProofNumberTests {
    /// Claims that come out in every way. The last of them needs a longer search than the limit allows.
    private static let text = """
        name: every outcome
        items:
          token: { accessible: whenPasscodeSetThisDeviceOnly, require: biometryCurrentSet }
          spare: { require: biometryAny }
        claims:
          - { never: read, item: token, against: snatcher }
          - { never: destroy, item: spare, against: snatcher, expect: fails }
          - { never: destroy, item: spare, against: snatcher }
          - { eventually-can: read, item: token }
          - { eventually-can: read, item: token, expect: fails }
          - { at-most-prompts: 1, item: token, workflow: [read, read] }
          - { gone-after-enrollment-change: token }
          - { never: read, item: token, against: passcode-thief }

        """

    /// Proves the claims of a text, the last of them with the search limited to `limit` situations.
    private static func proofs(_ text: String, of path: String, lastWithin limit: Int? = nil) async throws -> [Proof] {
        let file = ScenarioFile(bytes: Array(text.utf8), of: path)
        try #require(file.mistakes.map(\.description) == [])
        let (propositions, mistakes) = Proposition.all(of: file.scenarios)
        try #require(mistakes.map(\.description) == [])
        var proofs: [Proof] = []
        for (place, proposition) in propositions.enumerated() {
            let isLimited = place == propositions.count - 1
            let limits = limit.flatMap { isLimited ? SearchLimits(situations: $0) : nil } ?? SearchLimits()
            proofs.append(await proposition.prove(limits: limits))
        }
        return proofs
    }

    private static func everyOutcome() async throws -> [Proof] {
        let proofs = try await proofs(text, of: "x.yaml", lastWithin: 2)
        #expect(Set(proofs.map(\.verdict.answer)) == [.holds, .fails, .undecided])
        #expect(proofs.contains { $0.isAsExpected } && proofs.contains { $0.isOtherwise })
        return proofs
    }

    /// The numbers of claims as expected, otherwise and undecided, counted anew.
    private static func counts(_ proofs: [Proof]) -> [Int] {
        var counts = [0, 0, 0]
        for proof in proofs {
            switch (proof.verdict.answer, proof.proposition.expectsHold) {
            case (.holds, true), (.fails, false): counts[0] += 1
            case (.holds, false), (.fails, true): counts[1] += 1
            case (.undecided, _): counts[2] += 1
            }
        }
        return counts
    }

    private struct Report: Decodable {
        struct Claim: Decodable {
            struct Attack: Decodable {
                struct Step: Decodable { let who: String, does: String, because: String }
                let steps: [Step], inVain: [Step]
            }
            let claim: String, answer: String, asExpected: Bool, situations: Int, depth: Int, moves: Int
            let file: String?, line: Int?, column: Int?, story: Attack?
        }
        let asExpected: Int, otherwise: Int, undecided: Int, claims: [Claim]
    }

    /// Expects that the report in JSON says what the proofs say.
    private static func compareJSON(_ proofs: [Proof], _ name: String) throws {
        let report = try JSONDecoder().decode(Report.self, from: Data(ReportTexts.text(.json, on: proofs).utf8))
        #expect([report.asExpected, report.otherwise, report.undecided] == counts(proofs), "\(name)")
        #expect(report.claims.count == proofs.count)
        for (claim, proof) in zip(report.claims, proofs) {
            let verdict = proof.verdict
            #expect(claim.claim == "\(proof.proposition.claim)" && claim.answer == "\(verdict.answer)", "\(name)")
            #expect(claim.asExpected == proof.isAsExpected)
            #expect(claim.situations == verdict.extent.situations && claim.moves == verdict.extent.moves)
            #expect(claim.depth == verdict.extent.depth)
            #expect(claim.line == proof.proposition.position?.line && claim.file == proof.proposition.position?.file)
            #expect(claim.column == proof.proposition.position?.column)
            #expect(claim.story?.steps.count == verdict.story?.steps.count)
            #expect(claim.story?.inVain.count == verdict.story?.inVain.count)
        }
    }

    @Test func jsonHasTheNumbersOfTheVerdicts() async throws {
        try Self.compareJSON(try await Self.everyOutcome(), "every outcome")
    }

    /// The claims of the fixtures are proved twice, and the report on the first proofs has the numbers of the second.
    @Test func theNumbersOfTheFixturesAreProvedAgain() async throws {
        var claims = 0
        for fixture in try ScenarioFixtures.all() where fixture.name.hasPrefix("claims/") {
            let first = try await Self.proofs(fixture.text, of: fixture.path)
            let second = try await Self.proofs(fixture.text, of: fixture.path)
            try Self.compareJSON(first, fixture.name)
            for format in ProofFormat.allCases {
                #expect(ReportTexts.text(format, on: first) == ReportTexts.text(format, on: second), "\(fixture.name)")
            }
            claims += first.count
        }
        #expect(claims >= 9)
    }

    @Test func everyFormatCountsTheSame() async throws {
        let proofs = try await Self.everyOutcome()
        let counts = Self.counts(proofs)

        let junit = try Markup(ReportTexts.text(.junit, on: proofs))
        let numbers = ["tests", "failures", "errors"].map { junit.values[$0] ?? [] }
        #expect(numbers == [proofs.count, counts[1], counts[2]].map { ["\($0)", "\($0)"] }, "of all, and of the file")
        #expect(
            ["testcase", "failure", "error"].map { junit.count($0) } == [proofs.count, counts[1], counts[2]])

        struct Log: Decodable {
            struct Run: Decodable {
                struct Result: Decodable { let ruleId: String, kind: String, level: String }
                let results: [Result]
            }
            let runs: [Run]
        }
        let log = try JSONDecoder().decode(Log.self, from: Data(ReportTexts.text(.sarif, on: proofs).utf8))
        let results = try #require(log.runs.first).results
        #expect(["pass", "fail", "open"].map { kind in results.count { $0.kind == kind } } == counts)
        #expect(results.allSatisfy { ($0.level == "error") == ($0.kind == "fail") })

        let marks = ReportTexts.text(.github, on: proofs).split(separator: "\n")
        #expect(["notice", "error", "warning"].map { kind in marks.count { $0.hasPrefix("::\(kind) ") } } == counts)
        let bottomLine = "\(counts[0]) claims as expected, \(counts[1]) not, \(counts[2]) undecided"
        #expect(marks.last.map { String($0) } == bottomLine)

        let lines = ReportTexts.text(.human, on: proofs).split(separator: "\n")
        #expect(lines.last.map { String($0) } == bottomLine)
        for answer in ["holds", "fails", "undecided"] {
            let expected = proofs.count { "\($0.verdict.answer)" == answer }
            #expect(lines.count { $0.hasPrefix("\(answer)  ") } == expected, "\(answer)")
        }
    }

    /// The bottom line of a review has the claims that did not come out as expected, and its list has all of them.
    @Test func aReviewCountsItsClaims() async throws {
        let proofs = try await Self.everyOutcome()
        let review = ReviewPage(ReviewCover(of: "x", program: "1"), pages: [], proofs: proofs)
        let counts = Self.counts(proofs)
        #expect([review.count.asExpected, review.count.otherwise, review.count.undecided] == counts)
        let page = try Markup(review.html)
        #expect(page.count("b") == proofs.count)
        let stories = proofs.compactMap { $0.verdict.story }
        let told = stories.map { $0.steps.count + $0.inVain.count }
        #expect(page.count("small") == told.reduce(0, +), "each step with its reason")
        // An item of a list for each finding, each claim and each step.
        #expect(page.count("li") == counts[1] + counts[2] + proofs.count + told.reduce(0, +))
    }

    // MARK: - Nothing to report

    /// A report on nothing is whole, and says that there was nothing.
    @Test(arguments: ProofFormat.allCases) func aReportOnNoClaimIsWhole(format: ProofFormat) throws {
        let text = ReportTexts.text(format, on: [])
        switch format {
        case .human, .github: #expect(text == "0 claims as expected\n")
        case .json:
            let report = try JSONDecoder().decode(Report.self, from: Data(text.utf8))
            #expect([report.asExpected, report.otherwise, report.undecided] == [0, 0, 0] && report.claims.isEmpty)
        case .junit: #expect(try Markup(text).tags == ["testsuites errors failures name tests", "/testsuites"])
        case .sarif:
            let log = try JSONSerialization.jsonObject(with: Data(text.utf8)) as? [String: Any]
            let results = (log?["runs"] as? [[String: Any]])?.first?["results"] as? [Any]
            #expect(results?.isEmpty == true)
        }
    }

    @Test(arguments: ReportFormat.allCases) func aReportOnNoScenarioIsWhole(format: ReportFormat) throws {
        let text = ReportTexts.text(format, on: [])
        switch format {
        case .human, .github: #expect(text == "0 passed; 0 steps\n")
        case .tap: #expect(text == "TAP version 14\n1..0\n")
        case .json:
            let report = try JSONSerialization.jsonObject(with: Data(text.utf8)) as? [String: Any]
            #expect((report?["scenarios"] as? [Any])?.isEmpty == true)
            #expect(["passed", "failed", "notRun", "steps"].allSatisfy { report?[$0] as? Int == 0 })
        case .junit: #expect(try Markup(text).tags == ["testsuites failures name tests", "/testsuites"])
        case .html:
            let page = try Markup(text)
            #expect(page.text.contains("0 passed, 0 failed; 0 steps") && page.count("details") == 0)
        }
    }

    @Test func pagesOfNothingAreWhole() throws {
        for text in [MatrixPage.json([]), FileMatrixPage.json([])] {
            #expect(try (JSONSerialization.jsonObject(with: Data(text.utf8)) as? [Any])?.isEmpty == true)
        }
        for text in [MatrixPage.csv([]), FileMatrixPage.csv([])] {
            #expect(try MatrixPageTests.records(text).count == 1, "the header")
        }
        for text in [MatrixPage.html([]), FileMatrixPage.html([])] { #expect(try Markup(text).count("table") == 0) }
        let review = ReviewPage(ReviewCover(of: "x", program: "1"), pages: [], proofs: [])
        #expect(try Markup(review.html).text.contains("Review: x"))
        #expect(AttackFile.text(of: []) == nil)
    }
}

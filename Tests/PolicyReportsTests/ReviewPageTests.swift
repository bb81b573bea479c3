import AccessPolicy
import DeviceModel
import PolicyProver
import PolicyReports
import PolicyScenarios
import Testing

/// The page that a reviewer gets: its bottom line agrees with its table, and it reads without the words of files.
@Suite struct ReviewPageTests {
    private static func page(_ flags: AccessControlFlags, isKey: Bool = false) throws -> (ThreatsPage, String) {
        let control = try AccessControl(protection: .whenPasscodeSetThisDeviceOnly, flags: flags)
        let threats = try ThreatsPage(
            name: "", MatrixPolicy(control, isKey: isKey), on: MatrixDevice(DevicePreset.usual))
        return (threats, ReviewPage(ReviewCover(of: "x", program: "1"), pages: [threats], proofs: []).html)
    }

    /// Returns the parts of `text` between two others.
    private static func parts(of text: String, from start: String, to end: String) -> [Substring] {
        text.split(separator: start).dropFirst().compactMap { $0.split(separator: end).first }
    }

    @Test func theBottomLineCountsTheRowsOfAttackers() throws {
        let (_, html) = try Self.page([.biometryCurrentSet])
        let bodies = Self.parts(of: html, from: "<tbody>", to: "</tbody>")
        let rows = bodies.map { $0.split(separator: "<th scope=\"row\">").count - 1 }
        #expect(rows == [Profile.all.count { $0.isOwner }, Profile.all.count { !$0.isOwner }])
        #expect(bodies[0].contains("<span>The owner</span>") && bodies[1].contains("<span>\(rows[1]) attackers</span>"))
        #expect(html.contains("1 of \(rows[1]) attackers reads the item"))
        #expect(html.contains("The rows are \(rows[1]) attackers, and the owner in \(rows[0]) rows."))
    }

    /// A cell says in words what it would be otherwise, and the words of each assumption are in the legend before the table.
    @Test func aCellReadsWithoutTheLegend() throws {
        let (_, html) = try Self.page([.biometryCurrentSet])
        let cells = Self.parts(of: html, from: "<td", to: "</td>")
        #expect(cells.allSatisfy { !$0.contains("·") })
        let table = try #require(html.firstRange(of: "<table>"))
        var conditions: Set<String> = []
        for assumption in Assumption.allCases {
            for word in assumption.words.dropFirst() {
                let meaning = assumption.meaning(of: word)
                #expect(html[..<table.lowerBound].contains(meaning.statement), "\(meaning.statement)")
                conditions.insert(meaning.condition)
            }
            #expect(html[..<table.lowerBound].contains(assumption.meaning(of: assumption.words[0]).statement))
        }
        for condition in conditions where condition != "Stolen Device Protection is on" {
            #expect(cells.contains { $0.contains("if \(condition)</small>") }, "\(condition)")
        }
    }

    /// Each reason is a sentence, and the identifiers of the rules are beside it.
    @Test func aReasonIsASentenceBeforeItIsAnIdentifier() throws {
        let (_, html) = try Self.page([.biometryAny])
        let reasons = Self.parts(of: html, from: "<small>because ", to: "</small>")
        #expect(reasons.count > 5)
        for reason in reasons {
            let parts = reason.split(separator: " <code>")
            for rule in Rule.allCases where parts.count == 2 && parts[1].contains("\(rule.identifier)<") {
                #expect(
                    parts[0].contains(rule.summary.replacing("'", with: "&#39;")) || parts[0].contains(rule.summary))
            }
            #expect(Rule.allCases.allSatisfy { !parts[0].contains($0.identifier) }, "\(reason)")
        }
        #expect(reasons.contains { $0.contains(", \(Rule.waySatisfied.identifier)</code>") })
    }

    /// Every table scrolls inside a region that the keyboard reaches and a screen reader names.
    @Test func everyTableIsInARegion() throws {
        let (threats, html) = try Self.page([.biometryAny, .privateKeyUsage], isKey: true)
        #expect(threats.aims.contains(.use))
        let page = try Markup(html)
        let regions = page.tags.indices.filter { page.tags[$0] == "div aria-label class role tabindex" }
        #expect(regions.count == page.count("table") && !regions.isEmpty)
        #expect(regions.allSatisfy { page.tags[$0 + 1] == "table" })
        #expect(page.values["aria-label"]?.allSatisfy { !$0.isEmpty } == true)
        #expect(
            page.values["tabindex"] == regions.map { _ in "0" } && page.values["role"] == regions.map { _ in "region" })
    }

    /// The words of a policy can break at their capitals, and lose no letter by it.
    @Test(arguments: Accessibility.allCases) func aLongWordBreaksAtItsCapitals(class protection: Accessibility) throws {
        let threats = try ThreatsPage(
            name: "aNameOfAFile", MatrixPolicy(AccessControl(protection)), on: MatrixDevice(DevicePreset.usual))
        let html = ReviewPage(ReviewCover(of: "x", program: "1"), pages: [threats], proofs: []).html
        let heading = try #require(Self.parts(of: html, from: "<h2>", to: "</h2>").first)
        #expect(heading.replacing("<wbr/>", with: "") == "aNameOfAFile: \(protection.name)")
        #expect(heading.split(separator: "<wbr/>").count == protection.name.count { $0.isUppercase } + 1)
    }
}

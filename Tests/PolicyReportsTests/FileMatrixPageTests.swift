import AccessPolicy
import Foundation
import PolicyReports
import PolicyScenarios
import ScenarioFormat
import Testing

/// The pages about the protection classes of files, in every format.
@Suite struct FileMatrixPageTests {
    private let pages = [FileMatrixPage(on: MatrixDevice())]

    private func pages(of text: String) -> [FileMatrixPage] {
        let file = ScenarioFile(bytes: Array(text.utf8), of: "files.yaml")
        #expect(file.mistakes.map(\.description) == [])
        return FileMatrixPage.pages(of: file)
    }

    /// The number of answers: all accesses but the move of a file to its own class.
    private var cells: Int {
        let moves = FileProtection.allCases.count * (FileProtection.allCases.count - 1)
        return (4 * FileProtection.allCases.count + moves) * FileMatrix(on: MatrixDevice()).conditions.count
    }

    @Test func theTableNamesEveryClassAndRule() {
        let text = FileMatrixPage.table(pages, colored: false)
        for protection in FileProtection.allCases { #expect(text.contains("\(protection.letter) \(protection)")) }
        for rule in FileRule.allCases where rule.facts.effect == .denies {
            #expect(text.contains("] ") && text.contains(rule.identifier), "\(rule.identifier)")
        }
        #expect(text.contains("locked eleven seconds ago") && text.contains("restarted, not unlocked since"))
        #expect(text.split(separator: "\n").allSatisfy { !$0.hasSuffix(" ") })
    }

    @Test func markdownHasARowForEachConditionAndAccess() {
        let lines = FileMatrixPage.markdown(pages).split(separator: "\n")
        let rows = lines.filter { $0.hasPrefix("| unlocked |") }
        #expect(rows.count == FileMatrix.Use.all.count)
        #expect(lines.contains("| restarted, not unlocked since | no [2] | yes | no [2] | yes |"))
    }

    @Test func csvHasARecordForEachCell() {
        let lines = FileMatrixPage.csv(pages).split(whereSeparator: \.isNewline)
        #expect(lines.count == cells + 1)
        #expect(lines.contains(",complete,open,,locked,locked eleven seconds ago,no,file.locked"))
        #expect(lines.contains(",none,protect,complete,unlocked,unlocked,yes,file.class-open"))
    }

    @Test func jsonHasEveryCell() throws {
        struct Page: Decodable {
            struct Cell: Decodable {
                let access: String, to: String?, condition: String, granted: Bool, rule: String
                let `class`: String
            }
            struct Column: Decodable {
                let letter: String
                let files: [String]
            }
            let isSetUp: Bool
            let classes: [Column]
            let cells: [Cell]
        }
        let text = FileMatrixPage.json(pages)
        let page = try #require(try JSONDecoder().decode([Page].self, from: Data(text.utf8)).first)
        #expect(page.isSetUp && page.classes.map(\.letter) == ["A", "B", "C", "D"])
        #expect(page.cells.count == cells)
        let matrix = FileMatrix(on: MatrixDevice())
        for cell in page.cells where cell.access == "open" {
            let protection = try #require(FileProtection.allCases.first { $0.name == cell.class })
            let condition = try #require(MatrixCondition(rawValue: cell.condition))
            #expect(matrix.rule(.open, of: protection, in: condition)?.identifier == cell.rule)
        }
    }

    @Test func htmlIsOnePageWithoutReferences() {
        let text = FileMatrixPage.html(pages)
        #expect(text.hasPrefix("<!DOCTYPE html>") && text.hasSuffix("</html>\n"))
        #expect(!text.contains("http") && !text.contains("<script"))
        #expect(text.components(separatedBy: "<td class=").count - 1 >= cells)
    }

    @Test func aScenarioShowsTheClassesOfItsFiles() {
        let pages = pages(
            of: """
                name: x
                files: { journal: complete, draft: complete, cache: none }
                steps: [lock]
                """)
        #expect(pages.count == 1)
        let text = FileMatrixPage.table(pages, colored: false)
        #expect(text.contains("journal, draft: A complete") && text.contains("cache: D none"))
        #expect(!text.contains("C completeUntilFirstUserAuthentication"))
    }

    @Test func aScenarioWithoutFilesHasNoPage() {
        #expect(pages(of: "name: x\nsteps: [lock]").isEmpty)
    }
}

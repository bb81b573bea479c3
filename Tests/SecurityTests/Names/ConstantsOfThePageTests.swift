import Foundation
import Security
import TestSupport
import Testing

/// Comparisons of section 2 of the page with the constants of the module.
@Suite struct ConstantsOfThePageTests {
    let page: Page
    let constants = keysByName.merging(valuesByName) { first, _ in first }

    init() throws { page = try Page() }

    private static let tables = [
        "2.1", "2.2", "2.3", "2.4", "2.5", "2.6", "2.7", "2.8", "2.9", "2.10", "2.13", "2.14",
    ]
    private static let lists = [("2.11", "kSecAttrProtocol", 31), ("2.12", "kSecAttrAuthenticationType", 8)]

    /// Returns the public rows of a table.
    private func publicRows(of section: String) -> [Page.Row] {
        page.rows(of: section).filter { !$0.note.hasPrefix("private") }
    }

    /// Returns the names and values that a section lists in a line.
    private func listed(in section: String, _ prefix: String) -> [(name: String, value: String)] {
        page.text(of: section).matches(of: /([A-Za-z0-9]+) `([^`]*)`/).map { (prefix + $0.1, String($0.2)) }
    }

    @Test(arguments: tables) func everyPublicRowIsAConstant(_ section: String) throws {
        let rows = publicRows(of: section)
        #expect(rows.count >= 3)
        for row in rows {
            let constant = try #require(constants[row.name], "\(row.name) is missing")
            #expect("`\(constant)`" == row.value, "\(row.name)")
        }
    }

    @Test(arguments: lists) func everythingListedIsAConstant(_ section: String, _ prefix: String, count: Int) throws {
        let listed = listed(in: section, prefix)
        #expect(listed.count == count)
        for (name, value) in listed {
            #expect(value.utf8.count == 4, "\(name)")
            #expect(constants[name] == value, "\(name)")
        }
    }

    @Test func noConstantIsMissingOnThePage() {
        let ofTables = Self.tables.flatMap { publicRows(of: $0).map(\.name) }
        let ofLists = Self.lists.flatMap { listed(in: $0.0, $0.1).map(\.name) }
        #expect(Set(ofTables + ofLists) == Set(constants.keys))
    }

    @Test func everyConstantOfTheModuleIsInTheTables() throws {
        #expect(try Module.names(in: "Constants", with: "kSec") == Set(constants.keys))
    }

    @Test func noPrivateNameIsPublic() {
        let hidden = Self.tables.flatMap { page.rows(of: $0) }.filter { $0.note.hasPrefix("private") }.map(\.name)
        #expect(hidden.count > 20)
        #expect(hidden.filter { constants[$0] != nil } == [])
    }
}

/// The source of the module.
enum Module {
    /// Returns the public constants in a folder whose names have this prefix.
    static func names(in folder: String, with prefix: String) throws -> Set<String> {
        let folder = Repository.root.appending(path: "Sources/Security/\(folder)")
        var names: Set<String> = []
        for file in try FileManager.default.contentsOfDirectory(at: folder, includingPropertiesForKeys: nil) {
            let source = try String(contentsOf: file, encoding: .utf8)
            for match in source.matches(of: /public (?:nonisolated\(unsafe\) )?let (\w+):/)
            where match.1.hasPrefix(prefix) {
                names.insert(String(match.1))
            }
        }
        return names
    }
}

import AccessPolicy
import DeviceModel
import Foundation
import FoundationXML
import Latchkey
import PlainText
import PolicyReports
import PolicyScenarios
import ScenarioFormat
import TestSupport
import Testing

/// Tests that every format of the matrix has the same content and can be read by independent parsers.
@Suite struct MatrixPageTests {
    static func page(
        _ flags: String = "biometryCurrentSet or devicePasscode", _ protection: Accessibility = .whenUnlocked,
        isKey: Bool = false, name: String = "token", on device: MatrixDevice = MatrixDevice(),
        showing uses: [MatrixUse]? = nil
    ) throws -> MatrixPage {
        let control = try AccessControl(protection: protection, flags: AccessControlFlags(written: flags))
        return MatrixPage(name: name, MatrixPolicy(control, isKey: isKey), on: device, showing: uses)
    }

    static func pages() throws -> [MatrixPage] {
        [
            try page(), try page("userPresence privateKeyUsage", isKey: true, name: "key, \"signing\"\n<&>|"),
            try page("applicationPassword", .always, on: MatrixDevice(sensor: .faceID)),
            try page("biometryAny", on: MatrixDevice(sensor: .none)),
        ]
    }

    static func renderings(_ pages: [MatrixPage]) -> [String] {
        [
            MatrixPage.table(pages, colored: false), MatrixPage.table(pages, colored: true),
            MatrixPage.markdown(pages), MatrixPage.csv(pages), MatrixPage.json(pages), MatrixPage.html(pages),
        ]
    }

    @Test func theSameInGivesTheSameOut() throws {
        #expect(Self.renderings(try Self.pages()) == Self.renderings(try Self.pages()))
    }

    @Test func everyRenderingNamesEveryRuleItNeeds() throws {
        for page in try Self.pages() {
            var needed: Set<AnyRule> = []
            for use in page.uses {
                for condition in page.matrix.conditions {
                    for person in MatrixPerson.allCases {
                        if let rule = page.matrix.cell(use, by: person, in: condition)?.rule {
                            needed.insert(.item(rule))
                        }
                    }
                }
            }
            let refusal = page.matrix.refusal.map { AnyRule.item($0) }
            if let refusal { needed.insert(refusal) }
            #expect(Set(page.rules) == needed && page.rules.count == needed.count)
            for (place, text) in Self.renderings([page]).enumerated() {
                for rule in needed where place != 3 || rule != refusal {
                    #expect(text.contains(rule.identifier), "\(rule)")
                }
            }
        }
    }

    @Test func aTableForTerminals() throws {
        let page = try Self.page(showing: [.read])
        let lines = MatrixPage.table([page], colored: false).split(
            separator: "\n", omittingEmptySubsequences: false)
        let start = try #require(lines.firstIndex { $0.hasPrefix("Who can read") })
        let rows = lines[(start + 1)...].prefix { !$0.isEmpty }
        #expect(rows.count == page.matrix.conditions.count)
        for (line, condition) in zip(rows, page.matrix.conditions) {
            #expect(line.hasPrefix(condition.title(on: .touchID) + " "))
            let cells = line.dropFirst(condition.title(on: .touchID).count).components(separatedBy: "  ")
                .map { $0.trimmingCharacters(in: .whitespaces) }.filter { !$0.isEmpty }
            #expect(cells.count == MatrixPerson.allCases.count)
            for (cell, person) in zip(cells, MatrixPerson.allCases) {
                let answer = try #require(page.matrix.cell(.read, by: person, in: condition))
                if let rule = answer.rule {
                    let number = try #require(page.rules.firstIndex(of: .item(rule))) + 1
                    #expect(cell == "no [\(number)]")
                    #expect(lines.contains { $0.hasPrefix("[\(number)]") && $0.contains(" \(rule.identifier) ") })
                } else {
                    let words = answer.authenticated.map(\.name).joined(separator: " and ")
                    #expect(cell == (words.isEmpty ? "yes" : "yes, \(words)"))
                }
            }
        }
        #expect(!lines.joined().contains("\u{1B}"))
        #expect(MatrixPage.table([page], colored: true).contains("\u{1B}[32myes, biometry"))
    }

    @Test func commaSeparatedValuesParseBack() throws {
        let pages = try Self.pages()
        let records = try Self.records(MatrixPage.csv(pages))
        let header = try #require(records.first)
        #expect(records.allSatisfy { $0.count == header.count })
        var rest = records.dropFirst()
        for page in pages {
            for use in page.uses {
                for condition in page.matrix.conditions {
                    for person in MatrixPerson.allCases {
                        let next = rest.popFirst()
                        let record = Dictionary(uniqueKeysWithValues: zip(header, try #require(next)))
                        let cell = try #require(page.matrix.cell(use, by: person, in: condition))
                        #expect(record["item"] == Terminal.line(page.name))
                        #expect(record["use"] == use.rawValue && record["condition"] == condition.rawValue)
                        #expect(record["person"] == person.rawValue)
                        #expect(record["answer"] == (cell.isGranted ? "yes" : "no"))
                        #expect(record["rule"] == cell.rule?.identifier ?? "")
                        #expect(record["proved"] == cell.authenticated.map(\.name).joined(separator: " and "))
                        #expect(record["asked"] == cell.asked.map(\.name).joined(separator: ", "))
                    }
                }
            }
        }
        #expect(rest.isEmpty)
    }

    /// Returns the records of comma-separated values, by RFC 4180.
    static func records(_ text: String) throws -> [[String]] {
        var records: [[String]] = []
        var record: [String] = []
        var field = ""
        var isQuoted = false
        var scalars = Array(text.unicodeScalars)[...]
        while let scalar = scalars.popFirst() {
            switch (scalar, isQuoted) {
            case ("\"", true) where scalars.first == "\"":
                scalars.removeFirst()
                field += "\""
            case ("\"", true): isQuoted = false
            case ("\"", false):
                try #require(field.isEmpty)
                isQuoted = true
            case (",", false):
                record.append(field)
                field = ""
            case ("\r", false):
                let next = scalars.popFirst()
                try #require(next == "\n")
                records.append(record + [field])
                record = []
                field = ""
            default: field.unicodeScalars.append(scalar)
            }
        }
        try #require(record.isEmpty && field.isEmpty && !isQuoted, "the last record has its end too")
        return records
    }

    @Test func whatIsJSONParsesBack() throws {
        struct Page: Decodable {
            struct Cell: Decodable {
                let use: String, condition: String, person: String, granted: Bool, proved: [String], rule: String?,
                    asked: [String]
            }
            struct Rule: Decodable { let rule: String, says: String, remedy: String, source: String }
            struct Condition: Decodable { let condition: String, topic: String, says: String }
            let name: String, policy: String, accessible: String, flags: [String], key: Bool, synchronizable: Bool
            let sensor: String, isSetUp: Bool, notStored: String?, sentences: [String]
            let conditions: [Condition], rules: [Rule], cells: [Cell]
        }
        let pages = try Self.pages()
        let read = try JSONDecoder().decode([Page].self, from: Data(MatrixPage.json(pages).utf8))
        #expect(read.map(\.name) == pages.map(\.name))
        for (read, page) in zip(read, pages) {
            #expect(read.accessible == page.policy.control.protection.name && read.key == page.policy.isKey)
            #expect(
                AccessControlFlags(written: read.flags.joined(separator: " ")) == page.policy.control.flags)
            #expect(read.conditions.map(\.condition) == page.matrix.conditions.map(\.rawValue))
            #expect(read.rules.map(\.rule) == page.rules.map(\.identifier))
            #expect(read.rules.map(\.remedy) == page.rules.map(\.facts.remedy.rawValue))
            #expect(read.notStored == page.matrix.refusal?.identifier)
            #expect(
                read.cells.count == page.uses.count * page.matrix.conditions.count * MatrixPerson.allCases.count)
            for cell in read.cells {
                let use = try #require(MatrixUse(rawValue: cell.use))
                let person = try #require(MatrixPerson(rawValue: cell.person))
                let condition = try #require(MatrixCondition(rawValue: cell.condition))
                let expected = try #require(page.matrix.cell(use, by: person, in: condition))
                #expect(cell.granted == expected.isGranted && cell.rule == expected.rule?.identifier)
                #expect(cell.proved == expected.authenticated.map(\.name) && cell.asked == expected.asked.map(\.name))
            }
        }
    }

    @Test func thePageStandsAlone() throws {
        let pages = try Self.pages()
        let html = MatrixPage.html(pages)
        for word in ["<script", "http", "url(", "@import", "src=", "<link", "<iframe", "javascript", " on"] {
            if word == " on" {
                #expect(html.firstMatch(of: /<[^>]* on[a-z]+=/) == nil)
            } else {
                #expect(!html.lowercased().contains(word), "\(word)")
            }
        }
        #expect(html.contains("prefers-color-scheme: dark") && html.contains("@media print"))
        #expect(html.hasPrefix("<!DOCTYPE html>\n<html lang=\"en\">"))

        let found = Listener()
        let parser = XMLParser(data: Data(html.utf8))
        parser.delegate = found
        #expect(parser.parse(), "\(String(describing: parser.parserError))")
        #expect(found.links.allSatisfy { found.identifiers.contains($0) })
        #expect(Set(found.identifiers).count == found.identifiers.count)
        // There is a table for each use and one for the rules, each with a caption.
        #expect(found.counts["table"] == pages.map { $0.uses.count + 1 }.reduce(0, +))
        #expect(found.counts["caption"] == found.counts["table"])
        #expect(found.counts["th"] == found.scopes)
        let cells = pages.map { $0.uses.count * $0.matrix.conditions.count * MatrixPerson.allCases.count }
        #expect(found.cells.count == cells.reduce(0, +))
        #expect(found.cells.allSatisfy { $0.text.hasPrefix($0.color) }, "what is colored is worded too")
        for page in pages {
            for rule in page.rules {
                for text in [rule.identifier, rule.summary, rule.facts.remedy.text, rule.facts.source] {
                    #expect(found.text.contains(text), "\(text)")
                }
            }
        }
        #expect(found.text.contains("key, \"signing\"?<&>|"), "names come through, but for what steers")
    }

    @Test func markdownHasWholeRows() throws {
        let markdown = MatrixPage.markdown(try Self.pages())
        let rows = markdown.split(separator: "\n").filter { $0.hasPrefix("|") }
        #expect(rows.allSatisfy { $0.hasSuffix(" |") })
        let tables = try Self.pages().map { page in
            page.uses.count * (page.matrix.conditions.count + 2) + page.rules.count + 2
        }
        #expect(rows.count == tables.reduce(0, +))
        #expect(Quoting.markdownRow(["a|b", "c\nd"]) == "| a\\|b | c d |\n")
    }

    @Test func aFileHasAPageForEachPolicy() throws {
        let file = ScenarioFile(
            bytes: Array(
                """
                name: one
                items:
                  token: { require: biometryAny }
                  spare: { require: [biometryAny, and] }
                  open: {}
                  signer: { class: key, require: devicePasscode privateKeyUsage }
                steps: [ { lock } ]
                ---
                name: two
                device: mac
                items:
                  token: { require: biometryAny }
                steps: [ { lock } ]
                """.utf8), of: "x.yaml")
        #expect(file.mistakes.map(\.description) == [])
        let pages = MatrixPage.pages(of: file)
        #expect(pages.map(\.name) == ["token, spare", "open", "signer", "token"])
        #expect(pages.map(\.policy.isKey) == [false, false, true, false])
        #expect(pages[0].matrix == pages[0].matrix && pages[0].matrix != pages[3].matrix)
        // A file has a watch only if it says so.
        var mac = MatrixDevice(DevicePreset.mac)
        mac.companion = .notPaired
        #expect(pages[3].matrix.device == mac)
        #expect(pages[2].uses == [.use, .list, .overwrite, .destroy, .store])
        #expect(MatrixPage.pages(of: file, showing: [.use]).map(\.uses) == [[], [], [.use], []])
    }
}

/// The elements that a parser found in a page.
private final class Listener: NSObject, XMLParserDelegate {
    var counts: [String: Int] = [:]
    var identifiers: [String] = []
    var links: [String] = []
    var scopes = 0
    var text = ""
    var cells: [(color: String, text: String)] = []
    private var isInCell = false

    func parser(
        _ parser: XMLParser, didStartElement name: String, namespaceURI: String?, qualifiedName: String?,
        attributes: [String: String] = [:]
    ) {
        counts[name, default: 0] += 1
        if let identifier = attributes["id"] { identifiers.append(identifier) }
        if let link = attributes["href"], link.hasPrefix("#") { links.append(String(link.dropFirst())) }
        if attributes["scope"] != nil { scopes += 1 }
        if name == "td", let color = attributes["class"] {
            isInCell = true
            cells.append((color, ""))
        }
    }

    func parser(_ parser: XMLParser, didEndElement name: String, namespaceURI: String?, qualifiedName: String?) {
        if name == "td" { isInCell = false }
    }

    func parser(_ parser: XMLParser, foundCharacters string: String) {
        text += string
        if isInCell { cells[cells.count - 1].text += string }
    }
}

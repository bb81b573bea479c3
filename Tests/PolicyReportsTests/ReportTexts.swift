import Foundation
import FoundationXML
import PolicyReports
import PolicyScenarios
import Testing

/// Whole reports in any format.
enum ReportTexts {
    static func text(_ format: ReportFormat, on results: [ScenarioResult]) -> String {
        var report: any Report =
            switch format {
            case .human: HumanReport(colored: false, namesAll: true)
            case .tap: TAPReport()
            case .junit: JUnitReport()
            case .json: JSONReport()
            case .github: GitHubReport()
            case .html: HTMLReport()
            }
        var summary = Summary()
        summary.planned = results.count
        for result in results { summary.add(result) }
        return report.begin(results.count) + results.map { report.add($0) }.joined() + report.end(summary)
    }

    static func text(_ format: ProofFormat, on proofs: [Proof]) -> String {
        var report: any ProofReport =
            switch format {
            case .human: HumanProofReport(colored: false)
            case .json: JSONProofReport()
            case .junit: JUnitProofReport()
            case .github: GitHubProofReport()
            case .sarif: SARIFProofReport(version: "1")
            }
        return proofs.map { report.add($0) }.joined() + report.end()
    }
}

/// The elements and the texts of XML, as a parser finds them that knows nothing of reports.
final class Markup: NSObject, XMLParserDelegate {
    /// The beginning of each element, with the names of its attributes, and its end.
    private(set) var tags: [String] = []
    private(set) var values: [String: [String]] = [:]
    private(set) var text = ""

    init(_ page: String) throws {
        super.init()
        let parser = XMLParser(data: Data(page.utf8))
        parser.delegate = self
        let isWellFormed = parser.parse()
        try #require(isWellFormed, "\(String(describing: parser.parserError)) in line \(parser.lineNumber) of\n\(page)")
    }

    /// Returns the number of elements with this name.
    func count(_ name: String) -> Int { tags.count { $0 == name || $0.hasPrefix("\(name) ") } }

    func parser(
        _ parser: XMLParser, didStartElement name: String, namespaceURI: String?, qualifiedName: String?,
        attributes: [String: String] = [:]
    ) {
        tags.append(([name] + attributes.keys.sorted()).joined(separator: " "))
        for (key, value) in attributes { values[key, default: []].append(value) }
    }

    func parser(_ parser: XMLParser, didEndElement name: String, namespaceURI: String?, qualifiedName: String?) {
        tags.append("/\(name)")
    }

    func parser(_ parser: XMLParser, foundCharacters string: String) { text += string }

    func parser(_ parser: XMLParser, foundCDATA block: Data) { text += String(decoding: block, as: UTF8.self) }
}

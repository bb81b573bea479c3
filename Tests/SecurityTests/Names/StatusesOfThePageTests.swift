import AccessPolicy
import Foundation
import LatchkeyTesting
import Security
import Testing

/// Comparisons of section 1 of the page with the constants of the module.
@Suite struct StatusesOfThePageTests {
    let page: Page

    init() throws { page = try Page() }

    @Test(arguments: [("1.2", 60), ("1.3", 74)])
    func everyRowIsAConstantWithItsText(_ section: String, atLeast count: Int) throws {
        let rows = page.rows(of: section)
        #expect(rows.count >= count)
        for row in rows {
            let status = try #require(statusesByName[row.name], "\(row.name) is missing")
            #expect(String(status) == row.value, "\(row.name)")
            if status == errSecSuccess { continue }
            // If Apple has no text for a status, the module has one of its own.
            let text = SecCopyErrorMessageString(status, nil) as String?
            #expect(row.note == "(no text)" ? isText(text) : text == row.note, "\(row.name): \(text ?? "")")
        }
    }

    @Test func everyNameThatIsOnlyANumberIsAConstant() throws {
        var seen: Set<String> = []
        for entry in page.text(of: "1.4").matches(of: /([A-Za-z0-9]+) (-[0-9]+)[;.]/) {
            let name = "errSec\(entry.1)"
            let status = try #require(otherStatusesByName[name], "\(name) is missing")
            #expect(String(status) == entry.2, "\(name)")
            let text = SecCopyErrorMessageString(status, nil) as String?
            #expect(isText(text), "\(name): \(text ?? "")")
            seen.insert(name)
        }
        #expect(seen == Set(otherStatusesByName.keys))
    }

    /// Returns true if this is a sentence, not a number.
    private func isText(_ text: String?) -> Bool {
        guard let text, text.count < 80 else { return false }
        return text.first?.isUppercase == true && text.hasSuffix(".") && !text.hasPrefix("OSStatus")
    }

    @Test func noTwoStatusesHaveOneText() {
        let numbers = Set(statusesByName.values).union(otherStatusesByName.values)
        let texts = Dictionary(grouping: numbers) { SecCopyErrorMessageString($0, nil) as String? }
        #expect(texts.filter { $0.value.count > 1 }.isEmpty && numbers.count > 365)
    }

    @Test func theAliasesAreWhatTheyStandFor() throws {
        var seen: Set<String> = []
        let line = try #require(page.text(of: "1.5").firstMatch(of: /Other aliases: (.*?)\. Private/))
        for chain in line.1.split(separator: "; ") {
            let number = try #require(chain.firstMatch(of: /\((-[0-9]+)\)/))
            for name in chain.matches(of: /errSec[A-Za-z]+/).map({ String($0.0) }) {
                let status = statusesByName[name] ?? otherStatusesByName[name]
                #expect(status.map { String($0) } == String(number.1), "\(name)")
                seen.insert(name)
            }
        }
        #expect(seen.count == 12)
        let ofTables = Set((page.rows(of: "1.2") + page.rows(of: "1.3")).map(\.name))
        #expect(
            Set(statusesByName.keys) == seen.subtracting(otherStatusesByName.keys).union(ofTables),
            "a constant is not on the page")
    }

    @Test func everyStatusOfTheModuleIsInTheTables() throws {
        let names = try Module.names(in: "Statuses", with: "errSec")
        #expect(names.count > 371)
        #expect(names == Set(statusesByName.keys).union(otherStatusesByName.keys))
    }

    @Test func twoStatusesAreOneOnlyWhereThePageSaysSo() {
        let all = statusesByName.merging(otherStatusesByName) { first, _ in first }
        let shared = Dictionary(grouping: all, by: \.value).filter { $0.value.count > 1 }
        #expect(
            shared.mapValues(\.count) == [
                errSecUnimplemented: 3, errSecDecode: 3, errSecDiskFull: 2, errSecInvalidTupleCredentials: 2,
                errSecInvalidCRLAuthority: 2,
            ])
    }

    @Test(arguments: [1, -1, -5, -12345, -25330, 12345, 100_002, Int32.max, Int32.min])
    func aNumberWithoutATextIsSaidAsANumber(_ status: OSStatus) {
        #expect(SecCopyErrorMessageString(status, nil) as String? == "OSStatus \(status)")
    }

    @Test func theReservedArgumentHasToBeNil() {
        var byte: UInt8 = 0
        withUnsafeMutableBytes(of: &byte) { #expect(SecCopyErrorMessageString(errSecParam, $0.baseAddress) == nil) }
    }

    @Test func theTextOfSuccessIsAsTheDeviceHasIt() {
        var fidelity = Fidelity()
        SimulatedDevice(fidelity: fidelity).run { #expect(SecCopyErrorMessageString(noErr, nil) == "No error.") }
        fidelity.successText = .number
        SimulatedDevice(fidelity: fidelity).run { #expect(SecCopyErrorMessageString(noErr, nil) == "OSStatus 0") }
    }
}

import AccessPolicy
import DeviceModel
import Foundation
import PlainText
import PolicyReports
import PolicyScenarios
import ScenarioFormat
import Testing

/// What reports say about several devices of one account.
@Suite struct AccountReportTests {
    private static let text = """
        name: x
        devices: { phone: iPhoneWithFaceID, pad: { passcode: "9999", lockGrace: 0s } }
        items: { seed: { synchronizable: true }, here: { accessible: whenUnlockedThisDeviceOnly, synchronizable: true }, local: {} }
        steps:
          - { lock: , on: pad }
          - settle
          - { unlock: , on: pad }
          - { removeFromAccount: , on: pad }
          - join: { sponsor: phone }
            on: pad
            expect: refused
          - read: seed
        """

    private func file() -> ScenarioFile { ScenarioFile(bytes: Array(Self.text.utf8), of: "x.yaml") }

    private func explained(item: String? = nil, on device: String? = nil, step: Int? = nil) throws -> String {
        let explanation = Explanation(colored: false, item: item, on: device, step: step)
        let scenario = try #require(file().scenarios.first)
        return try #require(explanation.text(of: scenario)).text
    }

    /// Returns the numbers of the steps that an explanation has.
    private func steps(_ text: String) -> [Int] {
        text.split(separator: "\n").compactMap { line in
            line.hasPrefix("  step ") ? line.dropFirst(7).prefix { $0.isNumber }.description : nil
        }.compactMap { Int($0) }
    }

    // MARK: - Explanations

    @Test func aMovementHasItsDeviceItsItemItsRuleItsSourceAndItsRemedy() throws {
        let said = """
              step 2  settle
                  every device sends, and then every one fetches, until nothing moves  a choice of Latchkey
                  phone  sync.sent              seed  the item was sent to the account                                           semantics 13.2, TEST
                  phone  sync.this-device-only  here  an item with a ThisDeviceOnly class never leaves its device                semantics 13.1, CODE
                  pad    sync.waits-for-unlock  seed  the class key of the item is unavailable, so it is stored after an unlock  semantics 13.2, TEST
                  remedy on phone: change the item or its access policy (changeDemand)
                  remedy on pad: unlock the device (unlock)
                = happened

            """
        let text = try explained(step: 2)
        #expect(text.contains(said), "\(text)")
        #expect(try explained(step: 3).contains("pad  sync.arrived  seed  the item arrived from another device"))
    }

    @Test func aRefusalHasItsSourceAndItsRemedy() throws {
        let said = """
              step 5  join sponsor phone on pad
                  notOnList  the device was removed from the account  semantics 13.4, TEST
                = refused: notOnList, the device was removed from the account
                  remedy: sign in to the account (signIn)

            """
        let text = try explained(step: 5)
        #expect(text.contains(said), "\(text)")
    }

    @Test func aStepWithoutADeviceNamesTheFirst() throws {
        #expect(try explained(step: 6).contains("step 6  read seed on phone\n"))
    }

    @Test func stepsAndMovementsOfOneItemOrOneDeviceAreExplained() throws {
        #expect(steps(try explained()) == [1, 2, 3, 4, 5, 6])
        let seed = try explained(item: "seed")
        #expect(steps(seed) == [2, 3, 6] && !seed.contains("sync.this-device-only"))
        let here = try explained(item: "here")
        #expect(steps(here) == [2] && here.contains("sync.this-device-only") && !here.contains("sync.sent"))
        let scenario = try #require(file().scenarios.first)
        #expect(Explanation(colored: false, item: "local").text(of: scenario) == nil)
        let pad = try explained(on: "pad")
        #expect(steps(pad) == [1, 2, 3, 4, 5] && pad.contains("sync.waits-for-unlock") && !pad.contains("sync.sent"))
        #expect(steps(try explained(on: "phone")) == [2, 6])
        #expect(steps(try explained(item: "seed", on: "pad")) == [2, 3])
    }

    /// A denial has a remedy, and a choice of the project has no section.
    @Test func everyReasonOfARefusalHasASource() {
        for refusal in AccountRefusal.allCases {
            #expect((refusal.source.section == nil) == (refusal.source.grounds == .model), "\(refusal)")
            #expect(refusal.source.section?.hasPrefix("13.") != false, "\(refusal)")
        }
    }

    // MARK: - Tables

    @Test func everyFormatHasTheDevices() throws {
        let pages = MatrixPage.pages(of: file(), showing: [.read])
        #expect(pages.map(\.name) == ["seed", "here", "local"])
        for page in pages {
            let account = try #require(page.account)
            let cells = account.rows.flatMap { row in MatrixPerson.allCases.map { row.cell(by: $0) } }
            #expect(Set(page.rules).isSuperset(of: cells.compactMap(\.rule)))
            let texts = [
                MatrixPage.table([page], colored: false), MatrixPage.markdown([page]), MatrixPage.html([page]),
            ]
            for text in texts {
                #expect(text.contains("Who can read the secret, on each device"))
                #expect(text.contains("pad: A simulated device with Touch ID."))
                #expect(page.rules.allSatisfy { text.contains($0.identifier) })
            }
            let records = try MatrixPageTests.records(MatrixPage.csv([page]))
            #expect(records[0].last == "device" && records.allSatisfy { $0.count == records[0].count })
            let matrix = page.matrix.conditions.count * MatrixPerson.allCases.count
            let others = account.rows.filter { $0.device > 0 }.flatMap { row in
                MatrixPerson.allCases.map { row.cell(by: $0).rule?.identifier ?? "" }
            }
            #expect(records.dropFirst().prefix(matrix).allSatisfy { $0.last == "phone" })
            #expect(records.dropFirst(1 + matrix).allSatisfy { $0.last == "pad" })
            #expect(records.dropFirst(1 + matrix).map { $0[10] } == others)
        }
        #expect(pages[1].rules.contains(.sync(.thisDeviceOnly)) && !pages[0].rules.contains(.sync(.thisDeviceOnly)))
    }

    @Test func whatIsJSONHasTheDevices() throws {
        struct Page: Decodable {
            struct Device: Decodable { let device: String, says: String }
            struct Cell: Decodable {
                let device: String, use: String, condition: String, person: String, granted: Bool, rule: String?
            }
            let staysBy: String?, devices: [Device], deviceCells: [Cell]
        }
        let pages = MatrixPage.pages(of: file(), showing: [.read])
        let read = try JSONDecoder().decode([Page].self, from: Data(MatrixPage.json(pages).utf8))
        #expect(read.map(\.staysBy) == [nil, "sync.this-device-only", nil])
        for (read, page) in zip(read, pages) {
            let account = try #require(page.account)
            #expect(read.devices.map(\.device) == ["phone", "pad"])
            #expect(read.deviceCells.count == account.rows.count * MatrixPerson.allCases.count)
            for cell in read.deviceCells {
                let row = try #require(
                    account.rows.first {
                        account.devices[$0.device].name == cell.device && $0.condition.rawValue == cell.condition
                    })
                let expected = row.cell(by: try #require(MatrixPerson(rawValue: cell.person)))
                #expect(cell.granted == expected.isGranted && cell.rule == expected.rule?.identifier)
            }
        }
    }

    @Test func aPageSaysWhetherItsItemSyncs() throws {
        let said = MatrixPage.pages(of: file()).map { $0.sentences.filter { $0.contains("sync") } }
        #expect(
            said == [
                ["It asks to sync through iCloud Keychain, and the other devices of the account get it."],
                [
                    "It asks to sync through iCloud Keychain, but stays on this device: an item with a ThisDeviceOnly class never "
                        + "leaves its device (sync.this-device-only)."
                ], ["It does not ask to sync, so no other device of the account has it."],
            ])
        #expect(MatrixPage.pages(of: file(), showing: [.list]).allSatisfy { $0.account == nil })
    }

    /// A file with one device has the same page as its policy.
    @Test func aFileWithOneDeviceHasNothingAboutDevices() throws {
        let text = Self.text.replacing(/devices: .*/, with: "device: iPhoneWithFaceID")
        let head = text.split(separator: "\n").prefix(3).joined(separator: "\n") + "\nsteps: [lock]"
        let page = try #require(MatrixPage.pages(of: ScenarioFile(bytes: Array(head.utf8), of: "x.yaml")).last)
        let alone = MatrixPage(name: page.name, page.policy, on: page.matrix.device)
        #expect(page.account == nil && !page.policy.isSynchronizable)
        #expect(MatrixPageTests.renderings([page]) == MatrixPageTests.renderings([alone]))
        #expect(MatrixPageTests.renderings([page]).allSatisfy { !$0.contains("sync") || $0.contains("synchronizable") })
    }
}

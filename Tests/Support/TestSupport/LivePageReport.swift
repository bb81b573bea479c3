internal import Foundation

/// What a person sees on a live page, in Chromium: the report of `drive_page.js`.
package struct LivePageReport: Decodable, Sendable {
    /// The device before the first step.
    package struct Beginning: Decodable, Sendable {
        /// The words at the slider.
        package let label: String
        /// The state of the lock.
        package let lock: String
        /// The states of the items.
        package let items: [String]
    }

    /// The panel of one of several devices.
    package struct Panel: Decodable, Sendable, Equatable {
        /// The name of the device.
        package let name: String
        /// The state of the lock.
        package let lock: String
        /// The states of the items.
        package let items: [String]
        /// The movements of items in the step that is shown.
        package let moves: [String]
        /// True if the step that is shown happened on this device.
        package let isAtHand: Bool
    }

    /// The heading.
    package let title: String
    /// The line about the server.
    package let connection: String
    /// True if the page offers steps.
    package let drives: Bool
    /// True if a foreign script ran.
    package let hit: Bool
    /// The state of the lock.
    package let lock: String?
    /// The message about a wrong step.
    package let mistake: String?
    /// The device before the first step.
    package let beginning: Beginning?
    /// The states of the items.
    package let items: [String]?
    /// The number of class keys that are not available.
    package let closed: Int?
    /// The number of lines of the audit log.
    package let log: Int?
    /// The panels of several devices, after all steps.
    package let panels: [Panel]?
    /// The panels before the first step.
    package let panelsBefore: [Panel]?
    /// The panels after a delivery.
    package let delivered: [Panel]?
    /// The devices as their account knows them.
    package let members: [String]?
    /// The movements of items, in the steps.
    package let movements: [String]?
    /// The expectations about the account that were met.
    package let met: [String]?
    /// The words at the slider.
    package let label: String?
    /// The left and the top of each panel, in a wide window and in a narrow one.
    package let wide: [[Int]]?
    package let narrow: [[Int]]?
    /// The steps.
    package let steps: [String]
    /// The outcome of each step.
    package let outcomes: [String]
    /// The reasons of denials.
    package let reasons: [String]
    /// The facts about the device.
    package let facts: [String]
    /// The class of the drawn lock: open or shut.
    package let drawing: String
    /// The widths of windows that the page exceeds.
    package let overflow: [Int]
    /// The controls without a name.
    package let nameless: [String]
    /// The requests to other addresses.
    package let foreign: [String]
    /// The errors of the page.
    package let errors: [String]

    /// The page could not be driven.
    package struct CannotDrive: Error {
        let errors: String
    }

    package static let (node, chromium) = ("/usr/bin/node", "/usr/bin/chromium")

    /// The reason why no page can be driven here; nil if one can.
    package static var obstacle: String? {
        if !FileManager.default.isExecutableFile(atPath: node) { return "skipped: needs node" }
        return FileManager.default.isExecutableFile(atPath: chromium) ? nil : "skipped: needs chromium"
    }

    /// Opens the page at `address`, and uses it if it drives its device.
    package init(of address: String) throws {
        let script = Repository.root.appending(path: "Tests/Support/LiveClient/drive_page.js").path
        let run = try Command.run([script, Self.chromium, address], program: URL(filePath: Self.node))
        guard run.status == 0 else { throw CannotDrive(errors: run.errors) }
        self = try JSONDecoder().decode(Self.self, from: Data(run.output.utf8))
    }
}

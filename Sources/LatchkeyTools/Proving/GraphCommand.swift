internal import CommandLineKit
internal import DeviceModel
internal import LatchkeyCLI
internal import PolicyProver
internal import PolicyReports
internal import PolicyScenarios
internal import ScenarioFormat

/// `latchkey graph`
enum GraphCommand {
    enum Format: String, CaseIterable {
        case html, dot
    }

    struct Options: OptionList {
        let policy = PolicyOptions(heading: "policy; --require or --accessible is required")
        let against = Option(
            "--against", value: "PROFILE", says: "the attacker, one of latchkey profiles; required",
            among: Proving.profiles)
        let never = Option(
            "--never", value: "AIM", says: "the attacker's aim; by default read, or use for a private key",
            values: Proving.aimNames, among: ClaimWords.aimsOfItems)
        let assumptions = Proving.assumptions
        let most = Option(
            "--most", value: "NUMBER", says: "the most situations to show; 300 by default"
        ) { (text) throws(UsageError) in
            guard let number = Int(text), (1...5000).contains(number) else {
                throw UsageError("--most needs a number from 1 to 5000")
            }
            return number
        }
        let format = Option<Format?>("--format", value: "FORMAT", says: "html (the default), or dot for Graphviz")
        let output = Output.option
    }

    static let declaration = Declaration(
        name: "graph", summary: "draw the situations that an attacker can reach, and the moves between them",
        text: """
            Draws a search: the situations of the device and the item that an attacker can reach, the moves between them, and \
            the shortest attack. It shows the nearest situations, and says how many are left out. The HTML page works offline, \
            in light and dark.
            """,
        options: Options(),
        examples: [
            ("latchkey graph --require biometryAny --against passcode-thief --output thief.html", ""),
            ("latchkey graph --require biometryAny --against passcode-thief --most 40 --format dot", ""),
        ],
        statuses: [(2, "the command line was not understood, or the item cannot be stored")],
        group: "policies", run: run)

    @Sendable private static func run(_ given: Given<Options>) throws(UsageError) -> String {
        guard let profile = given[\.against] else { throw UsageError("name the attacker: --against PROFILE") }
        guard given[\.policy].firstOption != nil else {
            throw UsageError("state the policy with --require or --accessible")
        }
        let policy = try PolicyOptions.policy(given[\.policy])
        let aim = given[\.never] ?? (policy.isKey ? .use : .read)
        if !aim.isOpen(toKey: policy.isKey) { throw UsageError("a private key is used, and any other item is read") }
        let assumes = Proving.assumed(given[\.assumptions])
        let device = MatrixDevice(try DeviceOptions.device(given[\.policy.device]))
        let scene: Scene
        do throws(StoringError) { scene = try Scene(policy, on: device) } catch {
            Output.fail("\(error)", status: 2)
        }
        let page = GraphPage(
            Graph(scene, by: profile, to: aim, showing: given[\.most] ?? 300, assuming: assumes),
            heading: "\(profile.name) and \(policy.control)")
        let text =
            switch given[\.format] ?? .html {
            case .html: page.html
            case .dot: page.dot
            }
        return Output.deliver(text, to: given[\.output])
    }
}

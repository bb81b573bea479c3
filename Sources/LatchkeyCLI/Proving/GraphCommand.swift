internal import CommandLineKit
internal import DeviceModel
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
        let policy = PolicyOptions(heading: "the policy, of which --require or --accessible has to be said")
        let against = Option(
            "--against", value: "PROFILE", says: "the attacker, one of latchkey profiles; required",
            among: Proving.profiles)
        let never = Option(
            "--never", value: "AIM", says: "the attacker's aim; by default read, or use for a private key",
            values: Proving.aimNames, among: ClaimWords.aims)
        let assumptions = Proving.assumptions
        let most = Option(
            "--most", value: "NUMBER", says: "show no more situations than so many; 300 by default"
        ) { (text) throws(UsageError) in
            guard let number = Int(text), (1...5000).contains(number) else {
                throw UsageError("--most takes a number from 1 to 5000")
            }
            return number
        }
        let format = Option<Format?>("--format", value: "FORMAT", says: "html (the usual), or dot for Graphviz")
        let output = Output.option
    }

    static let declaration = Declaration(
        name: "graph", summary: "draw the situations that somebody can bring about, and the moves between them",
        text: """
            Draws what a search goes through: every situation of the device and the item that somebody can bring about, with \
            the moves that lead from one to the next, and the shortest story in which they come to what they are after. The \
            nearest situations are shown, and how many are left out. The page can be read offline, in light and dark, with a \
            mouse or without one.
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
            throw UsageError("say the policy, with --require or --accessible")
        }
        let policy = try PolicyOptions.policy(given[\.policy])
        let aim = given[\.never] ?? (policy.isKey ? .use : .read)
        if !aim.isOpen(toKey: policy.isKey) { throw UsageError("a private key is used, and all else is read") }
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

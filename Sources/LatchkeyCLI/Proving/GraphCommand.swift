internal import DeviceModel
internal import PolicyProver
internal import PolicyReports
internal import PolicyScenarios

/// `latchkey graph`
enum GraphCommand {
    private static let formats = ["html", "dot"]

    static let declaration = Declaration(
        name: "graph", summary: "draw the situations that somebody can bring about, and the moves between them",
        text: """
            Draws what a search goes through: every situation of the device and the item that somebody can bring about, with \
            the moves that lead from one to the next, and the shortest story in which they come to what they are after. The \
            nearest situations are shown, and how many are left out. The page can be read offline, in light and dark, with a \
            mouse or without one.
            """,
        options: [
            OptionGroup(
                heading: "the policy, of which --require or --accessible has to be said", options: PolicyOptions.options
            ),
            OptionGroup(
                options: [
                    Option(
                        "--against", value: "PROFILE", "whom it is about, one of latchkey profiles; has to be said",
                        values: .words(Proving.profileNames)),
                    Option(
                        "--never", value: "AIM",
                        "what they are after; read, or use for a private key, where nothing is said",
                        values: .words(Aim.allCases.map(\.rawValue))),
                ] + Proving.assumptions + [
                    Option(
                        "--most", value: "NUMBER", "show no more situations than so many; 300 where nothing is said"),
                    Option(
                        "--format", value: "FORMAT", "html (the usual), or dot for Graphviz", values: .words(formats)),
                    Proving.output,
                ]),
        ],
        examples: [
            ("latchkey graph --require biometryAny --against passcode-thief --output thief.html", ""),
            ("latchkey graph --require biometryAny --against passcode-thief --most 40 --format dot", ""),
        ],
        statuses: [(2, "the command line was not understood, or the item cannot be stored")],
        group: "policies", run: run)

    @Sendable private static func run(_ given: Given) throws(UsageError) -> String {
        let format = try Proving.format(given, among: formats)
        guard let profile = try Proving.profile(given["--against"]) else { throw UsageError("say --against whom") }
        guard PolicyOptions.said(given) != nil else {
            throw UsageError("say the policy, with --require or --accessible")
        }
        let policy = try PolicyOptions.policy(given)
        let aim = try Proving.aim(given["--never"]) ?? (policy.isKey ? .use : .read)
        if !aim.isOpen(toKey: policy.isKey) { throw UsageError("a private key is used, and all else is read") }
        var most = 300
        if let text = given["--most"] {
            guard let number = Int(text), (1...5000).contains(number) else {
                throw UsageError("--most takes a number from 1 to 5000")
            }
            most = number
        }
        let assumes = try Proving.assumed(given)
        let device = MatrixDevice(try PolicyOptions.device(given))
        let scene: Scene
        do throws(NotStored) { scene = try Scene(policy, on: device) } catch {
            Output.fail("\(error)", status: 2)
        }
        let page = GraphPage(
            Graph(scene, by: profile, to: aim, showing: most, assuming: assumes),
            heading: "\(profile.name) and \(policy.control)")
        return Proving.deliver(format == "dot" ? page.dot : page.html, given)
    }
}

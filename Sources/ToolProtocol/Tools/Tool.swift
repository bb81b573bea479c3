internal import PlainText

/// The tools. None of them returns a secret, and none approves anything.
enum Tool: String, CaseIterable, Sendable {
    case list = "latchkey_list"
    case request = "latchkey_request"
    case status = "latchkey_status"

    /// The longest wait of a status, in seconds. Some clients give up a call after a minute.
    static let longestWait = 20

    private var title: String {
        switch self {
        case .list: "List lent services"
        case .request: "Ask for an approval"
        case .status: "Look at a request"
        }
    }

    /// The description for the model that calls the tool.
    private var description: String {
        switch self {
        case .list:
            "Lists the services that are lent to this sandbox: where to send requests, which requests the rules allow, and what is left "
                + "of the owner's approval. Each service puts a secret into your requests on their way. No tool returns the "
                + "secret, and you do not need it. Call this first, and again if a service answers 403."
        case .request:
            "Asks the owner of a secret to approve uses of a service ahead of time, so that your requests do not wait for an answer. "
                + "Returns at once. If the state is waiting, do other work, then call latchkey_status. Not needed for a "
                + "single request: a request that is sent to a service asks by itself. If it is refused, tell the user and do not ask "
                + "again."
        case .status:
            "Returns the state of a request that latchkey_request made, after waiting for the owner's answer. "
                + "If it is still waiting, the owner may be away: do other work, and call this again later."
        }
    }

    private var parameters: ObjectShape {
        switch self {
        case .list: ObjectShape([])
        case .request:
            ObjectShape([
                .init("service", .text(longest: DeskWish.Longest.name), "The name of a service from latchkey_list."),
                .init("reason", .text(longest: DeskWish.Longest.reason), Self.reason),
                .init(
                    "verb", .text(longest: DeskWish.Longest.name), "The kind of use, such as POST or push.",
                    isOptional: true),
                .init(
                    "target", .text(longest: DeskWish.Longest.target), "The path or the ref that you need.",
                    isOptional: true),
                .init(
                    "uses", .number(least: 1, most: nil),
                    "The number of uses that you need. The approval counts for at most what the profile says.",
                    isOptional: true),
                .init("minutes", .number(least: 1, most: nil), "The minutes that you need it for.", isOptional: true),
            ])
        case .status:
            ObjectShape([
                .init(
                    "request", .text(longest: DeskWish.Longest.request),
                    "The text in the member request of the result of latchkey_request."),
                .init(
                    "seconds", .number(least: 0, most: Self.longestWait),
                    "The seconds to wait for the answer; \(Self.longestWait) if absent.", isOptional: true),
            ])
        }
    }

    private static let reason =
        "A short line on what you need it for. The owner sees it as your claim, which nothing has checked."

    private var results: ObjectShape {
        switch self {
        case .list: ObjectShape([.init("services", .objects(Self.service), "The services.")])
        case .request, .status:
            ObjectShape([
                .init("state", .word(["approved", "waiting"]), "The state of the request."),
                .init(
                    "request", .text(longest: nil), "The request, for latchkey_status, while it is waiting.",
                    isOptional: true),
                .init("uses_left", .number(least: 0, most: nil), Self.usesLeft, isOptional: true),
                .init("seconds_left", .number(least: 0, most: nil), Self.secondsLeft, isOptional: true),
            ])
        }
    }

    private static let usesLeft = "The uses that the approval still counts for; absent for any number."
    private static let secondsLeft = "The seconds that the approval still counts for; absent without an end."

    private static let service = ObjectShape([
        .init("name", .text(longest: nil), "The name of the service."),
        .init("does", .text(longest: nil), "What it does, and where it is."),
        .init("rules", .texts, "The uses that are allowed. Everything else is refused."),
        .init(
            "asks", .word(DeskAsking.allCases.map { $0.rawValue }),
            "The times when the owner has to approve: never, once for several uses, or at each use."),
        .init("approved", .truth, "True if the next use needs no answer of the owner."),
        .init("uses_left", .number(least: 0, most: nil), usesLeft, isOptional: true),
        .init("seconds_left", .number(least: 0, most: nil), secondsLeft, isOptional: true),
    ])

    /// The declaration of the tool, as `tools/list` returns it.
    var declaration: JSON {
        let hints: [String: JSON] = [
            "readOnlyHint": .bool(self != .request), "destructiveHint": .bool(false),
            "idempotentHint": .bool(self != .request), "openWorldHint": .bool(false),
        ]
        return .object([
            "name": .string(rawValue), "title": .string(title), "description": .string(description),
            "inputSchema": parameters.schema, "outputSchema": results.schema, "annotations": .object(hints),
        ])
    }

    /// Reads the arguments of a call. The reason of an error is for the model, which can call again.
    func arguments(_ members: [String: JSON]) throws(ArgumentFault) -> Arguments {
        try parameters.read(members)
    }
}

// Every object that the live protocol sends. The JSON Schema is made from these lists of fields.

/// A rule that fired.
package struct LiveRule: LiveObject {
    package let id: String
    let says: String
    let source: String

    package static let name = "rule"
    package static let fields: [LiveField<Self>] = [
        .init("id", "the identifier, as in docs/rules.md") { $0.id },
        .init("says", "the meaning of the rule") { $0.says },
        .init("source", "the evidence and the section of docs/apple-semantics.md, or model") { $0.source },
    ]
}

/// A verdict of the rules.
package enum LiveVerdict: String, CaseIterable, LiveValue {
    /// The request may go ahead.
    case granted = "granted"
    /// The user has to authenticate.
    case challenged = "challenged"
    /// The request may not go ahead.
    case denied = "denied"

    package static var shape: LiveShape { .word(allCases.map { $0.rawValue }) }
    package var json: String { rawValue.json }
}

/// A decision about a request.
package struct LiveDecision: LiveObject {
    let about: String
    let app: String?
    let verdict: LiveVerdict
    let ways: [String]
    let rules: [LiveRule]
    /// The meaning of the rule that denies.
    package let reason: String?
    let remedy: String?

    package static let name = "decision"
    package static let fields: [LiveField<Self>] = [
        .init("about", "the request in words") { $0.about },
        .init("app", "the app that made the request; null for a file") { $0.app },
        .init("verdict", "granted, challenged (the user has to authenticate) or denied") { $0.verdict },
        .init("ways", "the factors that satisfied the policy, or that would; each way is enough") { $0.ways },
        .init("rules", "the rules that fired, in order") { $0.rules },
        .init("reason", "the reason of a denial, in words; null if there is none") { $0.reason },
        .init("remedy", "what would turn a denial; null if nothing would, or if there is none") { $0.remedy },
    ]
}

/// An expectation that was not met.
package struct LiveFinding: LiveObject {
    package let expected: String
    package let actual: String

    package init(expected: String, actual: String) { (self.expected, self.actual) = (expected, actual) }

    package static let name = "finding"
    package static let fields: [LiveField<Self>] = [
        .init("expected", "what the step expected") { $0.expected },
        .init("actual", "what came instead") { $0.actual },
    ]
}

/// A step with what came of it.
package struct LiveStep: LiveObject {
    /// The number of the step, from one.
    package var number = 0
    package var words: String
    package var outcome: String
    /// True if the step did what it was to do.
    package var succeeded: Bool
    /// The expectations that were not met.
    package var findings: [LiveFinding] = []
    /// The factors that people were prompted for.
    package var prompts: [String] = []
    package var decisions: [LiveDecision] = []
    /// The items that a query found.
    package var found: [String]?
    /// The name of the OSStatus.
    package var status: String?
    /// The name of the LAError.
    package var error: String?
    /// The reason of a denial, in words.
    package var reason: String?
    /// The remedy of a denial, in words.
    package var remedy: String?
    /// The steps that happened during a prompt.
    package var meanwhile: [LiveStep] = []
    /// The device after the step.
    package var state: LiveState?
    /// The name of the device on which it happened; nil if there is one device.
    package var device: String?
    /// The movements of items between the devices of an account, and the items that stayed.
    package var movements: [LiveMovement] = []
    /// The expectations about the account that were met.
    package var met: [String] = []

    package init(words: String, outcome: String, succeeded: Bool) {
        (self.words, self.outcome, self.succeeded) = (words, outcome, succeeded)
    }

    package static let name = "step-played"
    package static let fields: [LiveField<Self>] = [
        .init("number", "the number of the step, from 1; 0 during a prompt") { $0.number },
        .init("words", "the step in words") { $0.words },
        .init("outcome", "what came of it, such as: denied by class.locked") { $0.outcome },
        .init("succeeded", "whether the step did what it was to do") { $0.succeeded },
        .init("findings", "the expectations of the step that were not met") { $0.findings },
        .init("prompts", "the factors that people were prompted for, in order") { $0.prompts },
        .init("decisions", "every decision, with its rules") { $0.decisions },
        .init("found", "the items that a query found; null for other steps") { $0.found },
        .init("status", "the name of the OSStatus that the app gets; null if there is none") { $0.status },
        .init("error", "the name of the LAError that the app gets; null if there is none") { $0.error },
        .init("reason", "the reason of the denial, in words; null if there is none") { $0.reason },
        .init("remedy", "what would turn the denial; null if nothing would, or if there is none") { $0.remedy },
        .init("meanwhile", "the steps that were played during a prompt") { $0.meanwhile },
        .init("state", "the device after the step; null if it was not kept") { $0.state },
        .init("device", "the device on which it happened; null if there is one device") { $0.device },
        .init("movements", "the items that moved between devices, and those that stayed, in order") { $0.movements },
        .init("met", "the expectations about the account that were met, in words") { $0.met },
    ]
}

/// The steps of a request with what came of them.
package struct LivePlayed: LiveObject {
    let steps: [LiveStep]

    package static let name = "played"
    package static let fields: [LiveField<Self>] = [
        .init("steps", "the steps, in the order in which they were played; a repeated step is there each time") {
            $0.steps
        }
    ]
}

/// Everything that happened to a device.
package struct LiveHistory: LiveObject {
    /// The name of the device, of its file or of its test.
    package var title: String
    /// True if requests may change the device.
    package var drives: Bool
    /// The device at the beginning, or now if the steps have no states.
    package var beginning: LiveState
    /// The steps, the oldest first.
    package var steps: [LiveStep] = []
    /// The number of older steps that are no longer kept.
    package var dropped = 0

    package init(title: String, drives: Bool, beginning: LiveState) {
        (self.title, self.drives, self.beginning) = (title, drives, beginning)
    }

    package static let name = "history"
    package static let fields: [LiveField<Self>] = [
        .init("title", "the name of the device, its file or its test") { $0.title },
        .init("drives", "whether requests may change the device") { $0.drives },
        .init("beginning", "the device before the first of these steps; or now, if the steps have no state") {
            $0.beginning
        },
        .init("steps", "the steps so far, the oldest first") { $0.steps },
        .init("dropped", "the number of older steps, which are no longer kept") { $0.dropped },
    ]
}

/// The reason why a request was refused.
package struct LiveError: LiveObject {
    let error: String

    package static let name = "error"
    package static let fields: [LiveField<Self>] = [
        .init("error", "what is wrong and what to do, one mistake a line") { $0.error }
    ]
}

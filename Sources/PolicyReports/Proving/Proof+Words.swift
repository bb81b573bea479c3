internal import AccessPolicy
internal import DeviceModel
internal import PlainText
internal import PolicyProver
package import PolicyScenarios
internal import ScenarioFormat

extension Proposition {
    /// The claim in the words of options and files, with its item.
    package var words: String {
        test.map { "\($0.identifier), \($0.about), of \(itemName)" } ?? "\(claim), of \(itemName)"
    }
}

extension Proof {
    /// The verdict in a word.
    var answer: String {
        switch verdict.answer {
        case .holds: "holds"
        case .fails: "fails"
        case .undecided: "undecided"
        }
    }

    /// The size of the search.
    var extent: String {
        if let observation { return observation }
        let found = "\(counted(verdict.extent.situations, "situation"))"
        return isUndecided
            ? "undecided after \(found): raise --most-situations"
            : "\(found), the farthest \(counted(verdict.extent.depth, "step")) away"
    }

    /// The assumptions in the words of files; nil if the answer comes from steps that were played.
    var assumed: String? {
        observation == nil ? stated.inWords : nil
    }

    /// The assumptions of the search; empty if the answer comes from steps that were played.
    var assumptions: [Assumed.Field] { observation == nil ? stated : [] }

    /// The names of the apps through which the search asks for the item; nil if the claim is about a file, or if the
    /// answer comes from steps that were played.
    var apps: [String]? {
        guard observation == nil, proposition.setting.item != nil else { return nil }
        return proposition.setting.apps.map(\.name)
    }

    /// The apps in words; nil if the claim is about the example app, which no file declares.
    var askedThrough: String? {
        proposition.namesApps ? apps.map { "asking through \(enumerated($0.map { Terminal.line($0) }, "and"))" } : nil
    }

    /// The assumptions as a JSON object.
    var assumedJSON: String? {
        observation == nil ? JSONText.assumptions(stated) : nil
    }

    private var stated: [Assumed.Field] {
        Assumed(
            verdict.assumptions, on: proposition.device,
            countingPrompts: proposition.claim.statement.kind == .atMostPrompts
        ).fields(for: proposition.claim.statement.holder.holds)
    }

    /// A remark on the answer; nil if it needs none.
    var remark: String? {
        verdict.reliesOnBackup ? "If a backup has the item, the owner can restore it." : nil
    }

    /// The verdict and the search, in one sentence.
    var summary: String {
        switch verdict.answer {
        case .holds: "it holds: \(extent)"
        case .fails where verdict.story == nil && observation == nil: "it fails, since no move leads there: \(extent)"
        case .fails: "it fails: \(extent)"
        case .undecided: extent
        }
    }

    /// The moves behind the verdict, line by line, each with its reason; empty if the search itself is the reason.
    package var story: [(words: String, reason: String)] { verdict.story?.told ?? [] }
}

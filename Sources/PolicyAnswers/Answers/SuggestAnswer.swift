internal import AccessPolicy
internal import DeviceModel
internal import PlainText
internal import PolicyProver

/// Returns the policies that make every claim of a request true and ask least of the owner, out of all policies.
///
/// `progress` receives the number of policies that are searched, each time that a part of them is done.
func suggestion(_ members: inout Members, _ progress: (Int) -> Void) throws(QuestionError) -> JSON {
    if members.has("companion") || members.has("reuse") {
        throw QuestionError(
            "suggest takes no companion and no reuse: the owner wears the watch, and contexts are fresh")
    }
    let setting = try Setting(&members)
    let key = try members.truth("key") ?? false
    let stated = members.value("claims") ?? .null
    try members.finish()
    guard case .array(let list) = stated, !list.isEmpty, list.count <= mostClaims else {
        throw QuestionError(
            "suggest takes claims, a list of 1 to \(mostClaims) such as {\"never\": \"read\", \"against\": \"passcode-thief\"}"
        )
    }
    var claims: [Claim.Statement] = []
    for json in list {
        var words = try Members(json)
        claims.append(try Claim.Statement(&words))
        try words.finish()
    }
    let kinds = claims.compactMap { $0.isAboutKey }
    if kinds.contains(true) && kinds.contains(false) {
        throw QuestionError("a private key is used, and any other item is read: no policy is about both")
    }
    if key && kinds.contains(false) { throw QuestionError("a private key is used, never read") }
    return Suggestion(
        for: claims, isKey: key || kinds.contains(true), on: setting.settings,
        isSetUp: setting.preset.passcode != nil, assuming: setting.assumes, progress: progress
    ).json
}

/// The most claims that one request may have.
private let mostClaims = 20

extension Suggestion {
    fileprivate var json: JSON {
        .object([
            "claims": .array(
                claims.indices.map {
                    .object(["claim": .string(name($0)), "policies": .number(satisfying[$0])])
                }),
            "candidates": .array(candidates.map { $0.json }), "clash": .array(clash.map { .string(name($0)) }),
            "undecided": .bool(isUndecided), "policies": .number(policies), "situations": .number(situations),
        ])
    }

    private func name(_ place: Int) -> String { Claim(claims[place]).description }
}

extension Suggestion.Candidate {
    fileprivate var json: JSON {
        .object([
            "policy": .string(control.description), "accessible": .string(control.protection.name),
            "require": .array(control.flags.members.map { .string($0.name) }),
            "prompts": burden.prompts(.atHand).map { .number($0) } ?? .null,
            "failures": .array(burden.failures.map { .string($0.words) }),
            "existsOn": .string(control.availability), "others": .array(others.map { .string($0.description) }),
        ])
    }
}

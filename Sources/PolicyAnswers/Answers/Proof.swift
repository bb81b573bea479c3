internal import AccessPolicy
internal import DeviceModel
internal import PlainText
internal import PolicyProver

/// Returns the verdict on the claim of a request.
func proof(_ members: inout Members) throws(QuestionError) -> JSON {
    let subject = try Subject(&members)
    let statement = try Claim.Statement(&members)
    try members.finish()
    if let fault = statement.fault(of: subject.setting.assumes) { throw QuestionError(fault) }
    if let aim = statement.aim, !aim.isOpen(toKey: subject.isKey) {
        throw QuestionError(
            subject.isKey
                ? "a private key is used, never read: make a claim about use"
                : "only a private key is used: make a claim about read")
    }
    let claim = Claim(statement, assuming: subject.setting.assumes)
    let verdict = Prover(try scene(of: subject)).prove(claim)
    let story = verdict.story
    let attack: [JSON]? = if case .fails = verdict.answer { story.map { $0.sentences } } else { nil }
    return .object([
        "claim": .string(claim.description), "policy": .string(subject.control.description),
        "answer": .string(verdict.answer.word),
        "situations": .number(verdict.extent.situations), "moves": .number(verdict.extent.moves),
        "depth": .number(verdict.extent.depth),
        "steps": .array(attack ?? []), "story": story.map { $0.json } ?? .null,
        "plays": story.map { $0.plays(Cast(subject.setting)) } ?? .null,
        "assumptions": assumed(
            verdict.assumptions, subject, statement.holder, countingPrompts: statement.kind == .atMostPrompts),
        "reliesOnBackup": .bool(verdict.reliesOnBackup),
    ])
}

/// Returns what one profile can do: a cell for each aim that makes sense, from one search.
func threats(_ members: inout Members) throws(QuestionError) -> JSON {
    let subject = try Subject(&members)
    let profiles = Profile.ofOneDevice.map { ($0.name, $0) }
    guard let profile = try members.word("against", "profile", among: profiles) else {
        throw QuestionError("threats needs against, a profile: \(profiles.map { $0.0 }.joined(separator: ", "))")
    }
    try members.finish()
    let threats = Threats(try scene(of: subject), profiles: [profile], assuming: subject.setting.assumes)
    let cells = Aim.ofItems.map { aim in
        let story = threats.story(0, aim)
        var cell: [String: JSON] = ["aim": .string(aim.rawValue), "story": story.map { $0.json } ?? .null]
        switch threats.cell(0, aim) {
        case .meaningless: cell.set("result", to: .string("meaningless"))
        case .never: cell.set("result", to: .string("never"))
        case .undecided: cell.set("result", to: .string("undecided"))
        case .steps(let count):
            cell.set("result", to: .string("reached"))
            cell.set("steps", to: .number(count))
        }
        return JSON.object(cell)
    }
    return .object([
        "profile": .string(profile.name), "cells": .array(cells),
        "situations": .number(threats.extents[0].situations), "moves": .number(threats.extents[0].moves),
        "assumptions": assumed(threats.assumptions[0], subject, profile),
    ])
}

/// Returns the device with the item of `subject`. Throws if the device cannot store it.
private func scene(of subject: Subject) throws(QuestionError) -> Scene {
    do throws(StoringError) { return try subject.scene } catch { throw QuestionError(error.description) }
}

/// Returns the assumptions that make a difference to `holder`, and those that only some devices and claims have.
private func assumed(
    _ assumptions: Assumptions, _ subject: Subject, _ holder: Profile, countingPrompts: Bool = false
) -> JSON {
    var members: [String: JSON] = [:]
    for assumption in Assumption.allCases where assumption.applies(to: holder.holds) {
        let word = assumption.word(in: assumptions)
        members[assumption.rawValue] = assumption.words == ["true", "false"] ? .bool(word == "true") : .string(word)
    }
    if countingPrompts { members.set("answers", to: .string("right")) }
    if subject.setting.settings.stolenDeviceProtection { members.set("stolenDeviceProtection", to: .bool(true)) }
    if subject.setting.preset.kind == .mac && subject.setting.companion != .notPaired {
        members.set("autoUnlock", to: .string("off"))
    }
    return .object(members)
}

extension Verdict.Answer {
    /// The word for the answer in reports.
    fileprivate var word: String {
        switch self {
        case .holds: "holds"
        case .fails: "fails"
        case .undecided: "undecided"
        }
    }
}

extension Attack {
    /// The beginning and every step, as sentences.
    fileprivate var sentences: [JSON] { told.dropFirst().map { .string($0.words) } }

    fileprivate var json: JSON {
        .object([
            "beginning": .string(beginning),
            "steps": .array(
                (steps.map { ($0, true) } + inVain.map { ($0, false) }).map { step, succeeds in
                    .object([
                        "who": .string(name(of: step)), "does": .string(words(of: step)),
                        "because": .string(step.reason.words), "says": .string(step.reason.sentence),
                        "succeeds": .bool(succeeds),
                    ])
                }),
        ])
    }
}

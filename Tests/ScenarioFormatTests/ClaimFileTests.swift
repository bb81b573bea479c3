import PolicyProver
import PolicyScenarios
import ScenarioFormat
import Testing

/// Tests of claims and attackers in files.
@Suite struct ClaimFileTests {
    private static let items = """
        name: x
        items:
          token: { accessible: whenPasscodeSetThisDeviceOnly, require: biometryCurrentSet }
          key: { class: key, require: biometryAny privateKeyUsage }
          later: { stored: false }

        """

    private func read(_ text: String) -> ScenarioFile { ScenarioFile(bytes: Array(text.utf8), of: "x.yaml") }

    @Test(arguments: [
        ("{ never: read, item: token, against: passcode-thief }", "never read against passcode-thief"),
        ("{ eventually-can: read, item: token }", "eventually-can read by owner"),
        ("{ eventually-can: use, item: key, by: snatcher }", "eventually-can use by snatcher"),
        ("{ eventually-can: sign, item: key, by: snatcher }", "eventually-can use by snatcher"),
        (
            "{ always-can: read, item: token, against: injured-finger }",
            "always-can read by owner against injured-finger"
        ),
        ("{ gone-after-enrollment-change: token }", "gone-after-enrollment-change"),
        ("{ gone-after-enrollment-change: , item: key }", "gone-after-enrollment-change"),
        ("{ at-most-prompts: 1, item: token, workflow: [read, read] }", "at-most-prompts 1 for read, read by owner"),
        ("{ never: read, item: token, against: night-guard }", "never read against night-guard"),
    ]) func isUnderstood(claim: String, words: String) throws {
        let file = read(
            Self.items + "attackers: { night-guard: { like: snatcher, knows: passcode } }\nclaims:\n  - \(claim)\n")
        #expect(file.mistakes.map(\.description) == [])
        let claims = try #require(file.scenarios.first).claims
        #expect(claims.count == 1)
        #expect(Claim(claims[0].statement).description == words)
        #expect(claims[0].expectsHold)
    }

    @Test(arguments: [
        ("{ never: raed, item: token, against: owner }", "7:14: unknown aim \"raed\": did you mean read?"),
        (
            "{ never: read, item: token, against: pascode-thief }",
            "7:42: unknown attacker \"pascode-thief\": did you mean passcode-thief?"
        ),
        ("{ never: read, item: token }", "7:5: \"never\" needs \"against\": the attacker"),
        ("{ never: read, item: tokn, against: owner }", "7:26: unknown item \"tokn\": did you mean token?"),
        (
            "{ never: read, against: owner }",
            "7:5: a claim is about one item: add \"item\" with one of token, key, later"
        ),
        (
            "{ never: read, item: key, against: owner }",
            "7:14: key is a private key, which can be used but not read: claim \"use\" instead"
        ),
        (
            "{ never: use, item: token, against: owner }",
            "7:14: token is not a private key, and only a private key can be used: claim \"read\" instead"
        ),
        (
            "{ never: read, item: later, against: owner }",
            "7:5: later has \"stored: false\": a claim needs an item that exists at the beginning"
        ),
        (
            "{ at-most-prompts: 1, item: token }",
            "7:5: \"at-most-prompts\" needs \"workflow\": the requests, in order"
        ),
        (
            "{ at-most-prompts: 1, workflow: [raed], item: token }",
            "7:38: unknown request \"raed\": did you mean read?"
        ),
        (
            "{ never: read, eventually-can: read, item: token, against: owner }",
            "7:20: \"eventually-can\" has to be a claim of its own: this one has \"never\" already"
        ),
        (
            "{ never: read, workflow: [read], item: token, against: owner }",
            "7:20: \"workflow\" does not go with \"never\""
        ),
        (
            "{ gone-after-enrollment-change: token, item: token }",
            "7:50: \"gone-after-enrollment-change\" names the item already: remove \"item\""
        ),
        (
            "{ never: read, item: token, against: snatcher, holds: just-locked }",
            "7:59: \"holds\" applies only to an attacker who gets the device locked, and snatcher does not"
        ),
        (
            "{ never: read, item: token, against: owner, contexts: fesh }",
            "7:59: unknown assumption \"fesh\": did you mean fresh?"
        ),
        (
            "{ never: read, item: token, against: owner, expect: fail }",
            "7:57: unknown answer \"fail\": did you mean fails?"
        ),
    ]) func isRefused(claim: String, message: String) {
        let file = read(Self.items + "claims:\n  - \(claim)\n")
        #expect(file.mistakes.map(\.description) == ["x.yaml:\(message)"])
    }

    private static let files = """
        name: x
        items: { token: }
        files: { journal: complete, upload: { protection: completeUnlessOpen, open: true }, later: { stored: false } }

        """

    @Test(arguments: [
        ("{ never: read-file, file: journal, against: snatcher }", 0, "never read-file against snatcher"),
        ("{ eventually-can: create-file, file: upload }", 1, "eventually-can create-file by owner"),
        (
            "{ always-can: append-file, file: upload, by: background-app, against: snatcher }", 1,
            "always-can append-file by background-app against snatcher"
        ),
    ]) func aClaimAboutAFileIsUnderstood(claim: String, place: Int, words: String) throws {
        let file = read(Self.files + "claims:\n  - \(claim)\n")
        #expect(file.mistakes.map(\.description) == [])
        let claims = try #require(file.scenarios.first).claims
        #expect(claims.map(\.item) == [place])
        #expect(claims.map { Claim($0.statement).description } == [words])
    }

    @Test(arguments: [
        ("{ never: read-file, against: snatcher }", "this claim is about one file: add \"file\" with one of journal"),
        ("{ never: read-file, file: jornal, against: snatcher }", "unknown file \"jornal\": did you mean journal?"),
        ("{ never: read-file, file: token, against: snatcher }", "\"token\" is an item: this needs a file"),
        ("{ never: read, item: journal, against: snatcher }", "\"journal\" is a file: this needs an item"),
        (
            "{ never: read-file, item: token, against: snatcher }",
            "\"read-file\" is about a file: write \"file\" instead of \"item\""
        ),
        (
            "{ never: read, file: journal, against: snatcher }",
            "this claim is about an item: write \"item\" instead, or claim \"read-file\", \"create-file\", "
                + "\"append-file\" about the file"
        ),
        (
            "{ never: read-file, file: later, against: snatcher }",
            "later has \"stored: false\": a claim needs a file that exists at the beginning"
        ),
    ]) func aWrongClaimAboutAFileIsRefused(claim: String, message: String) {
        let mistakes = read(Self.files + "claims:\n  - \(claim)\n").mistakes.map(\.description)
        #expect(mistakes.count == 1 && mistakes[0].contains(": \(message)"), "\(mistakes)")
    }

    @Test func aFileThatIsNotThereCannotBeOpen() {
        let file = read("name: x\nfiles: { f: { stored: false, open: true } }\nsteps: [lock]\n")
        #expect(
            file.mistakes.map(\.description) == [
                "x.yaml:2:36: a file that does not exist at the beginning cannot be open then"
            ])
    }

    /// The assumptions of a claim take precedence over those of its attacker.
    @Test(arguments: [
        ("{ never: read, item: token, against: clerk }", "deletes: false, contexts: kept, holds: just-locked"),
        (
            "{ never: read, item: token, against: clerk, deletes: true, contexts: fresh, holds: long-locked }",
            "deletes: true, contexts: fresh, holds: long-locked"
        ),
        (
            "{ always-can: read, item: token, against: passcode-thief, deletes: false }",
            "deletes: false, contexts: fresh, holds: long-locked"
        ),
        (
            "{ gone-after-enrollment-change: token, holds: just-locked }",
            "deletes: true, contexts: fresh, holds: just-locked"
        ),
    ]) func whatIsAssumedIsStated(claim: String, words: String) async throws {
        let attacker = "clerk: { like: passcode-thief, holds: just-locked, deletes: false, contexts: kept }"
        let file = read(Self.items + "attackers: { \(attacker) }\nclaims:\n  - \(claim)\n")
        #expect(file.mistakes.map(\.description) == [])
        let proposition = try #require(Proposition.all(of: file.scenarios).propositions.first)
        #expect("\(proposition.claim.assumptions)" == words)
        #expect(await proposition.prove().verdict.assumptions == proposition.claim.assumptions)
    }

    @Test(arguments: [
        ("owner: { like: snatcher }", "7:3: \"owner\" is a built-in attacker: choose another name"),
        (
            "Night_Guard: { like: snatcher }",
            "7:3: the name of an attacker has only small letters, digits and single hyphens, as in night-guard"
        ),
        ("guard: { knows: [passcode] }", "7:3: an attacker needs \"holds\", or \"like\" to copy it"),
        (
            "guard: { holds: locked }",
            "7:3: an attacker needs \"can\", or \"like\" to copy it; write can: [] for one who can do nothing"
        ),
        ("guard: { like: snacher }", "7:18: unknown attacker \"snacher\": did you mean snatcher?"),
        ("guard: { like: snatcher, can: [enrol] }", "7:34: unknown ability \"enrol\": did you mean enroll?"),
        ("guard: { like: snatcher, holds: unlock }", "7:35: unknown hold \"unlock\": did you mean unlocked?"),
    ]) func isNoAttacker(attacker: String, message: String) {
        let file = read(Self.items + "attackers:\n  \(attacker)\nsteps: [lock]\n")
        #expect(file.mistakes.map(\.description) == ["x.yaml:\(message)"])
    }

    @Test func claimsAloneAreNotPlayed() {
        let file = read("name: x\nitems: { token: }\nclaims: [{ eventually-can: read }]\n")
        #expect(file.mistakes.map(\.description) == [])
        #expect(file.scenarios.count == 1 && file.scenarios[0].steps.isEmpty)
    }

    /// If the prover's clock could not pass the lock grace, a locked device would stay open forever in a proof.
    @Test func noClaimIsProvedOfADeviceThatNeverCloses() {
        let file = read(
            "name: x\ndevice: { lockGrace: 36501d }\nitems: { token: }\nclaims: [{ eventually-can: read }]\n")
        #expect(
            file.mistakes.map(\.description) == [
                "x.yaml:2:22: claims need a lockGrace of at most 36500d"
            ])
    }
}

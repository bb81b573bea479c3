internal import Courier
internal import LoanRules

/// Reads what git asks for, by the rules of a profile.
struct GitUses: UseReader {
    private let loan: GitLoan
    private let service: String
    private let borrower: String

    init(_ loan: GitLoan, of service: String, for borrower: String) {
        (self.loan, self.service, self.borrower) = (loan, service, borrower)
    }

    func read(_ request: RequestFacts) -> UseReading {
        switch loan.request(request.method, request.path, query: request.query) {
        case .beginsFetch: .use(LoanUse(method: "fetch", path: loan.path, part: .first), refusal: nil)
        case .fetch: .use(LoanUse(method: "fetch", path: loan.path, part: .following), refusal: nil)
        case .beginsPush: .use(LoanUse(method: "push", path: loan.path, refs: loan.refs, part: .first), refusal: nil)
        case .push: readsPlainly(request) ? .needsMore : .refused(Self.encoded, nil)
        case nil: .refused(notAllowed("\(request.method) \(request.path)"), nil)
        }
    }

    func body(of request: RequestFacts) -> any BodyUseReader { GitPushBody(self) }

    /// Returns true if a server reads the body of a push as it is read here.
    private func readsPlainly(_ request: RequestFacts) -> Bool {
        ["identity", nil].contains(request.fields["content-encoding"])
            && ["version=0", "version=1", nil].contains(request.fields["git-protocol"])
    }

    private static let encoded = LoanRefusal(
        .notAllowed, "A push in another encoding or protocol is not passed on, because its commands cannot be read.")

    private func notAllowed(_ deed: String) -> LoanRefusal {
        LoanRefusal(
            .notAllowed, "the profile \(borrower) does not allow \(deed) at \(service), so nothing was sent")
    }

    fileprivate func read(_ push: GitPush) -> UseReading {
        let writer: RefusalWriter = { reason in
            OwnAnswer(contentType: GitPushBody.type, body: push.report(refusing: reason))
        }
        let refusal = push.takesReports ? writer : nil
        if let change = loan.refused(push) { return .refused(notAllowed(Self.words(change)), refusal) }
        let use = LoanUse(method: "push", path: loan.path, refs: push.changes.map(\.text), part: .last)
        return .use(use, refusal: refusal)
    }

    /// The rule that would allow a change.
    private static func words(_ change: GitChange) -> String {
        switch change.effect {
        case .creation: "push \(change.ref.short)"
        case .update: "update \(change.ref.short)"
        case .deletion: "delete \(change.ref.short)"
        }
    }
}

/// Reads the commands of a push.
private struct GitPushBody: BodyUseReader {
    static let type = "application/x-git-receive-pack-result"

    private let uses: GitUses
    private var reader = GitPushReader()

    init(_ uses: GitUses) { self.uses = uses }

    mutating func read(_ beginning: [UInt8], isWhole: Bool) -> UseReading {
        do throws(GitFault) {
            return switch try reader.read(beginning, isWhole: isWhole) {
            case .needsMore: .needsMore
            case .push(let push): uses.read(push)
            // Git asks in this way whether it may push. The server is asked when the commands are known.
            case .probe: .answer(OwnAnswer(contentType: Self.type, body: []))
            }
        } catch {
            let writer: RefusalWriter = { OwnAnswer(contentType: Self.type, body: GitPush.error($0)) }
            return .refused(LoanRefusal(.notAllowed, error.sentence), error.isOfGit ? writer : nil)
        }
    }
}

import AccessPolicy
import AgentProtocol
import DeviceModel
import PlainText
import Testing
import UserPresence
import VaultService

/// Messages arrive as they were sent.
@Suite struct MessageTests {
    private static let texts = ["", "a/b", "ä\u{0}\"\\\u{7F}\n", "\u{1F600}", String(repeating: "x", count: 1024)]
    private static let policies = Accessibility.allCases.flatMap { protection in
        ([[]] + AccessControlFlags.named.map { [$0.flag] } + [AccessControlFlags.named.map(\.flag)]).map { flags in
            ItemPolicy(protection, flags.reduce(into: AccessControlFlags()) { $0.insert($1) })
        }
    }

    static var requests: [any AgentCall] {
        var requests: [any AgentCall] = [
            StatusCall(), UnlockCall(bySensor: false), UnlockCall(bySensor: true), LockCall(), StopCall(),
            ListCall(isBrief: false),
            ListCall(isBrief: true), ChangePasscodeCall(), RecoverCall(),
            VerifyCall(), EnrolledCall(), MatchCall(), ResetSensorCall(), KeysCall(),
            EncryptedFoldersCall(), SSHKeysCall(), SecretServiceCall(), DeletedCall(), CheckRecoveryKeyCall(),
            ReplaceRecoveryKeyCall(),
            AddCall("n", nil, comment: nil, replaces: false, fields: ["user", "url"]),
        ]
        for text in texts {
            requests += [
                ReadCall(text), CodeCall(text), RemoveCall(text, isFinal: false), RemoveCall(text, isFinal: true),
                PutBackCall(text),
                ShowCall(text),
                BackUpCall(text), ImportBackupCall(text), EnrollCall(text),
                RemoveEnrolledCall(text), ChangeCall(text, ChangeCall.Changes()),
                ChangeCall("n", ChangeCall.Changes(name: text)),
                ChangeCall("n", ChangeCall.Changes(comment: text)), KeyCall(text), RemoveKeyCall(text),
                CertificateCall(text),
                SetCertificateCall(text), SignCall(text, digest: text, .ecdsaSHA256, isRaw: false),
                DecryptCall(text, .eciesSHA256), HistoryCall(text),
                ReadPartCall(text, ReadPartCall.Selection(field: text)),
                ReadPartCall("n", ReadPartCall.Selection(version: 3)),
                EditPartCall(text, EditPartCall.Change(field: text)),
                EditPartCall("n", EditPartCall.Change(removedField: text)),
                EditPartCall("n", EditPartCall.Change(restored: 2)),
                EditPartCall("n", EditPartCall.Change(forgets: true)),
                ChangeCall(text, ChangeCall.Changes(forgets: true)), TransferCall(text, isKept: true), RetireCall(text),
                TransferCall(text, isKept: false), EditPartCall("n", EditPartCall.Change(amends: true)),
            ]
            var goingOn = LendCall(text, LoanTerms(borrower: "b", command: "c", target: "s", uses: 7, minutes: 1))
            goingOn.former = text
            requests.append(goingOn)
            var folder = EncryptedFolder()
            (folder.identifier, folder.path, folder.protection, folder.holders) = (text, text, .untilFirstUnlock, .end)
            folder.isMoving = true
            requests += [
                AddEncryptedFolderCall(folder), ChangeEncryptedFolderCall(folder),
                OpenEncryptedFolderCall(text, at: text),
                RemoveEncryptedFolderCall(text, isSure: true), DropFileCall(text, into: text),
                ShareFolderCall(text, isHidden: true), UnshareFolderCall(text),
                UnlockAtLoginCall(), FollowLoginPasswordCall(), EndSessionCall(nil), EndSessionCall(text),
                WaitingCall(), ApproveCall(7),
                LendCall(text, LoanTerms(borrower: text, command: text, target: text, uses: nil, minutes: 7)),
                LendCall("n", LoanTerms(borrower: "b", command: "c", target: "s", uses: 7, minutes: 1)),
                LendCall(
                    "n",
                    LoanTerms(borrower: "b", command: "c", target: "s", uses: 7, minutes: 1, policy: .usual)),
                LendCall(
                    "n", LoanTerms(borrower: "b", command: "c", target: "s", uses: 7, minutes: 1, signs: text)),
                LendCall(
                    "n", LoanTerms(borrower: "b", command: "c", target: "s", uses: 7, minutes: 1, form: text)),
                UseKeyLoanCall(algorithm: nil), UseKeyLoanCall(algorithm: text, isRaw: true),
                SignLoanCall(method: text, path: text, query: text, fields: [[text, text]]),
                UseLoanCall(method: text, path: text), UseLoanCall(method: "GET", path: "/p", program: text),
                UseLoanCall(ahead: text, path: text, claim: text),
                SignLoginCall(
                    hostKey: Array(text.utf8), session: [0, 255], hostSignature: [], login: Array(text.utf8), flags: 4),
                LendCall(
                    "n", LoanTerms(borrower: "b", command: "", place: text, target: "s", uses: 7, minutes: 1)),
                SignLoanCall(method: "PUT", path: "/p", query: "q", fields: [], program: text),
                UseLoanCall(method: "push", path: text, refs: [text, "b"], former: 7),
                GiveBackUseCall(7), LoansCall(), EndLoansCall(nil),
                EndLoansCall(7), AllowLendingCall(text, allowing: [text, text]),
                AllowLendingCall(text, forbidding: [text]),
            ]
            var destination = SSHKeyDestination()
            (destination.from, destination.fromKeys, destination.user) = (text, [text], text)
            (destination.to, destination.toKeys) = (text, [text, text])
            var entry = SSHKeyEntry()
            (entry.name, entry.key, entry.comment, entry.destinations) = (text, text, text, [destination])
            requests += [AddSSHKeyCall(entry), RemoveSSHKeyCall(text)]
            entry.isForAnyHost = true
            requests.append(AddSSHKeyCall(entry))
            requests.append(ExchangeCall([text, "n"], for: text, .usual, comment: nil))
            for isFolder in [false, true] {
                for copies in [false, true] {
                    requests.append(MoveCall(text, to: text, isFolder: isFolder, copies: copies))
                }
                requests.append(RemoveFolderCall(text, count: isFolder ? 7 : nil, isFinal: !isFolder))
            }
            for replaces in [false, true] {
                for comment in [nil, text] {
                    requests.append(AddCall(text, ItemPolicy.usual, comment: comment, replaces: replaces))
                }
            }
        }
        for policy in policies {
            requests.append(AddCall("n", policy, comment: nil, replaces: false))
            requests.append(ChangeCall("n", ChangeCall.Changes(policy: policy)))
            requests.append(ExchangeCall([], for: "n", policy, comment: "c"))
            var settings = SettingChanges()
            for name in SettingName.all(in: .vault) { settings[name] = SettingTableTests.values(of: name).first }
            settings[.defaultPolicy] = .policy(policy)
            requests += [
                SettingsCall(settings), ImportKeyCall("n", .rsa, nil), AddCall("n", nil, comment: nil, replaces: true),
            ]
            requests.append(GenerateKeyCall("n", .p256, inEnclave: true, policy))
            requests.append(ImportKeyCall("n", .ec, policy))
        }
        requests += GeneratedKeyType.allCases.map { GenerateKeyCall("n", $0, inEnclave: false, .usual) }
        for text in ["", "/m.so", "ä\n"] {
            var card = CardKeyReference()
            (card.module, card.serial, card.token, card.key) = (text, text, text, text)
            requests += [AddCardKeyCall("n", card, nil), AddCardKeyCall("n", card, .usual)]
        }
        requests += KeyFamilyName.allCases.map { ImportKeyCall("n", $0, .usual) }
        requests += SignatureAlgorithm.allCases.map { SignCall("n", digest: "", $0, isRaw: true) }
        requests += EncryptionAlgorithm.allCases.map { DecryptCall("n", $0) }
        for after in [0, 1, Int.max] {
            for latest in [nil, 0, 7, Int.max] { requests.append(LogCall(after: after, latest: latest)) }
        }
        for size in [nil, 0, .number(.max)] as [SettingValue?] {
            for isDurable in [nil, false, true] as [SettingValue?] {
                var log = SettingChanges(.log)
                (log[.logSize], log[.durableLog]) = (size, isDurable)
                requests.append(LogSettingsCall(log))
            }
        }
        return requests
    }

    /// Returns the message as it arrives: written as text, and read from that.
    private func sent(_ head: WireObject) throws -> WireObject {
        try #require(WireObject(try JSON(Array(head.text.utf8))))
    }

    @Test func requestsSurviveTheWireAndTakeNothingUnknown() throws {
        #expect(Set(Self.requests.map { $0.head["do"] }) == Set(Verb.allCases.map { .string($0.rawValue) }))
        for request in Self.requests {
            var head = try sent(request.head)
            #expect(try Verb.call(from: &head).head == request.head)
            try head.end()
            var more = request.head
            more["unknown"] = JSON.null
            #expect(throws: WireError.self) {
                _ = try Verb.call(from: &more)
                try more.end()
            }
        }
    }

    @Test func faultsSurviveTheWire() throws {
        for kind in AgentError.Kind.allCases {
            for (rule, status) in [(nil, nil), ("a.b", nil), (nil, -25300), ("x", Int32.min)] as [(String?, Int32?)] {
                let fault = AgentError(kind, "what\nand how", rule: rule, status: status)
                var head = try sent(fault.head)
                #expect(try AgentError(from: &head) == fault)
                try head.end()
            }
        }
    }

    @Test func whatIsListedSurvivesTheWire() throws {
        for policy in Self.policies {
            for text in Self.texts {
                let entry = Entry(name: text, policy: policy, comment: text, created: .min, modified: .max)
                var head = try sent(entry.head)
                #expect(try Entry(reading: &head) == entry)
                try head.end()
                #expect(entry.text == entry.head.text, "the text that is written at once")
            }
        }
        for text in Self.texts {
            var entry = KeyEntry()
            (entry.name, entry.type, entry.fingerprint) = (text, text, text)
            entry.certificate = text.isEmpty ? nil : text
            entry.isInEnclave = text.isEmpty
            entry.card = text.isEmpty ? nil : text
            var head = try sent(entry.head)
            #expect(try KeyEntry(reading: &head) == entry)
            try head.end()
        }
        let outlooks: [Outlook] =
            [.granted, .asks([]), .asks([[]]), .asks([["biometry"], ["passcode", "companion"]])]
            + Self.texts.map { .denied(rule: $0, message: $0, remedy: $0) }
        for outlook in outlooks {
            var head = try sent(outlook.head)
            #expect(try Outlook(reading: &head) == outlook)
            try head.end()
        }
    }

    @Test func stateAndTrailSurviveTheWire() throws {
        for state in StatusReport.State.allCases {
            for text in Self.texts.map({ $0 as String? }) + [nil] {
                var report = StatusReport()
                report.vault = text ?? "/v"
                report.state = state
                report.isSensorFake = text == nil
                report.enrolled = text.map { [$0, "x"] } ?? []
                (report.sensorTrouble, report.service, report.sleepTrouble) = (text, text, text)
                report.locksAfter = text?.utf8.count
                report.log[.logSize] = text.map { .number($0.utf8.count) }
                report.log[.durableLog] = .flag(text == nil)
                var head = try sent(report.head)
                var read = StatusReport()
                try read.read(from: &head)
                #expect(read == report)
                try head.end()
            }
        }
        let callers = [
            "", "a program", "uid 0 pid 1 ?", "uid 1000 pid 77 /a path/with < blanks", "uid 5 pid 6 /x < pid 7 /y z",
            "uid 5 pid 6 ? < pid 7 ?", "uid x pid y z", "uid 5 pid 6 /x < pid 7 ? (calls itself \"a b\")",
        ]
        for caller in callers {
            for name in [nil, "a/b"] {
                let record = LogRecord(
                    number: 1, time: .max, verdict: "granted", action: "read", name: name,
                    caller: Peer(audited: caller),
                    rules: ["a", "b"], count: .max)
                var head = try sent(record.head)
                #expect(try LogRecord(reading: &head) == record)
            }
        }
    }

    /// Returns the properties of `value` that are equal in `other`.
    private static func same(_ value: Any, _ other: Any) -> [String] {
        zip(Mirror(reflecting: value).children, Mirror(reflecting: other).children)
            .filter { "\($0.value)" == "\($1.value)" }.compactMap(\.0.label)
    }

    /// Fails if a member was added that is not described, or not set here.
    @Test func everyMemberSurvivesTheWire() throws {
        var report = StatusReport()
        report.vault = "/v"
        report.state = .unlocked
        report.sensor = "touchID"
        report.isSensorFake = true
        report.enrolled = ["a"]
        (report.sensorTrouble, report.service, report.sleepTrouble) = ("s", "p", "t")
        (report.locksAfter, report.failedAttempts, report.delay, report.clockBehind) = (1, 2, 3, 4)
        report.limitTroubles = ["l"]
        report.process = 5
        report.formerOpensFor = 7
        (report.areSettingsUnchecked, report.settingsPutBack) = (true, 8)
        report.log = SettingChanges(.log, [.logSize: 6, .durableLog: false])
        var head = try sent(report.head)
        var read = StatusReport()
        try read.read(from: &head)
        #expect(read == report)
        let changes = ChangeCall.Changes(name: "a", policy: .usual, comment: "c", forgets: true)
        var change = try sent(ChangeCall("n", changes).head)
        #expect(try Verb.call(from: &change) as? ChangeCall == ChangeCall("n", changes))
        let alike = Self.same(report, StatusReport()) + Self.same(changes, ChangeCall.Changes())
        #expect(alike == [])
    }

    @Test func questionsSurviveTheWire() throws {
        let kinds = PromptContent.Kind.onTheWire
        #expect(Set(kinds.map(\.word)).count == kinds.count && Set(kinds.map(\.kind)).count == kinds.count)
        for (_, kind) in kinds {
            for sensor in SensorKind.allCases {
                for (attempt, text) in Self.texts.flatMap({ text in (0..<5).map { ($0, text) } }) {
                    var content = PromptContent(kind, reason: text, app: "app", offersFallback: text.isEmpty)
                    content.attempt = 3
                    content.notes = [text, "note"]
                    content.sensor = sensor
                    content.enrolled = [text]
                    content.isSensorFake = sensor != .none
                    content.fallbackTitle = text.isEmpty ? nil : text
                    content.cancelTitle = text.isEmpty ? nil : text
                    content.secret = text.isEmpty ? nil : text
                    content.caller = text.isEmpty ? nil : .init(path: attempt > 1 ? text : nil, process: 7)
                    content.allowance = text.isEmpty ? nil : .init(number: 2, limit: 5)
                    let reaches: [PromptContent.Reach?] = [
                        nil, .command, .session(seconds: 1), .otherSecrets(seconds: 2), .program(seconds: 3),
                    ]
                    content.reach = reaches[attempt]
                    content.isForAnotherTerminal = attempt == 4
                    var head = try sent(content.head(42))
                    let (taken, number) = try PromptContent.decoded(from: &head, app: "app")
                    #expect(taken == content && number == 42)
                    try head.end()
                }
            }
        }
        let endings = Prompt.Ending.onTheWire
        #expect(Set(endings.map(\.word)).count == 6 && Set(endings.map(\.ending)).count == 6)
    }

    /// A value of another kind is refused in every field of every request.
    @Test func nothingOfTheWrongShapeIsTaken() throws {
        let shapes: [JSON] = [.bool(true), .number("1"), .string("x"), .array([.null]), .object(["x": .null])]
        for request in Self.requests.prefix(40) {
            for (name, value) in request.head.fields {
                for shape in shapes where !Self.isAlike(shape, value) {
                    var head = request.head
                    head[name] = shape
                    #expect(throws: WireError.self, "\(head.text)") {
                        _ = try Verb.call(from: &head)
                        try head.end()
                    }
                }
            }
        }
    }

    private static func isAlike(_ one: JSON, _ other: JSON) -> Bool {
        switch (one, other) {
        case (.bool, .bool), (.number, .number), (.string, .string), (.array, .array), (.object, .object): true
        default: false
        }
    }
}

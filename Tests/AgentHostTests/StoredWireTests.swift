import AccessPolicy
import AgentProtocol
import DeviceModel
import TestSupport
import Testing
import UserPresence
import VaultService

/// Everything on the wire keeps its spelling, because agents, commands and clients of other versions rely on it.
@Suite struct StoredWireTests {
    private static let policy = ItemPolicy(.whenPasscodeSetThisDeviceOnly, [.biometryAny, .or, .devicePasscode])
    private static let settings: [SettingName: SettingValue] = [
        .reuse: 600, .lockAfter: 0, .defaultPolicy: .policy(policy), .pamService: "", .sensor: "/s",
    ]
    private static let card = {
        var card = CardKeyReference()
        (card.module, card.serial, card.token, card.key) = ("/m.so", "7", "Work", "01")
        return card
    }()
    private static let folder = {
        var folder = EncryptedFolder()
        (folder.identifier, folder.path, folder.protection, folder.holders) = ("0f", "/j", .unlessOpen, .end)
        return folder
    }()
    private static var movingFolder: EncryptedFolder {
        var folder = folder
        folder.isMoving = true
        return folder
    }
    private static let sshKey = {
        var destination = SSHKeyDestination()
        (destination.from, destination.fromKeys, destination.user) = ("b", ["AA=="], "u")
        (destination.to, destination.toKeys) = ("h", ["AA=="])
        var entry = SSHKeyEntry()
        (entry.name, entry.comment, entry.destinations) = ("a", "c", [destination])
        return entry
    }()
    private static func changing(_ values: [SettingName: SettingValue]) -> any AgentCall {
        SettingsCall(SettingChanges(.vault, values))
    }
    private static let requests: [any AgentCall] = [
        StatusCall(), UnlockCall(bySensor: false), UnlockCall(bySensor: true), LockCall(), StopCall(), ReadCall("a/b"),
        AddCall("a", .usual, comment: nil, replaces: false), AddCall("a", policy, comment: "c", replaces: true),
        ExchangeCall(["a", "b"], for: "c", .usual, comment: nil), ExchangeCall([], for: "c", policy, comment: "d"),
        ChangeCall("a", ChangeCall.Changes()),
        ChangeCall("a", ChangeCall.Changes(name: "b", policy: policy, comment: "")),
        RemoveCall("a", isFinal: false), ListCall(isBrief: false), ListCall(isBrief: true), ShowCall("a"),
        ChangePasscodeCall(),
        RecoverCall(), VerifyCall(),
        BackUpCall("/b"), ImportBackupCall("/b"),
        EnrollCall("right index"), RemoveEnrolledCall("right index"), EnrolledCall(), MatchCall(), ResetSensorCall(),
        LogCall(after: 0, latest: nil), LogCall(after: 3, latest: 7), LogSettingsCall(SettingChanges(.log)),
        LogSettingsCall(SettingChanges(.log, [.logSize: 1_048_576, .durableLog: true])),
        LogSettingsCall(SettingChanges(.log, [.durableLog: false])),
        GenerateKeyCall("a", .p256, inEnclave: true, policy), GenerateKeyCall("a", .rsa3072, inEnclave: false, .usual),
        ImportKeyCall("a", .ec, .usual), ImportKeyCall("a", .rsa, policy), AddCardKeyCall("a", card, .usual),
        KeysCall(), KeyCall("a"),
        RemoveKeyCall("a"),
        CertificateCall("a"), SetCertificateCall("a"),
        SignCall("a", digest: "00ff", .ecdsaSHA256, isRaw: false),
        SignCall("a", digest: "00ff", .ecdsaSHA256, isRaw: true),
        DecryptCall("a", .eciesSHA256),
        changing([:]), changing(settings), AddCall("a", nil, comment: nil, replaces: false),
        AddCall("a", ItemPolicy(.whenUnlocked, .userPresence, allowsReuse: true), comment: nil, replaces: false),
        MoveCall("a", to: "b", isFolder: false, copies: false), MoveCall("a", to: "b", isFolder: true, copies: true),
        RemoveFolderCall("a", count: nil, isFinal: false), RemoveFolderCall("a", count: 3, isFinal: false),
        changing([.clipboardTime: 20]),
        ReadPartCall("a", ReadPartCall.Selection(field: "user", version: 2)), HistoryCall("a"),
        EditPartCall("a", EditPartCall.Change(field: "user")),
        EditPartCall("a", EditPartCall.Change(removedField: "user")),
        EditPartCall("a", EditPartCall.Change(restored: 1)), EditPartCall("a", EditPartCall.Change(forgets: true)),
        ChangeCall("a", ChangeCall.Changes(forgets: true)), changing([.history: 86_400]),
        changing([.pinentry: "qt"]),
        TransferCall("/b", isKept: false), TransferCall("/b", isKept: true), RetireCall("c"),
        EditPartCall("a", EditPartCall.Change(amends: true)), RemoveCall("a", isFinal: true), PutBackCall("a"),
        RemoveFolderCall("a", count: nil, isFinal: true),
        EncryptedFoldersCall(), AddEncryptedFolderCall(folder), OpenEncryptedFolderCall("0f", at: "/j"),
        ChangeEncryptedFolderCall(movingFolder), RemoveEncryptedFolderCall("0f", isSure: false),
        RemoveEncryptedFolderCall("0f", isSure: true),
        DropFileCall("/f", into: "0f"),
        SecretServiceCall(), ShareFolderCall("work", isHidden: false), ShareFolderCall("work", isHidden: true),
        UnshareFolderCall("work"), changing([.secretService: true, .secretRules: "a=b -> each-time"]),
        AddSSHKeyCall(sshKey), RemoveSSHKeyCall("a"), SSHKeysCall(),
        UnlockAtLoginCall(), FollowLoginPasswordCall(), EndSessionCall(nil), EndSessionCall("c2"),
        changing([.lockAtLogout: true]),
        changing([.notify: false]), AddCall("a", nil, comment: nil, replaces: true, fields: ["user", "url"]),
        DeletedCall(),
        CheckRecoveryKeyCall(), ReplaceRecoveryKeyCall(), WaitingCall(), ApproveCall(3),
        CodeCall("a"),
        LendCall("a", terms), goingOn, UseLoanCall(method: "POST", path: "/p"), GiveBackUseCall(3), LoansCall(),
        EndLoansCall(nil),
        EndLoansCall(3), AllowLendingCall("a"),
        AllowLendingCall("a", allowing: ["https://b"], forbidding: ["https://c"]),
        LendCall(
            "a",
            LoanTerms(borrower: "b", command: "c", target: "https://d", uses: 2, minutes: 5, signs: "s3 eu-central-1")),
        SignLoanCall(method: "PUT", path: "/p", query: "q", fields: [["x-amz-acl", "private"]]),
        LendCall("a", LoanTerms(borrower: "b", command: "c", target: "value", uses: 2, minutes: 5, form: "aws")),
        UseKeyLoanCall(algorithm: nil), UseKeyLoanCall(algorithm: "ecdsa-sha384", isRaw: true),
        SignLoginCall(hostKey: [1], session: [2], hostSignature: [3], login: [4, 5], flags: 4),
        LendCall(
            "a", LoanTerms(borrower: "b", command: "", place: "in /f", target: "https://d", uses: 2, minutes: 5)),
        UseLoanCall(method: "GET", path: "/p", program: "c (process 7)"),
        LendCall("a", LoanTerms(borrower: "b", command: "c", target: "https://d", uses: 2, minutes: 5, policy: .usual)),
        UseLoanCall(ahead: "GET", path: "/p", claim: "because"),
    ]
    private static var goingOn: LendCall {
        var call = LendCall("a", terms)
        call.former = "c0ffee-3"
        return call
    }
    private static let terms = LoanTerms(borrower: "b", command: "c", target: "https://d", uses: 2, minutes: 5)

    @Test func requestsAreSentAsEver() throws {
        #expect(Set(Self.requests.map { type(of: $0).verb }) == Set(Verb.allCases), "every request is in the file")
        try Golden.expect("requests", Self.requests.map(\.head.text))
    }

    private static var reports: [String] {
        var short = StatusReport()
        (short.vault, short.sensor, short.process) = ("/v", "none", 7)
        var texts = [short.head.text]
        short.log = SettingChanges(.log, [.logSize: 9, .durableLog: false])
        texts.append(short.head.text)
        var long = StatusReport()
        (long.vault, long.state, long.sensor, long.isSensorFake) = ("/v", .beforeFirstUnlock, "touchID", true)
        (long.enrolled, long.sensorTrouble, long.service) = (["a", "b"], "s", "/p/latchkey")
        (long.locksAfter, long.failedAttempts, long.delay, long.clockBehind) = (300, 2, 60, 5)
        (long.sleepTrouble, long.limitTroubles, long.process) = ("t", ["l"], 8)
        var former = StatusReport()
        (former.vault, former.sensor, former.process, former.formerOpensFor) = ("/v", "none", 7, 604_800)
        return texts + [long.head.text] + StatusReport.State.allCases.map { "state \($0.rawValue)" }
            + [former.head.text]
    }

    private static var contents: [String] {
        var long = PromptContent(.passcode, reason: "r", app: "a", offersFallback: true)
        long.attempt = 2
        long.notes = ["n"]
        long.enrolled = ["e"]
        long.isSensorFake = true
        long.fallbackTitle = "f"
        long.cancelTitle = "c"
        var texts = [long.head(1).text]
        for sensor in SensorKind.allCases {
            var content = PromptContent(.biometry, reason: "r")
            content.sensor = sensor
            texts.append(content.head(2).text)
        }
        for reach in [
            PromptContent.Reach.command, .session(seconds: 1), .otherSecrets(seconds: 2), .program(seconds: 3),
            .loan(uses: 2, minutes: 5), .loan(uses: nil, minutes: 5),
        ] {
            var content = PromptContent(.passcode, reason: "r")
            content.caller = .init(path: reach == .command ? nil : "/p", process: 7)
            content.secret = "s"
            content.reach = reach
            texts.append(content.head(3).text)
        }
        texts += PromptContent.Kind.onTheWire.map { "wish \($0.word) \($0.kind)" }
        // The list names the cases as they were spelled when it was made.
        return texts
            + Prompt.Ending.onTheWire.map {
                "ending \($0.word) \("\($0.ending)".replacing("anceled", with: "ancelled"))"
            }
    }

    private static var records: [String] {
        let callers = ["", "a program", "uid 1000 pid 77 /bin/a < pid 7 /bin/b", "uid 5 pid 6 ?"]
        let records = callers.map { caller in
            LogRecord(
                number: 1, time: 2, verdict: "granted", action: "readData", name: nil, caller: Peer(audited: caller),
                rules: ["a", "b"], count: 3)
        }
        let long = LogRecord(
            number: 1, time: 2, last: 9, verdict: "denied", action: "readData", name: "n", caller: Peer(audited: ""),
            rules: [], count: 1)
        return (records + [long]).map(\.head.text)
    }

    private static var keys: [String] {
        var entry = KeyEntry()
        (entry.name, entry.type, entry.policy, entry.fingerprint) = ("a", "p256", policy, "00ff")
        let software = entry.head.text
        (entry.isInEnclave, entry.certificate, entry.created) = (true, "c", 1)
        let inEnclave = entry.head.text
        (entry.isInEnclave, entry.certificate, entry.card) = (false, nil, "Work")
        return [software, inEnclave, entry.head.text] + GeneratedKeyType.allCases.map { "type \($0.rawValue)" }
            + KeyFamilyName.allCases.map { "family \($0.rawValue)" }
            + SignatureAlgorithm.allCases.map { "signature \($0.rawValue)" }
            + EncryptionAlgorithm.allCases.map { "encryption \($0.rawValue)" }
    }

    @Test func messagesAreSentAsEver() throws {
        let outlooks: [Outlook] = [
            .granted, .asks([["biometry"], ["passcode", "companion"]]), .denied(rule: "r", message: "m", remedy: "w"),
        ]
        let entry = Entry(name: "a", policy: Self.policy, comment: "c", created: 1, modified: 2)
        let faults = [AgentError(.denied, "m"), AgentError(.denied, "m", rule: "r", status: -25300)]
        let lines =
            Self.reports + Self.contents + Self.records + outlooks.map(\.head.text) + [entry.head.text]
            + faults.map(\.head.text) + AgentError.Kind.allCases.map { "fault \($0.rawValue)" }
            + Self.keys
        try Golden.expect("messages", lines)
    }
}

import AccessPolicy
import Testing

/// The decision about syncing, against tables that were written from section 13 of the fact sheet alone.
@Suite struct SyncDecisionTests {
    /// The views that a kind of device gets, by name.
    private static let views: [AccountDeviceKind: Set<SyncView>] = [
        .full: [.applications, .passwords, .creditCards, .wifi, .backstop],
        .watch: [.applications, .passwords, .creditCards, .wifi, .backstop],
        .tv: [.creditCards, .wifi, .backstop], .speaker: [.creditCards, .wifi, .backstop], .windows: [.passwords],
    ]

    /// The kinds that a member may bring in.
    private static let introduces: [AccountDeviceKind: Set<AccountDeviceKind>] = [
        .full: Set(AccountDeviceKind.allCases), .watch: Set(AccountDeviceKind.allCases), .tv: [.tv],
        .speaker: [.speaker], .windows: [],
    ]

    @Test func everyKindAndViewFollowsTheTables() {
        for kind in AccountDeviceKind.allCases {
            for view in SyncView.allCases {
                #expect(kind.gets(view) == Self.views[kind]?.contains(view), "\(kind) \(view)")
            }
            for other in AccountDeviceKind.allCases {
                #expect(kind.mayIntroduce(other) == Self.introduces[kind]?.contains(other), "\(kind) \(other)")
            }
        }
    }

    @Test(arguments: [
        ("A1B2C3D4E5.com.example.app", nil, SyncView.applications), ("com.example.app", nil, .applications),
        ("com.apple.cfnetwork", nil, .passwords), ("com.apple.safari.credit-cards", nil, .creditCards),
        ("com.apple.other", nil, .backstop), ("apple", nil, .backstop), ("", nil, .applications),
        ("com.apple.cfnetwork", "CreditCards", .creditCards), ("com.example.app", "HomeKit", .homeKit),
        ("com.example.app", "ContinuityUnlock", .continuityUnlock), ("apple", "WiFi", .wifi),
        ("com.example.app", "another", .applications),
    ])
    func aHintDecidesBeforeTheGroup(_ group: String, _ hint: String?, _ view: SyncView) {
        #expect(SyncView(group: group, hint: hint) == view)
    }

    /// The whole space of devices and views: the first of the reasons in the order of the fact sheet.
    @Test func everyDeviceAndViewFollowsTheOrderOfReasons() {
        var rules: [SyncRule: Int] = [:]
        for bits in 0..<32 {
            for kind in AccountDeviceKind.allCases {
                let standing = SyncStanding(
                    isSignedIn: bits & 1 != 0, isOnList: bits & 2 != 0, isInCircle: bits & 4 != 0,
                    isOffline: bits & 8 != 0, syncsPasswords: bits & 16 != 0, kind: kind)
                let reasons: [(Bool, SyncRule)] = [
                    (bits & 1 == 0, .noAccount), (bits & 2 == 0, .removedFromAccount), (bits & 4 == 0, .notInCircle),
                    (bits & 8 != 0, .offline),
                ]
                #expect(standing.obstacle == reasons.first(where: \.0)?.1)
                for view in SyncView.allCases {
                    let isNever = [SyncView.homeKit, .appleTV, .continuityUnlock].contains(view)
                    let reasons: [(Bool, SyncRule)] = [
                        (isNever, .viewNeverSyncs), (Self.views[kind]?.contains(view) != true, .viewOfOtherDevices),
                        (bits & 16 == 0, .switchedOff),
                    ]
                    let rule = standing.obstacle(to: view)
                    #expect(rule == reasons.first(where: \.0)?.1, "\(kind) \(view)")
                    if let rule { rules[rule, default: 0] += 1 }
                }
            }
        }
        #expect(Set(rules.keys) == [.viewNeverSyncs, .viewOfOtherDevices, .switchedOff])
    }

    /// Every policy that an item can have: only ak, ck and dk without flags leave the device.
    @Test func onlyThreeClassesWithoutFlagsLeaveTheDevice() throws {
        var leaving: Set<Accessibility> = []
        for protection in Accessibility.allCases {
            for isKey in [false, true] {
                let plain = Item(AccessControl(protection), isKey: isKey, isSynchronizable: true)
                if plain.syncObstacle == nil { leaving.insert(protection) }
                #expect((plain.syncObstacle == .keyOfEnclave) == isKey)
                for flag in AccessControlFlag.allCases.map({ AccessControlFlags(rawValue: $0.rawValue) }) {
                    guard let control = try? AccessControl(protection: protection, flags: flag) else { continue }
                    let item = Item(control, isKey: isKey, isSynchronizable: true)
                    #expect(item.syncObstacle == (isKey ? .keyOfEnclave : .protected), "\(control)")
                }
            }
        }
        #expect(leaving == [.whenUnlocked, .afterFirstUnlock, .always])
    }

    @Test func theLowerRecordWinsAndDatesDoNotMatter() {
        #expect(meeting(of: 5, with: Int?.none) == .arrived && meeting(of: 5, with: 5) == .arrived)
        #expect(meeting(of: 4, with: 5) == .lowerRecordWins && meeting(of: 6, with: 5) == .higherRecordDropped)
    }
}

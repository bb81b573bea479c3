import AccessPolicy
import Testing

/// How long a kept authentication counts, over every order of its three moments around the limits.
@Suite struct ReuseLimitTests {
    private static let spans: [Int64] = [0, 1, 2, 600_000, 12 * 3_600_000]
    private static let moments: [Int64] = [
        -1, 0, 1, 2, 3, 599_999, 600_000, 600_001, 12 * 3_600_000 - 1, 12 * 3_600_000, 12 * 3_600_000 + 1, 1 << 60,
    ]

    @Test func anAuthenticationCountsUntilOneOfItsTimesIsOver() {
        var granted = 0
        for span in Self.spans {
            let limit = ReuseLimit(sinceUse: TimeSpan(milliseconds: span))
            for began in Self.moments {
                for used in Self.moments {
                    for now in Self.moments {
                        let allows = limit.allows(
                            at: Instant(milliseconds: now), authenticatedAt: Instant(milliseconds: began),
                            usedAt: Instant(milliseconds: used))
                        // Written another way, in numbers that cannot overflow.
                        let sinceUse = Int128(now) - Int128(used)
                        let age = Int128(now) - Int128(began)
                        let expected =
                            used >= began && (0..<Int128(span)).contains(sinceUse) && (0..<43_200_000).contains(age)
                        #expect(allows == expected, "\(span) \(began) \(used) \(now)")
                        granted += allows ? 1 : 0
                    }
                }
            }
        }
        #expect(granted > 50)
        #expect(!ReuseLimit.none.allows(at: .start, authenticatedAt: .start, usedAt: .start))
    }

    /// A policy that asks for nothing has nothing to reuse, and an application password is for one item.
    @Test func onlyWhatProvesThePersonIsReused() throws {
        var reused = 0
        for bits in 0..<(1 << AccessControlFlag.allCases.count) {
            let flags = AccessControlFlag.allCases.enumerated().reduce(into: AccessControlFlags()) {
                if bits & 1 << $1.offset != 0 { $0.insert(AccessControlFlags($1.element)) }
            }
            guard let control = try? AccessControl(protection: .whenUnlocked, flags: flags) else { continue }
            let factors: AccessControlFlags = [
                .userPresence, .biometryAny, .biometryCurrentSet, .devicePasscode, .companion,
            ]
            #expect(
                control.canReuse == (!flags.isDisjoint(with: factors) && !flags.contains(.applicationPassword)),
                "\(control)")
            reused += control.canReuse ? 1 : 0
        }
        #expect(reused > 50)
        #expect(!AccessControl(.whenUnlocked).canReuse)
    }
}

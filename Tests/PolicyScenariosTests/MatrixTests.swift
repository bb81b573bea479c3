import AccessPolicy
import DeviceModel
import PolicyScenarios
import ScenarioFormat
import TestSupport
import Testing

/// Compares the table with the tables of the fact sheet, which were typed by hand.
@Suite struct MatrixTests {
    static func verdict(_ cell: Matrix.Cell) -> String {
        switch cell.answer {
        case .granted(let way):
            (["yes"] + (way.isEmpty ? [] : [way.map(\.name).joined(separator: " and ")]))
                .joined(separator: ": ")
        case .denied(let rule): rule.identifier
        }
    }

    static func verdict(
        _ matrix: Matrix, _ use: MatrixUse, _ person: MatrixPerson, _ condition: MatrixCondition
    ) throws -> String {
        verdict(try #require(matrix.cell(use, by: person, in: condition), "\(use), \(condition)"))
    }

    static func control(_ words: String, _ protection: Accessibility = .whenUnlocked) throws -> AccessControl {
        #expect(AccessControlFlags.unknownWords(in: words).isEmpty)
        return try AccessControl(protection: protection, flags: AccessControlFlags(written: words))
    }

    /// Every constraint, three people and every condition of the sensor in `who-reads.tsv`.
    @Test func whoReads() throws {
        let conditions: [(SensorKind, MatrixCondition)] = [
            (.touchID, .unlocked), (.touchID, .matchesFailed), (.touchID, .anotherEnrolled),
            (.touchID, .nobodyEnrolled), (.touchID, .sensorReset), (.faceID, .permissionRefused),
            (.touchID, .passcodeRemoved),
        ]
        var compared = 0
        for row in try FixtureTable("who-reads").rows where row[1] != "nobody" {
            let person = try #require(MatrixPerson(rawValue: row[1]))
            let control = try Self.control(row[0])
            var matrices: [SensorKind: Matrix] = [:]
            var fidelity = Fidelity()
            fidelity.sensorReset = .replacesSensor  // The table assumes this choice.
            for sensor in [SensorKind.touchID, .faceID] {
                matrices[sensor] = Matrix(of: control, fidelity: fidelity, sensor: sensor)
            }
            for ((sensor, condition), expected) in zip(conditions, row.dropFirst(2)) {
                let matrix = try #require(matrices[sensor])
                let verdict = try Self.verdict(matrix, .read, person, condition)
                #expect(verdict == expected, "\(row[0]), \(person), \(condition)")
                compared += 1
            }
        }
        #expect(compared == 19 * 3 * 7)
    }

    /// The conditions in which classes are open, as in `classes.tsv`. A stranger reads every item without flags.
    @Test func classes() throws {
        let conditions: [MatrixCondition] = [.unlocked, .lockedInGrace, .locked, .restarted, .passcodeRemoved]
        let rows = try FixtureTable("classes").rows
        #expect(rows.count == Accessibility.allCases.count)
        for row in rows {
            let matrix = Matrix(of: AccessControl(try #require(Accessibility(rawValue: row[0]))))
            for (condition, expected) in zip(conditions, row.dropFirst(3)) {
                for use in [MatrixUse.read, .list, .overwrite] {
                    let verdict = try Self.verdict(matrix, use, .stranger, condition)
                    switch expected {
                    case "open": #expect(verdict == "yes", "\(row[1]), \(condition)")
                    case "closed":
                        let rule = condition == .restarted ? "class.before-first-unlock" : "class.locked"
                        #expect(verdict == rule, "\(row[1]), \(condition)")
                    default: #expect(verdict == "class.destroyed", "\(row[1]), \(condition)")
                    }
                }
                #expect(try Self.verdict(matrix, .destroy, .stranger, condition) == "yes", "a delete asks nobody")
            }
        }
    }

    /// The items that come back from a backup, as in `backups.tsv`.
    @Test func backups() throws {
        let conditions: [MatrixCondition] = [
            .restoredHere, .restoredElsewhere, .restoredEncryptedHere, .restoredEncryptedElsewhere,
        ]
        for row in try FixtureTable("backups").rows {
            let protection = try #require(Accessibility(rawValue: row[0]))
            let plain = Matrix(of: AccessControl(protection))
            let protected = Matrix(of: try Self.control("userPresence", protection))
            for (condition, expected) in zip(conditions, row.dropFirst()) {
                let verdict = try Self.verdict(plain, .read, .owner, condition)
                #expect(verdict == (expected == "yes" ? "yes" : "item.not-found"), "\(row[0]), \(condition)")
                #expect(try Self.verdict(protected, .read, .owner, condition) == "item.not-found")
            }
        }
    }

    /// The uses that ask for the policy of an item or a key, as in `calls.tsv`.
    @Test func calls() throws {
        let calls = try FixtureTable("calls").byFirst
        let names: [MatrixUse: String] = [
            .read: "readData", .use: "sign", .list: "readAttributes", .overwrite: "update", .destroy: "delete",
            .store: "add",
        ]
        for isKey in [false, true] {
            let control = try Self.control("devicePasscode" + (isKey ? " privateKeyUsage" : ""))
            let matrix = Matrix(of: control, isKey: isKey)
            #expect(matrix.uses.count == 5)
            for use in matrix.uses {
                let name = try #require(names[use])
                let row = try #require(calls[name])
                let operation = isKey && row[1] != "-" ? row[1] : row[0]
                let asks = operation == "od" || operation == "osgn"
                #expect(
                    try Self.verdict(matrix, use, .thief, .unlocked) == (asks ? "yes: passcode" : "yes"),
                    "\(use), key: \(isKey)")
                #expect(
                    try Self.verdict(matrix, use, .companionOnly, .unlocked) == (asks ? "sheet.cancelled" : "yes"),
                    "\(use), key: \(isKey)")
            }
        }
    }

    @Test func whoAsksWhileLockedUnlocksAsFarAsTheyCan() throws {
        let matrix = Matrix(of: try Self.control("biometryAny or devicePasscode"))
        func row(_ condition: MatrixCondition) throws -> [String] {
            try MatrixPerson.allCases.map { try Self.verdict(matrix, .read, $0, condition) }
        }
        // owner, biometry, passcode, companion, thief, stranger
        #expect(
            try row(.lockedThenUnlocked) == [
                "yes: biometry", "yes: biometry", "yes: passcode", "class.locked", "yes: passcode", "class.locked",
            ])
        for condition in [MatrixCondition.lockedForDaysThenUnlocked, .lockedFromAfarThenUnlocked] {
            #expect(
                try row(condition) == [
                    "yes: biometry", "class.locked", "yes: passcode", "class.locked", "yes: passcode", "class.locked",
                ])
        }
        #expect(
            try row(.restartedThenUnlocked) == [
                "yes: biometry", "class.before-first-unlock", "yes: passcode", "class.before-first-unlock",
                "yes: passcode", "class.before-first-unlock",
            ])
    }

    @Test func whoSawThePasscodeIsShutOutByANewOneAndLetInByTheirOwnFinger() throws {
        let matrix = Matrix(of: try Self.control("biometryAny"))
        #expect(try Self.verdict(matrix, .read, .thief, .unlocked) == "sheet.failed")
        #expect(try Self.verdict(matrix, .read, .thief, .thiefEnrolled) == "yes: biometry")
        let passcode = Matrix(of: try Self.control("devicePasscode"))
        #expect(try Self.verdict(passcode, .read, .thief, .unlocked) == "yes: passcode")
        #expect(try Self.verdict(passcode, .read, .thief, .passcodeChanged) == "sheet.failed")
        #expect(try Self.verdict(passcode, .read, .owner, .passcodeChanged) == "yes: passcode")
        #expect(try Self.verdict(passcode, .read, .owner, .passcodeDelayed) == "passcode.delayed")
        #expect(try Self.verdict(passcode, .read, .owner, .passcodeDisabled) == "passcode.disabled")
    }

    @Test func anApplicationPasswordIsBroughtAndTypedOrMissing() throws {
        let matrix = Matrix(of: try Self.control("applicationPassword"))
        func row(_ condition: MatrixCondition) throws -> [String] {
            try [MatrixPerson.owner, .thief].map { try Self.verdict(matrix, .read, $0, condition) }
        }
        let authenticated = "yes: application password"
        #expect(try row(.unlocked) == [authenticated, authenticated])
        #expect(try row(.background) == [authenticated, authenticated])
        #expect(try row(.wrongApplicationPassword) == [authenticated, "sheet.cancelled"])
        #expect(try row(.noApplicationPassword) == [authenticated, "sheet.cancelled"])
        let asked = matrix.cell(.read, by: .owner, in: .noApplicationPassword)?.asked
        #expect(asked.map { Array($0) } == [.applicationPassword])
        #expect(matrix.cell(.read, by: .owner, in: .unlocked)?.asked.isEmpty == true)
    }

    @Test func whatADeviceNeverComesToIsNoRow() throws {
        let plain = AccessControl(.whenUnlocked)
        let touch = Matrix(of: plain)
        #expect(Set(MatrixCondition.allCases).subtracting(touch.conditions) == [.permissionRefused])
        // Face ID forgets a face only together with all others.
        let face = Matrix(of: plain, sensor: .faceID).conditions
        #expect(Set(MatrixCondition.allCases).subtracting(face) == [.enrolledAnew])
        let none = Matrix(of: plain, sensor: .none).conditions
        #expect(none.allSatisfy { $0.topic != .biometry } && none.contains(.passcodeRemoved))
        let optic = Matrix(of: plain, sensor: .opticID).conditions
        #expect(
            Set(MatrixCondition.allCases).subtracting(optic) == [
                .anotherEnrolled, .thiefEnrolled, .enrolledAnew,
            ])
        let asItComes = Matrix(of: MatrixPolicy(plain), on: MatrixDevice(sensor: .faceID, isSetUp: false))
        #expect(!asItComes.conditions.contains { [.locks, .passcode, .companion].contains($0.topic) })
        #expect(asItComes.cell(.read, by: .owner, in: .locked) == nil)
        #expect(touch.cell(.use, by: .owner, in: .locked) == nil, "what is no key is not used as one")
        for end in [AttemptEnd.erases, .keepsDelaying] {
            let device = MatrixDevice(DeviceSettings(attemptEnd: end))
            #expect(!Matrix(of: MatrixPolicy(plain), on: device).conditions.contains(.passcodeDisabled))
        }
        let strict = Matrix(of: MatrixPolicy(plain), on: MatrixDevice(DeviceSettings(lockGrace: .zero)))
        #expect(strict.cell(.read, by: .owner, in: .lockedInGrace)?.rule == .classLocked)
        #expect(touch.cell(.read, by: .owner, in: .lockedInGrace)?.isGranted == true)
        var patient = Fidelity()
        patient.passcodeDelays = .none
        #expect(!Matrix(of: plain, fidelity: patient).conditions.contains(.passcodeDelayed))
    }

    @Test func whereAttributesAreOpenItsExistenceIsNot() throws {
        var open = Fidelity()
        open.attributes = .open
        let matrix = Matrix(of: try Self.control("devicePasscode"), fidelity: open)
        #expect(matrix.uses == [.read, .list, .find, .overwrite, .destroy, .store])
        #expect(try Self.verdict(matrix, .list, .companionOnly, .unlocked) == "yes")
        #expect(try Self.verdict(matrix, .find, .companionOnly, .unlocked) == "sheet.cancelled")
        #expect(try Self.verdict(matrix, .find, .passcodeOnly, .unlocked) == "yes: passcode")
    }

    @Test func whatCannotBeStoredSaysWhy() throws {
        let matrix = Matrix(of: try Self.control("biometryAny"), sensor: .none)
        #expect(matrix.refusal == .biometryNoHardware)
        #expect(try Self.verdict(matrix, .store, .owner, .unlocked) == "biometry.no-hardware")
        #expect(try Self.verdict(matrix, .read, .owner, .unlocked) == "item.not-found")
        #expect(Matrix(of: try Self.control("none"), isSynchronizable: true).refusal == .addSynchronizableWithFlags)
        #expect(Matrix(of: try Self.control("privateKeyUsage")).refusal == .operationWithoutEntry)
        #expect(Matrix(of: try Self.control("privateKeyUsage"), isKey: true).refusal == nil)
    }
}

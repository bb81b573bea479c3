import AccessPolicy
import PolicyScenarios
import TestSupport
import Testing

/// The table of the protection classes, which has to be the one from the fact sheet.
@Suite struct FileMatrixTests {
    /// The columns of the table from the sheet, as rows of the matrix.
    static let conditions: [(device: MatrixDevice, condition: MatrixCondition)] = [
        (MatrixDevice(), .unlocked), (MatrixDevice(), .lockedInGrace), (MatrixDevice(), .locked),
        (MatrixDevice(), .restarted), (MatrixDevice(isSetUp: false), .unlocked),
    ]

    @Test func everyAnswerIsThatOfTheSheet() throws {
        let matrices = Self.conditions.map { FileMatrix(on: $0.device) }
        let rows = try FixtureTable("files").rows
        #expect(rows.count == FileMatrix.Use.all.count * FileProtection.allCases.count - FileProtection.allCases.count)
        var seen: Set<[String]> = []
        for row in rows {
            let use = try #require(
                FileMatrix.Use.all.first { use in
                    if case .protect(let next) = use { row[0] == "to \(next)" } else { row[0] == use.word }
                })
            let protection = try #require(FileProtection.allCases.first { $0.name == row[1] })
            seen.insert([row[0], row[1]])
            for (place, (matrix, known)) in zip(matrices, Self.conditions).enumerated() {
                let rule = matrix.rule(use, of: protection, in: known.condition)
                #expect(rule?.identifier == row[2 + place], "\(row[0]) \(protection) \(known.condition)")
            }
        }
        #expect(seen.count == rows.count)
    }

    @Test func anUnlockBringsEverythingBack() {
        let matrix = FileMatrix(on: MatrixDevice())
        for protection in FileProtection.allCases {
            for use in [FileMatrix.Use.create, .open, .use, .manage] {
                for condition in [MatrixCondition.lockedThenUnlocked, .restartedThenUnlocked] {
                    let rule = matrix.rule(use, of: protection, in: condition)
                    #expect(rule?.facts.effect == .allows, "\(use.word) \(protection) \(condition)")
                }
            }
            #expect(matrix.rule(.protect(as: protection), of: protection, in: .unlocked) == nil)
        }
    }

    /// A device without a passcode starts unlocked, so the rows of a restart cannot happen there.
    @Test func aDeviceWithoutAPasscodeMeetsFewerConditions() {
        let conditions = FileMatrix(on: MatrixDevice(isSetUp: false)).conditions
        #expect(conditions.contains(.unlocked) && !conditions.contains(.restarted))
        #expect(FileMatrix(on: MatrixDevice()).conditions.contains(.restarted))
    }
}

import AccessPolicy
import LatchkeyFiles
import Testing

/// The head of a sealed file, as bytes.
@Suite struct FileHeaderTests {
    @Test(arguments: FileProtection.allCases) func whatIsWrittenIsRead(_ protection: FileProtection) {
        let id = (0..<16).map { UInt8($0) }
        for length in [0, 72, 104] {
            var header = FileHeader(protection, id: id, wrapped: [UInt8](repeating: 7, count: length))
            header.isExcludedFromBackup = length == 72
            let bytes = header.bytes
            #expect(bytes.count == FileHeader.count)
            #expect(FileHeader(bytes)?.bytes == bytes)
            #expect(FileHeader(Array(bytes.dropLast())) == nil)
            #expect(FileHeader([0] + bytes.dropFirst()) == nil)
        }
    }

    @Test func otherClassesAndLengthsAreNone() {
        let bytes = FileHeader(.complete, id: [UInt8](repeating: 1, count: 16), wrapped: []).bytes
        for number in UInt8.min...UInt8.max where FileProtection(rawValue: number) == nil {
            var changed = bytes
            changed[8] = number
            #expect(FileHeader(changed) == nil)
        }
        var long = bytes
        long[10] = 109
        #expect(FileHeader(long) == nil)
    }
}

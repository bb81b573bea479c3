import SecretVault
import Testing

/// This test fails if a new stored property of a sealed value is not read and written.
@Suite struct StoredFieldsTests {
    @Test func nothingIsForgotten() { #expect(StoredFields.forgotten() == []) }
}

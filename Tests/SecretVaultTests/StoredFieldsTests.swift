import SecretVault
import Testing

/// A stored property that is added to what a vault keeps, and left out where it is read and written, fails here.
@Suite struct StoredFieldsTests {
    @Test func nothingIsForgotten() { #expect(StoredFields.forgotten() == []) }
}

import PlainText
import Testing

@Suite struct CountingTests {
    @Test func aTimeHasOneForm() {
        for (seconds, text) in [
            (0, "0 seconds"), (1, "1 second"), (60, "1 minute"), (90, "1 minute and 30 seconds"),
            (248, "4 minutes and 8 seconds"), (600, "10 minutes"), (3600, "1 hour"),
            (90_061, "1 day, 1 hour, 1 minute and 1 second"), (30 * 86_400, "30 days"),
        ] {
            #expect(counted(seconds: seconds) == text)
        }
    }
}

import SystemServices
import Testing

/// The sessions that keep a vault from being locked when another one ends.
@Suite struct LoginSessionTests {
    @Test(arguments: [
        ("user", true), ("user-early", true), ("user-light", true), ("user-incomplete", true), ("greeter", true),
        ("lock-screen", true), ("a class of a later systemd", true), ("manager", false), ("manager-early", false),
        ("background", false), ("background-light", false),
    ])
    func onlySessionsOfAUserCount(name: String, counts: Bool) {
        #expect(LoginSession.isOfUser(class: name) == counts)
    }
}

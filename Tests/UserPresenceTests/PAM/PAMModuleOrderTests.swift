import Testing
import UserPresence

/// The warnings about a module that only watches, by the services that name it.
@Suite struct PAMModuleOrderTests {
    private static let debian = """
        auth [success=1 default=ignore] pam_unix.so nullok
        auth requisite pam_deny.so
        auth required pam_permit.so
        """

    private static let services: [(text: String, faults: [PAMModuleOrder.Fault]?)] = [
        ("", nil),
        ("auth optional pam_cap.so\n@include common-auth", nil),
        ("# auth optional pam_latchkey.so", nil),
        ("auth required pam_unix.so\nauth optional pam_latchkey.so", [.afterFailure(kind: "auth")]),
        (
            "auth sufficient pam_unix.so\nauth optional /usr/local/lib/security/pam_latchkey.so",
            [.afterFailure(kind: "auth")]
        ),
        ("auth optional pam_latchkey.so\nauth requisite pam_deny.so", [.afterFailure(kind: "auth")]),
        ("auth requisite pam_unix.so\nauth optional pam_latchkey.so", []),
        ("auth [success=ok default=die] pam_unix.so\nauth optional pam_latchkey.so", []),
        ("\(debian)\nauth optional pam_latchkey.so", []),
        ("@include common-auth\nauth optional pam_latchkey.so", []),
        ("auth substack common-auth\nauth optional pam_latchkey.so", []),
        ("@include missing\nauth optional pam_latchkey.so", [.afterFailure(kind: "auth")]),
        ("@include endless\nauth optional pam_latchkey.so", [.afterFailure(kind: "auth")]),
        // A line of another kind ends nothing.
        ("auth requisite pam_deny.so\npassword optional pam_latchkey.so", [.afterFailure(kind: "password")]),
        ("password include common-auth\npassword optional pam_latchkey.so", [.afterFailure(kind: "password")]),
        ("session optional pam_systemd.so\nsession optional pam_latchkey.so", []),
        ("session optional pam_latchkey.so", []),
        ("session optional pam_latchkey.so\n-session optional pam_systemd.so", [.beforeSession]),
        ("session optional pam_latchkey.so\n@include common-session", [.beforeSession]),
    ]

    @Test(arguments: services.indices) func eachShapeHasItsWarnings(place: Int) {
        let (text, faults) = Self.services[place]
        let found = PAMModuleOrder.faults(of: "pam_latchkey.so", in: Array(text.utf8)) { name in
            switch name {
            case "common-auth": Array(Self.debian.utf8)
            case "common-session": Array("session optional pam_systemd.so".utf8)
            case "endless": Array("@include endless".utf8)
            default: nil
            }
        }
        #expect(found == faults, "\(text)")
    }
}

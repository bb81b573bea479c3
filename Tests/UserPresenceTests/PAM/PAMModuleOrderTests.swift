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
            "password requisite pam_pwquality.so\npassword required pam_unix.so\npassword optional pam_latchkey.so",
            [.afterFailure(kind: "password")]
        ),
        (
            """
            auth requisite pam_nologin.so
            auth sufficient pam_unix.so
            auth required pam_deny.so
            auth optional pam_latchkey.so
            """, [.afterFailure(kind: "auth")]
        ),
        (
            "auth sufficient pam_unix.so\nauth requisite pam_deny.so\nauth optional pam_latchkey.so",
            [.passedOver(kind: "auth")]
        ),
        ("auth requisite pam_deny.so\nauth optional pam_latchkey.so", [.passedOver(kind: "auth")]),
        // A second module may refuse the password after the first.
        (
            "auth requisite pam_unix.so\nauth required pam_sss.so\nauth optional pam_latchkey.so",
            [.afterFailure(kind: "auth")]
        ),
        (
            "auth required pam_sss.so\nauth requisite pam_unix.so\nauth optional pam_latchkey.so",
            [.afterFailure(kind: "auth")]
        ),
        // Two modules of which one has to accept it.
        (
            """
            auth [success=2 default=ignore] pam_unix.so
            auth [success=1 default=ignore] pam_sss.so use_first_pass
            auth requisite pam_deny.so
            auth required pam_permit.so
            auth optional pam_cap.so
            auth optional pam_latchkey.so
            """, []
        ),
        // A jump that goes too far.
        (
            "auth [success=1 default=1] pam_unix.so\nauth requisite pam_deny.so\nauth optional pam_latchkey.so",
            [.afterFailure(kind: "auth")]
        ),
        // A finger types no password.
        ("auth sufficient pam_fprintd.so\n\(debian)\nauth optional pam_latchkey.so", []),
        // The stack of Arch Linux.
        (
            """
            auth required pam_faillock.so preauth
            -auth [success=2 default=ignore] pam_systemd_home.so
            auth [success=1 default=bad] pam_unix.so try_first_pass nullok
            auth [default=die] pam_faillock.so authfail
            auth optional pam_permit.so
            auth required pam_env.so
            auth required pam_faillock.so authsucc
            auth optional pam_latchkey.so
            """, []
        ),
        (
            "auth sufficient pam_unix.so\nauth optional /usr/local/lib/security/pam_latchkey.so",
            [.afterFailure(kind: "auth")]
        ),
        ("auth optional pam_latchkey.so\nauth requisite pam_deny.so", [.afterFailure(kind: "auth")]),
        ("auth requisite pam_unix.so\nauth optional pam_latchkey.so", []),
        ("auth [success=ok default=die] pam_unix.so\nauth optional pam_latchkey.so", []),
        ("\(debian)\nauth optional pam_latchkey.so", []),
        ("@include common-auth\nauth optional pam_latchkey.so", []),
        ("auth include common-auth\nauth optional pam_latchkey.so", []),
        // What ends a substack ends nothing but that.
        ("auth substack common-auth\nauth optional pam_latchkey.so", [.afterFailure(kind: "auth")]),
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

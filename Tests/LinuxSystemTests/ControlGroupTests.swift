import LinuxSystem
import Testing

struct ControlGroupTests {
    /// A service, or one program of a desktop, is one unit. A desktop is not, nor is what starts other programs.
    @Test(arguments: [
        ("/system.slice/backup.service", true),
        ("/user.slice/user-1000.slice/user@1000.service/app.slice/backup.service", true),
        ("/user.slice/user-1000.slice/user@1000.service/app.slice/app-firefox-12.scope", true),
        ("/user.slice/user-1000.slice/user@1000.service", false),
        ("/user.slice/user-1000.slice/session-2.scope", false),
        ("/user.slice/user-1000.slice/user@1000.service/init.scope", false),
        ("/user.slice/user-1000.slice/user@1000.service/session.slice/org.gnome.Shell@wayland.service", false),
        ("/user.slice/user-1000.slice/user@1000.service/session.slice/dbus.service", false),
        ("/user.slice/user-1000.slice/user@1000.service/app.slice/dbus.service", false),
        ("/user.slice/user-1000.slice/user@1000.service/app.slice/dbus-broker.service", false),
        ("/", false), ("", false),
    ])
    func oneUnitIsAServiceOrAProgram(_ group: String, _ isOne: Bool) {
        #expect(ProcessProgram.isOneUnit(group) == isOne)
    }
}

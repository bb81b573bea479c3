internal import AccessPolicy

/// The words of the steps that are events.
package enum Steps {
    /// Every word, in the order of the documentation.
    package static let all: [StepRow] = [
        StepRow(
            "lock", .nothing, says: "locks the device", imperative: "lock",
            make: { _ in .lock }, write: { if case .lock = $0 { .nothing } else { nil } }),
        StepRow(
            "reboot", .nothing, says: "restarts the device", imperative: "restart",
            make: { _ in .reboot }, write: { if case .reboot = $0 { .nothing } else { nil } }),
        StepRow(
            "lockRemotely", .nothing, says: "locks the device from afar", imperative: "lock from afar",
            make: { _ in .lockRemotely }, write: { if case .lockRemotely = $0 { .nothing } else { nil } }),
        StepRow(
            "holdButtons", .nothing, says: "holds the buttons for power-off", imperative: "hold the power-off buttons",
            make: { _ in .holdButtons }, write: { if case .holdButtons = $0 { .nothing } else { nil } }),
        StepRow(
            "removePasscode", .nothing, says: "removes the passcode", imperative: "remove the passcode",
            make: { _ in .removePasscode }, write: { if case .removePasscode = $0 { .nothing } else { nil } }),
        StepRow(
            "resetBiometry", .nothing, says: "removes every enrolled finger or face, as Reset Face ID does",
            imperative: "remove every enrollment",
            make: { _ in .resetBiometry }, write: { if case .resetBiometry = $0 { .nothing } else { nil } }),
        StepRow(
            "startSecurityDelay", .nothing,
            says: "authenticates for a change that Stolen Device Protection delays; an hour begins",
            imperative: "start the security delay",
            make: { _ in .startSecurityDelay }, write: { if case .startSecurityDelay = $0 { .nothing } else { nil } }),
        StepRow(
            "erase", .nothing, says: "erases the device", imperative: "erase the device",
            make: { _ in .erase }, write: { if case .erase = $0 { .nothing } else { nil } }),
        StepRow(
            "unlock",
            .oneOf(
                called: "an unlock",
                [
                    StepForm.Key(name: "passcode", says: "the passcode to type"),
                    StepForm.Key(name: "finger", says: "the finger to show"),
                    StepForm.Key(name: "face", says: "the face to show"),
                ]),
            says:
                "types a passcode or shows a finger or face, even if the device is unlocked; default: the owner's passcode",
            imperative: "type the passcode",
            make: { value in
                guard let field = value.field else { return .unlock(passcode: nil) }
                return field.key == "passcode" ? .unlock(passcode: field.text) : .touch(field.text)
            },
            write: { event in
                if case .touch(let finger) = event { return .fields([StepValue.Field("finger", finger)]) }
                guard case .unlock(let code) = event else { return nil }
                return code.map { .fields([StepValue.Field("passcode", $0)]) } ?? .nothing
            }),
        StepRow(
            "enroll", .fingers, says: "enrolls fingers or faces", imperative: "enroll $",
            make: { .enroll($0.texts) }, write: { if case .enroll(let names) = $0 { StepValue(names) } else { nil } }),
        StepRow(
            "remove", .fingers, says: "removes fingers; use `resetBiometry` for a sensor of faces or eyes",
            imperative: "remove $",
            make: { .remove($0.texts) }, write: { if case .remove(let names) = $0 { StepValue(names) } else { nil } }),
        StepRow(
            "setPasscode", .passcode, says: "sets or changes the passcode", imperative: "set the passcode $",
            make: { .setPasscode($0.text) }, write: { if case .setPasscode(let code) = $0 { .text(code) } else { nil } }
        ),
        StepRow(
            "companion",
            .word(
                called: "state of a companion", CompanionState.allCases.map { $0.name },
                ifMissing: "companion takes a state, such as away"), says: "puts the companion into this state",
            imperative: "watch: $",
            make: { .companion(CompanionState(name: $0.text) ?? .notPaired) },
            write: { if case .companion(let state) = $0 { .text(state.name) } else { nil } }),
        StepRow(
            "wait", .duration, takesPerson: false, says: "lets time pass", imperative: "wait $",
            make: { .wait(TimeSpan(written: $0.text) ?? .zero) },
            write: { if case .wait(let span) = $0 { .text(span.written) } else { nil } }),
        StepRow(
            "install", .app, says: "installs an app", imperative: "install",
            make: { .install($0.text) }, write: { if case .install(let app) = $0 { .text(app) } else { nil } }),
        StepRow(
            "uninstall", .app, says: "removes an app", imperative: "uninstall",
            make: { .uninstall($0.text) }, write: { if case .uninstall(let app) = $0 { .text(app) } else { nil } }),
        StepRow(
            "permitBiometry", .app, says: "lets an app use Face ID", imperative: "permitBiometry",
            make: { .permitBiometry($0.text) },
            write: { if case .permitBiometry(let app) = $0 { .text(app) } else { nil } }),
        StepRow(
            "denyBiometry", .app, says: "forbids an app to use Face ID", imperative: "denyBiometry",
            make: { .denyBiometry($0.text) }, write: { if case .denyBiometry(let app) = $0 { .text(app) } else { nil } }
        ),
        StepRow(
            "backup", .word(called: "kind of backup", ["encrypted", "unencrypted"], ifMissing: nil),
            says: "makes a backup", imperative: "make a backup",
            make: { .backup(encrypted: $0.text == "encrypted") },
            write: {
                if case .backup(let isEncrypted) = $0 { .text(isEncrypted ? "encrypted" : "unencrypted") } else { nil }
            }),
        StepRow(
            "restore", .word(called: "device", ["thisDevice", "anotherDevice"], ifMissing: nil),
            says: "restores the last backup onto a device, which erases it first", imperative: "restore the backup",
            make: { .restore(sameDevice: $0.text == "thisDevice") },
            write: {
                if case .restore(let sameDevice) = $0 {
                    .text(sameDevice ? "thisDevice" : "anotherDevice")
                } else {
                    nil
                }
            }),
        StepRow(
            "hold", .person, takesPerson: false, says: "gives the device to this person",
            imperative: "hand the device to $",
            make: { .hold($0.text) }, write: { if case .hold(let person) = $0 { .text(person) } else { nil } }),
    ]
}

extension StepValue {
    /// Creates the value with these names.
    fileprivate init(_ names: [String]) { self = names.count == 1 ? .text(names[0]) : .texts(names) }

    fileprivate var text: String { if case .text(let text) = self { text } else { "" } }

    fileprivate var texts: [String] { if case .texts(let texts) = self { texts } else { [text] } }

    fileprivate var field: Field? { if case .fields(let fields) = self { fields.first } else { nil } }
}

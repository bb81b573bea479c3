internal import AgentHost
internal import AgentProtocol
internal import CommandLineKit
internal import Glibc
internal import LatchkeyCLI
internal import LinuxSystem
internal import UserPresence

/// The checks of the machine before there is a vault: everything that `latchkey init` and an agent will need.
struct MachineExamination {
    private let folder: String
    private let isNamed: Bool

    /// Creates the checks for a vault in the folder that the command line names.
    init(_ vault: Given<VaultChoice>) throws {
        folder = try VaultAccess.folder(vault)
        isNamed = vault[\.folder] != nil
    }

    /// True if there is a vault to examine instead.
    var hasVault: Bool { access(folder, F_OK) == 0 }

    /// The findings. What others depend on comes first.
    var findings: [DoctorFinding] {
        [vault, place] + pam + LoginExamination.findings + limits + [session] + sleep + [
            PromptExamination.finding(pinentry: nil, prompt: nil, isNeeded: false), sensor, FolderExamination.ofHome,
        ]
    }

    private var vault: DoctorFinding {
        isNamed
            ? .bad(
                "vault", "there is none at \(folder)",
                fix: "create one there with `latchkey init --vault`, or name another")
            : .off("vault", "none yet at \(folder): create one with `latchkey init`")
    }

    private var place: DoctorFinding {
        do {
            guard let parent = try PathTrust.openParent(ofNew: folder) else {
                return .good("files", "no other user can replace \(folder)")
            }
            return .bad(
                "files", "other users may write to \(parent), which the vault would be below",
                fix: "chmod go-w \(parent), or choose another folder with --vault")
        } catch {
            return .bad("files", "\(folder): \(error)", fix: "choose another folder with --vault")
        }
    }

    private var pam: [DoctorFinding] {
        let installed = Examination.system(NewPAMService.installed)
        guard access(installed, F_OK) == 0 else {
            return Examination.helperFindings
                + [.good("PAM", "`latchkey init` makes a service that checks your login password")]
        }
        return Examination.pamFindings(of: installed)
    }

    private var limits: [DoctorFinding] {
        do throws(AgentError) {
            let troubles = try ResourceLimits().troubles
            if troubles.isEmpty { return [.good("limits", "memory, files and processes are enough for an agent")] }
            return troubles.map { .bad("limits", $0, fix: Examination.limitRemedy) }
        } catch {
            return [.bad("limits", "\(error)", fix: Examination.limitRemedy)]
        }
    }

    private var session: DoctorFinding {
        let place: AgentPlace
        do { place = try VaultAccess.placeOfNew(folder) } catch {
            return .bad("session", "\(error)", fix: "set the variable to a folder of your own, or unset it")
        }
        do throws(AgentError) { try place.checkSocketFolder() } catch {
            return .bad(
                "session", "\(error)", fix: "make it a folder that only you can enter, or set XDG_RUNTIME_DIR")
        }
        return .good("session", "an agent will listen at \(place.socket)")
    }

    private var sleep: [DoctorFinding] {
        // logind makes this folder when it starts, and speaks over the bus of the system.
        let logind = ["/run/systemd/seats", "/run/dbus/system_bus_socket"].map(Examination.system)
        if logind.allSatisfy({ access($0, F_OK) == 0 }) {
            return [.good("sleep", "logind can tell the agent before the machine sleeps")]
        }
        return [
            .bad(
                "sleep", "logind or its bus is not running, so no agent learns that the machine sleeps",
                fix: Examination.sleepRemedy)
        ]
    }

    private var sensor: DoctorFinding {
        let service = Examination.system("/usr/share/dbus-1/system-services/net.reactivated.Fprint.service")
        return access(service, F_OK) == 0
            ? .good("sensor", "fprintd is installed, and reads fingers if there is a reader (docs/sensors.md)")
            : .off("sensor", "none: without fprintd, the passcode opens everything (docs/sensors.md)")
    }
}

/// The lines of one kind in a service of PAM, and the ways through them.
struct PAMStackModel {
    struct Line: Hashable {
        var control: String
        var module: String
        /// The place after the substack that the line belongs to; nil if it belongs to none.
        var end: Int?

        /// Returns true if the line names the module of this file name.
        func isModule(_ name: String) -> Bool { fileName == name }

        var fileName: Substring { module.split(separator: "/").last ?? "" }
    }

    /// The lines, in their order.
    let lines: [Line]

    init(_ lines: [Line]) { self.lines = lines }

    /// Returns true if the line at this place can run though no password was right so far, or though one was wrong.
    func isReachedAfterFailure(_ place: Int) -> Bool {
        walk(to: place).reached.contains { $0.hasFailed || !$0.hasSucceeded }
    }

    /// Returns true if the line at this place never runs, or the stack can end before it though a password was right.
    func isPassedOver(_ place: Int) -> Bool {
        let (reached, isEnded) = walk(to: place)
        return isEnded || reached.isEmpty
    }

    /// A moment on the way through the stack.
    private struct Moment: Hashable {
        var place = 0
        /// True if a module has authenticated the user.
        var hasSucceeded = false
        /// True if the stack has failed by now, although it goes on.
        var hasFailed = false
    }

    private enum Action: Hashable {
        case ignore, ok, done, bad, die, reset
        case jump(Int)

        init(_ word: Substring) {
            switch word {
            case "ignore": self = .ignore
            case "ok": self = .ok
            case "done": self = .done
            case "die": self = .die
            case "reset": self = .reset
            default: self = Int(word).map { .jump($0) } ?? .bad
            }
        }
    }

    /// Tries every result of each module. Returns the moments at which the line at `end` runs. `isEnded` is true if the stack can
    /// end before it after a right password.
    private func walk(to end: Int) -> (reached: Set<Moment>, isEnded: Bool) {
        var (reached, isEnded): (Set<Moment>, Bool) = ([], false)
        var (known, waiting): (Set<Moment>, [Moment]) = ([], [Moment()])
        while let moment = waiting.popLast() {
            guard known.insert(moment).inserted else { continue }
            if moment.place == end { reached.insert(moment) }
            guard moment.place < end else { continue }
            let line = lines[moment.place]
            for result in Self.results(of: line) {
                let (action, isSuccess) = (result.action, result.isSuccess)
                var next = moment
                let authenticates = Self.authenticates(line)
                if isSuccess && authenticates { next.hasSucceeded = true }
                switch action {
                case .ignore, .ok: next.place += 1
                case .reset:
                    next.place += 1
                    (next.hasSucceeded, next.hasFailed) = (false, false)
                case .jump(let count): next.place += 1 + min(max(0, count), lines.count)
                case .bad:
                    next.place += 1
                    // Only these decide about the password.
                    if authenticates || line.isModule(Self.deny) { next.hasFailed = true }
                case .done, .die:
                    if action == .die { next.hasFailed = true }
                    guard let place = line.end else {
                        let isRight = isSuccess && authenticates && !moment.hasFailed
                        if isRight && !Self.asksForNoPassword(line) { isEnded = true }
                        continue
                    }
                    next.place = place
                }
                waiting.append(next)
            }
        }
        return (reached, isEnded)
    }

    private static let deny = "pam_deny.so"

    /// Returns what the stack does at each result of a module, and true with those of a success.
    private static func results(of line: Line) -> Set<Result> {
        let (success, failures) = actions(of: line.control)
        if line.isModule(deny) { return Set(failures.map { Result(action: $0, isSuccess: false) }) }
        if line.isModule("pam_permit.so") { return [Result(action: success, isSuccess: true)] }
        return Set(failures.map { Result(action: $0, isSuccess: false) } + [Result(action: success, isSuccess: true)])
    }

    private struct Result: Hashable {
        let action: Action
        let isSuccess: Bool
    }

    private static func actions(of control: String) -> (success: Action, failures: Set<Action>) {
        switch control {
        case "required": return (.ok, [.bad])
        case "requisite": return (.ok, [.die])
        case "sufficient": return (.done, [.ignore])
        case "optional": return (.ok, [.ignore])
        default: break
        }
        var actions: [Substring: Action] = [:]
        for word in control.split(whereSeparator: { " \t[]".contains($0) }) {
            let parts = word.split(separator: "=", maxSplits: 1)
            if parts.count == 2 { actions[parts[0]] = Action(parts[1]) }
        }
        let rest = actions["default"] ?? .bad
        let failures = actions.filter { !["success", "new_authtok_reqd", "ignore", "default"].contains($0.key) }
        return (actions["success"] ?? rest, Set(failures.values).union([rest]))
    }

    /// Returns true if the module can find out who the user is. One that is not known here may do so.
    private static func authenticates(_ line: Line) -> Bool { !helpers.contains(line.fileName) }

    /// Returns true if the module authenticates a user who types no password, so that there is nothing to pass on.
    private static func asksForNoPassword(_ line: Line) -> Bool {
        ["pam_fprintd.so", "pam_u2f.so", "pam_rootok.so", "pam_ssh_agent_auth.so"].contains(line.fileName)
    }

    /// Modules of Linux-PAM and others that check no password.
    private static let helpers: Set<Substring> = [
        "pam_access.so", "pam_cap.so", "pam_cracklib.so", "pam_debug.so", "pam_deny.so", "pam_echo.so",
        "pam_ecryptfs.so", "pam_env.so", "pam_exec.so", "pam_faildelay.so", "pam_faillock.so",
        "pam_gnome_keyring.so", "pam_group.so", "pam_issue.so", "pam_keyinit.so", "pam_kwallet.so",
        "pam_kwallet5.so", "pam_latchkey.so", "pam_listfile.so", "pam_localuser.so", "pam_loginuid.so",
        "pam_mount.so", "pam_nologin.so", "pam_passwdqc.so", "pam_permit.so", "pam_pwhistory.so",
        "pam_pwquality.so", "pam_securetty.so", "pam_selinux.so", "pam_shells.so", "pam_succeed_if.so",
        "pam_systemd.so", "pam_tally.so", "pam_tally2.so", "pam_time.so", "pam_umask.so", "pam_usertype.so",
        "pam_warn.so", "pam_wheel.so",
    ]
}

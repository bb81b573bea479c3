import FolderKit
import Glibc
import LinuxSystem

// A process for tests. The first argument is the number of the user to become, or 0 for none.

let words = Array(CommandLine.arguments.dropFirst())
guard words.count >= 3, let user = uid_t(words[0]) else { exit(64) }
// The thread of the test that starts this may block signals, and children inherit that.
var signals = sigset_t()
sigemptyset(&signals)
sigprocmask(SIG_SETMASK, &signals, nil)
if user != 0 {
    guard setgroups(0, nil) == 0, setgid(user) == 0, setuid(user) == 0 else { exit(65) }
}
do {
    switch (words[1], words.count) {
    case ("add", 4): try KeyCalls.add(words[2], to: words[3])
    case ("remove", 4): try KeyCalls.remove(words[2], from: words[3])
    case ("protect", 4): try KeyCalls.protect(words[3], by: words[2])
    case ("hold", 4): Holding.hold(words[2], words[3])
    case ("move", 6): try Moves.move(words[2], words[3], words[4], killedAt: words[5])
    default: exit(64)
    }
} catch {
    Said.line("failed: \(error)")
    exit(1)
}

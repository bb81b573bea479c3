import Glibc
import LinuxSystem
import Sandbox

// Runs a command in a sandbox and ends with its status: WORK COMMAND... The standard streams are those of the command. With the word
// --held before these, it does not start the command, and waits.
var words = Array(CommandLine.arguments.dropFirst())
let isHeld = words.first == "--held"
if isHeld { words.removeFirst() }
guard words.count >= 2 else { exit(64) }
do {
    let sandbox = try Sandbox(SandboxPlan(command: Array(words.dropFirst()), work: words[0]))
    if isHeld {
        print("held")
        fflush(nil)
        while true { pause() }
    }
    try sandbox.start()
    exit(sandbox.wait())
} catch {
    print("\(error)")
    exit(70)
}

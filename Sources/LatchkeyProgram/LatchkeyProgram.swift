internal import LatchkeyCLI
internal import LinuxSystem

/// `latchkey`: the daily commands. Another program takes its place for the others.
@main
enum LatchkeyProgram {
    static func main() {
        ClipboardClearing.runIfCalled()
        let words = Latchkey.words
        let program = OwnProgram(running: words)
        // Before anything of this process changes that the other one would inherit.
        if program != .command { program.takeOver(words) }
        Latchkey.begin()
        Latchkey.run(Latchkey.program, words)
    }
}

internal import LatchkeyCLI
internal import LatchkeyTools
internal import LinuxSystem
internal import VaultService

/// `latchkey-tools`: all commands.
@main
enum ToolsProgram {
    static func main() {
        let words = Latchkey.words
        let program = OwnProgram(running: words)
        // Before anything of this process changes that the agent would inherit.
        if program == .agent { program.takeOver(words) }
        Latchkey.begin()
        ClipboardClearing.runIfCalled()
        CardProcess.runIfCalled()
        if Tools.completes(words) { return }
        Latchkey.run(Tools.program, words)
    }
}

internal import LatchkeyCLI
internal import LatchkeyTools
internal import VaultService

/// `latchkey-tools`: all commands.
@main
enum ToolsProgram {
    static func main() {
        Latchkey.begin()
        ClipboardClearing.runIfCalled()
        CardProcess.runIfCalled()
        let words = Latchkey.words
        if Tools.completes(words) { return }
        Latchkey.run(Tools.program, words)
    }
}

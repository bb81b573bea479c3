package import LinuxSystem

/// A command, and all that it has of the machine when it runs in a ``Sandbox``.
package struct SandboxPlan: Sendable {
    /// The program and its words. Without a slash, the program is looked for in the system's folders.
    package var command: [String]
    /// The absolute path of the work folder. The command starts there, and may write to it.
    package var work: String
    /// Absolute paths of files and folders that the command may read.
    package var reads: [String] = []
    /// Paths that must stay outside, such as the folder of the vault and the sockets of the agent. A plan with a work folder or
    /// a path in ``reads`` that holds one of them, or is in one, is refused.
    package var guarded: [String] = []
    /// The variables that the command gets beside `PATH`, `HOME`, `PWD`, `USER`, `LOGNAME`, `SHELL`, `LANG` and `TERM`.
    package var environment: [(name: String, value: String)] = []
    /// Files that are written for the command in /etc, such as `ssh/ssh_config`: their names there and their texts.
    package var settings: [(name: String, text: String)] = []
    /// True if the command has the network of the machine. Then it also reaches the abstract sockets and the loopback ports of
    /// the machine.
    package var sharesNetwork = false
    /// A folder that the command finds at ``socketFolder``, where it can connect to sockets and change nothing.
    package var sockets: String?
    /// The standard input. In place of an inherited terminal, here and for the output, the command has a terminal of its own, which
    /// the owner's shows.
    package var input = Child.Stream.inherited
    /// The standard output.
    package var output = Child.Stream.inherited
    /// The standard error.
    package var errors = Child.Stream.inherited

    /// The path of ``sockets`` inside.
    package static let socketFolder = "/run/lend"

    /// Plans a command in a work folder.
    package init(command: [String], work: String) {
        self.command = command
        self.work = work
    }
}

/// The name of an environment variable that a secret may be put into.
package struct VariableName: Hashable, Sendable, CustomStringConvertible {
    package let text: String

    /// Creates a name. Throws if `text` is not a valid one.
    package init(_ text: String) throws(EnvironmentError) {
        guard Self.isLegal(text) else { throw .badVariable }
        self.text = text
    }

    package var description: String { text }

    private static func isLegal(_ text: String) -> Bool {
        guard let first = text.utf8.first, !isDigit(first) else { return false }
        return text.utf8.allSatisfy { isDigit($0) || ($0 | 0x20) &- 0x61 < 26 || $0 == UInt8(ascii: "_") }
    }

    private static func isDigit(_ byte: UInt8) -> Bool { byte &- 0x30 < 10 }

    /// True if the dynamic loader reads the variable in every program. It names code to load, and the loader prints its value in
    /// errors. Files must not set it either: they come with projects, and the program is about to get secrets.
    package var isLoaders: Bool { text.hasPrefix("LD_") || text.hasPrefix("DYLD_") || text == "GLIBC_TUNABLES" }

    /// True if shells, interpreters or tools take search paths, commands or options from the variable. A secret there is a mistake:
    /// it would be searched for, run or shown in errors. A plain text may be there.
    package var isNoPlaceForSecrets: Bool { isLoaders || Self.others.contains(text) }

    private static let others: Set<String> = [
        // The system and its C library read these.
        "PATH", "HOME", "SHELL", "TERM", "TMPDIR", "LANG", "LANGUAGE", "LC_ALL", "LOCPATH", "NLSPATH", "GCONV_PATH",
        "HOSTALIASES", "RES_OPTIONS", "MALLOC_TRACE", "TZDIR", "TERMINFO", "TERMCAP",
        // Shells read these.
        "IFS", "ENV", "BASH_ENV", "BASHOPTS", "SHELLOPTS", "CDPATH", "PROMPT_COMMAND", "PS0", "PS1", "PS2", "PS4",
        "ZDOTDIR",
        // Interpreters read these.
        "PYTHONPATH", "PYTHONHOME", "PYTHONSTARTUP", "PERL5LIB", "PERL5OPT", "PERL5DB", "PERLLIB", "RUBYLIB", "RUBYOPT",
        "NODE_OPTIONS", "NODE_PATH", "JAVA_TOOL_OPTIONS", "_JAVA_OPTIONS", "JDK_JAVA_OPTIONS", "CLASSPATH", "LUA_PATH",
        "LUA_CPATH", "LUA_INIT", "PHPRC", "PHP_INI_SCAN_DIR", "GUILE_LOAD_PATH",
        // Tools take commands to run from these.
        "EDITOR", "VISUAL", "PAGER", "MANPAGER", "BROWSER", "LESSOPEN", "LESSCLOSE", "GIT_SSH", "GIT_SSH_COMMAND",
        "GIT_ASKPASS", "GIT_EDITOR", "GIT_PAGER", "GIT_PROXY_COMMAND", "GIT_EXTERNAL_DIFF", "GIT_EXEC_PATH",
        "SSH_ASKPASS",
        "SUDO_ASKPASS", "SUDO_EDITOR", "MAKEFLAGS", "GTK_MODULES", "QT_PLUGIN_PATH",
    ]
}

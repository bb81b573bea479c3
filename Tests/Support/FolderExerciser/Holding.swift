import Glibc
import LinuxSystem

/// Uses a file until the test sends a line or a signal.
enum Holding {
    static func hold(_ way: String, _ path: String) {
        switch way {
        case "stubborn":
            signal(SIGTERM, SIG_IGN)
            _ = LinuxSystem.open(path, O_RDONLY | O_CLOEXEC)
        case "open": _ = LinuxSystem.open(path, O_RDONLY | O_CLOEXEC)
        case "map":
            let file = LinuxSystem.open(path, O_RDONLY | O_CLOEXEC)
            _ = mmap(nil, 1, PROT_READ, MAP_PRIVATE, file, 0)
            close(file)
        case "cwd": _ = chdir(path)
        case "deleted":
            _ = LinuxSystem.open(path, O_RDONLY | O_CLOEXEC)
            unlink(path)
        default: exit(64)
        }
        Said.line("holding")
        _ = readLine()
    }
}

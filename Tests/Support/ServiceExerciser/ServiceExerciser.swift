import Dispatch
import Glibc
import SystemServices

/// A service for tests. It uses what its environment passes on in the way that its argument says, and prints the
/// results.
@main
enum ServiceExerciser {
    static func main() {
        switch CommandLine.arguments.dropFirst().first {
        case "sockets":
            do {
                for socket in try SocketActivation.sockets().map(\.socket) {
                    print("socket \(socket)", fcntl(socket, F_GETFD) & FD_CLOEXEC != 0 ? "close-on-exec" : "inherited")
                }
            } catch {
                print("error \(error)")
            }
            for name in ["LISTEN_PID", "LISTEN_FDS", "LISTEN_FDNAMES"] where getenv(name) != nil {
                print("still set \(name)")
            }
        case "accept":
            // Answers one connection, as a service that this connection has started.
            guard let socket = try? SocketActivation.sockets().first?.socket else { return }
            let connection = accept(socket, nil, nil)
            let greeting = Array("hello\n".utf8)
            _ = write(connection, greeting, greeting.count)
        case "notify":
            print(ServiceNotify.ready(), ServiceNotify.stopping())
        case "watch":
            // Watches the bus of the system until there is something to report.
            let told = DispatchSemaphore(value: 0)
            let watch = SleepWatch { reason in
                print(reason)
                told.signal()
            }
            told.wait()
            watch.stop()
        default:
            print("usage: service-exerciser sockets | accept | notify | watch")
        }
    }
}

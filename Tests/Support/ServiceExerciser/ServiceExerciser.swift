import Dispatch
import Glibc
import SystemServices

/// A service for tests: does what its argument says with what its environment hands over, and reports it in lines.
@main
enum ServiceExerciser {
    static func main() {
        switch CommandLine.arguments.dropFirst().first {
        case "sockets":
            do {
                for socket in try SocketActivation.sockets() {
                    print("socket \(socket)", fcntl(socket, F_GETFD) & FD_CLOEXEC != 0 ? "close-on-exec" : "inherited")
                }
            } catch {
                print("error \(error)")
            }
            for name in ["LISTEN_PID", "LISTEN_FDS", "LISTEN_FDNAMES"] where getenv(name) != nil {
                print("still set \(name)")
            }
        case "accept":
            // Answers one connection, as a service that was started by it.
            guard let socket = try? SocketActivation.sockets().first else { return }
            let connection = accept(socket, nil, nil)
            let greeting = Array("hello\n".utf8)
            _ = write(connection, greeting, greeting.count)
        case "notify":
            print(ServiceNotify.ready(), ServiceNotify.stopping())
        case "watch":
            // The bus of the system, until there is something to say.
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

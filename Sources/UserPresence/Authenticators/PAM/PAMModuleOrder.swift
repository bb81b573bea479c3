/// The place of a module that only watches in the services of PAM.
package enum PAMModuleOrder: Sendable {
    /// A fault in the order of modules.
    package enum Fault: Hashable, Sendable {
        /// The module runs though the authentication, or the change of a password, has failed before it.
        case afterFailure(kind: String)
        /// The module runs before the one that begins the session.
        case beforeSession
    }

    private struct Line {
        var kind: String
        var control: String
        var module: String
    }

    // No sensible service nests files deeper.
    private static let deepest = 16

    /// Returns the faults in the order of a service file; nil if the file does not name the module itself.
    ///
    /// - Parameters:
    ///   - module: The file name of the module.
    ///   - text: The service file.
    ///   - included: Returns an included file; nil if it cannot be read.
    package static func faults(
        of module: String, in text: [UInt8], including included: (String) -> [UInt8]?
    ) -> [Fault]? {
        let own = lines(of: text, deep: deepest, including: { _ in nil })
        guard own.contains(where: { isModule($0, module) }) else { return nil }
        let all = lines(of: text, deep: 0, including: included)
        var faults: [Fault] = []
        for kind in ["auth", "password"] {
            let stack = all.filter { $0.kind == kind }
            guard let place = stack.firstIndex(where: { isModule($0, module) }) else { continue }
            if !stack[..<place].contains(where: endsAtFailure) { faults.append(.afterFailure(kind: kind)) }
        }
        let session = all.filter { $0.kind == "session" }
        if let place = session.firstIndex(where: { isModule($0, module) }),
            session[place...].contains(where: { isModule($0, "pam_systemd.so") })
        {
            faults.append(.beforeSession)
        }
        return faults
    }

    private static func isModule(_ line: Line, _ name: String) -> Bool {
        line.module == name || line.module.hasSuffix("/" + name)
    }

    private static func endsAtFailure(_ line: Line) -> Bool {
        line.control == "requisite" || line.control.split(separator: " ").contains("default=die")
    }

    private static func lines(of text: [UInt8], deep depth: Int, including included: (String) -> [UInt8]?) -> [Line] {
        PAMServiceFile.lines(of: text).flatMap { line -> [Line] in
            let tokens = PAMServiceFile.tokens(of: line)
            guard let first = tokens.first?.lowercased() else { return [] }
            if first == "@include" {
                guard tokens.count > 1, depth < deepest, let text = included(tokens[1]) else { return [] }
                return lines(of: text, deep: depth + 1, including: included)
            }
            guard tokens.count > 2 else { return [] }
            // A dash says that the module may be missing.
            let kind = String(first.drop { $0 == "-" })
            let control = tokens[1].lowercased()
            if ["include", "substack"].contains(control) {
                guard depth < deepest, let text = included(tokens[2]) else { return [] }
                return lines(of: text, deep: depth + 1, including: included).filter { $0.kind == kind }
            }
            return [Line(kind: kind, control: control, module: tokens[2])]
        }
    }
}

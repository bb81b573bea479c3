/// The place of a module that only watches in the services of PAM.
package enum PAMModuleOrder: Sendable {
    /// A fault in the order of modules.
    package enum Fault: Hashable, Sendable {
        /// The module runs though the authentication, or the change of a password, has failed before it.
        case afterFailure(kind: String)
        /// The stack ends before the module though a password was right.
        case passedOver(kind: String)
        /// The module runs before the one that begins the session.
        case beforeSession
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
        let kinds = ["auth", "account", "password", "session"]
        guard kinds.contains(where: { kind in lines(of: text, kind, deep: deepest) { _ in nil }.has(module) }) else {
            return nil
        }
        var faults: [Fault] = []
        for kind in ["auth", "password"] {
            let stack = PAMStackModel(lines(of: text, kind, deep: 0, including: included))
            guard let place = stack.lines.firstIndex(where: { $0.isModule(module) }) else { continue }
            if stack.isReachedAfterFailure(place) {
                faults.append(.afterFailure(kind: kind))
            } else if stack.isPassedOver(place) {
                faults.append(.passedOver(kind: kind))
            }
        }
        let session = lines(of: text, "session", deep: 0, including: included)
        if let place = session.firstIndex(where: { $0.isModule(module) }), session[place...].has("pam_systemd.so") {
            faults.append(.beforeSession)
        }
        return faults
    }

    /// Returns the lines of one kind in a service file and those that it includes.
    private static func lines(
        of text: [UInt8], _ kind: String, deep depth: Int, including included: (String) -> [UInt8]?
    ) -> [PAMStackModel.Line] {
        var found: [PAMStackModel.Line] = []
        func add(_ name: String, isStack: Bool) {
            guard depth < deepest, let text = included(name) else { return }
            let more = lines(of: text, kind, deep: depth + 1, including: included)
            // A result that ends a substack goes on with the line after it.
            let end = found.count + more.count
            found += more.map { line in
                var line = line
                line.end = line.end.map { $0 + found.count } ?? (isStack ? end : nil)
                return line
            }
        }
        for line in PAMServiceFile.lines(of: text) {
            let tokens = PAMServiceFile.tokens(of: line)
            guard let first = tokens.first?.lowercased() else { continue }
            if first == "@include" {
                if tokens.count > 1 { add(tokens[1], isStack: false) }
                continue
            }
            // A dash says that the module may be missing.
            guard tokens.count > 2, first.drop(while: { $0 == "-" }) == kind else { continue }
            let control = tokens[1].lowercased()
            switch control {
            case "include", "substack": add(tokens[2], isStack: control == "substack")
            default: found.append(PAMStackModel.Line(control: control, module: tokens[2]))
            }
        }
        return found
    }
}

extension Sequence<PAMStackModel.Line> {
    fileprivate func has(_ module: String) -> Bool { contains { $0.isModule(module) } }
}

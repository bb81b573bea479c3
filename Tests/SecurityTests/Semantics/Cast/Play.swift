import Foundation
import LatchkeyTesting
import LocalAuthentication
import Security

/// The calls that a fact is played with. Each records its result: the status, and the returned value if the call asked
/// for one.
struct Play {
    let device: SimulatedDevice

    func add(_ item: [CFString: Any], showing names: String...) -> String {
        var result: CFTypeRef?
        let status = SecItemAdd(item as CFDictionary, &result)
        return outcome(status, result, of: item, names)
    }

    func copy(_ query: [CFString: Any], showing names: String...) -> String {
        var result: CFTypeRef?
        let status = SecItemCopyMatching(query as CFDictionary, &result)
        return outcome(status, result, of: query, names)
    }

    func update(_ query: [CFString: Any], _ changes: [CFString: Any]) -> String {
        "\(SecItemUpdate(query as CFDictionary, changes as CFDictionary))"
    }

    func delete(_ query: [CFString: Any]) -> String { "\(SecItemDelete(query as CFDictionary))" }

    /// Returns the value that a call returns, for further use.
    func given(_ query: [CFString: Any]) -> Any? {
        var result: CFTypeRef?
        return SecItemCopyMatching(query as CFDictionary, &result) == errSecSuccess ? result : nil
    }

    func reference(of query: [CFString: Any]) -> Data { given(query.reference) as? Data ?? Data() }

    func attributes(of query: [CFString: Any]) -> [CFString: Any] { given(query.attributes) as? [CFString: Any] ?? [:] }

    /// The factors that the user was asked for since the last access; a dash for none.
    var prompts: String {
        defer { device.clearRecords() }
        let factors = device.prompts.map(\.factor.rawValue)
        return factors.isEmpty ? "-" : factors.joined(separator: ",")
    }

    /// Makes an event happen to the device, and records nothing.
    func after<Result>(_ body: (SimulatedDevice) -> Result) -> Play {
        _ = body(device)
        return self
    }

    /// The calls on the device once it is locked, past the ten seconds for which items stay open.
    var locked: Play {
        after {
            $0.lock()
            $0.advance(by: .seconds(11))
        }
    }

    var unlocked: Play { after { $0.unlock(passcode: "1234") } }

    private func outcome(_ status: OSStatus, _ result: Any?, of query: [CFString: Any], _ names: [String]) -> String {
        let isAsked = query.keys.contains { $0.hasPrefix("r_") }
        if status != errSecSuccess || (result == nil && !isAsked) { return "\(status)" }
        return "\(status) \(text(of: result, names))"
    }
}

/// Returns the result of a call in words: a dictionary by its keys or by some of its values, a list in the order of the
/// words.
func text(of value: Any?, _ names: [String] = []) -> String {
    switch value {
    case nil: return "nil"
    case let access as SecAccessControl: return access.description
    case let data as Data: return text(of: data)
    case let text as String: return "'\(text)'"
    case let number as NSNumber: return number.stringValue
    case let date as Date: return "\(date.timeIntervalSinceReferenceDate)"
    case let dictionary as [String: Any]:
        if names.isEmpty { return "{\(dictionary.keys.sorted().joined(separator: " "))}" }
        return names.map { "\($0)=\(text(of: dictionary[$0]))" }.joined(separator: " ")
    case let list as [Any]: return "[\(list.map { text(of: $0, names) }.sorted().joined(separator: ", "))]"
    case let other?: return "\(type(of: other))"
    }
}

private func text(of data: Data) -> String {
    if data.count == 20 {
        let letters = String(decoding: data.prefix(4), as: UTF8.self)
        return ["genp", "inet", "cert", "keys"].contains(letters) ? "reference(\(letters))" : "20 bytes"
    }
    return String(data: data, encoding: .utf8) ?? "\(data.count) bytes"
}

/// Creates a context with this application password.
func context(password: String? = nil, silent: Bool = false) -> LAContext {
    let context = LAContext()
    context.interactionNotAllowed = silent
    if let password { _ = context.setCredential(Data(password.utf8), type: .applicationPassword) }
    return context
}

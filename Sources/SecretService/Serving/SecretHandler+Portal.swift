internal import Glibc
internal import LinuxSystem
internal import SodiumKit
internal import SystemServices

/// A request of the portal that was not answered. The portal can close it.
struct PortalRequest {
    let lane: Lane
    let work: Work
}

/// The portal for secrets: each app gets a secret of its own, from which it derives keys for its files.
extension SecretHandler {
    /// The number of bytes in the secret of an app.
    static let portalSecretCount = 64
    /// The schema of the items with these secrets.
    static let portalSchema = "org.freedesktop.portal.Secret"

    /// The answers of a portal.
    private enum Response: UInt32 {
        case success = 0
        case canceled = 1
        case failed = 2
    }

    func servePortal(_ call: BusCall, _ client: Client) throws(CallError) {
        let message = call.message
        let (handle, app, descriptor) = try read((message.readText(), message.readText(), message.readDescriptor()))
        let target = PortalTarget(descriptor)
        guard !app.isEmpty, app.utf8.count <= BusLimits.appIdentifier else {
            throw .invalidArguments("An app has an identifier of 1 to \(BusLimits.appIdentifier) bytes.")
        }
        guard client.portalRequests.count < BusLimits.portalRequests else {
            throw .limit("Too many requests wait for an answer. Wait for some.")
        }
        guard client.portalRequests[handle] == nil, ObjectPath(handle) == nil else {
            throw .invalidArguments("There is an object at \(handle) already.")
        }
        let store = store
        // The works for one app wait for each other, also those of several connections, so that it never gets two
        // secrets.
        let lane = portalLanes[app] ?? Lane(link, store, client.caller, threads)
        portalLanes[app] = lane
        let caller = client.caller
        let work = Work(
            .other(nil) { asking in
                do {
                    let secret = try store.portalSecret(of: app, for: caller, asking)
                    let isWritten = secret.bytes.withBytes { bytes in bytes.withUnsafeBytes { target.write($0) } }
                    return isWritten ? .done : .fault(.failed("The app does not read its secret."))
                } catch {
                    return .fault(SecretFault(error))
                }
            }
        ) { [link, weak client] result in
            client?.portalRequests[handle] = nil
            let response: Response =
                switch result {
                case .done: .success
                case .fault(.dismissed), .fault(.locked): .canceled
                case .fault, .secrets, .objects, .collection, .item: .failed
                }
            link.reply(to: call) { writer in
                try writer.append(.number(response.rawValue))
                try writer.append(properties: [])
            }
        }
        client.portalRequests[handle] = PortalRequest(lane: lane, work: work)
        lane.add(work)
    }

    func serve(_ call: BusCall, _ request: PortalRequest) throws(CallError) {
        let (interface, method) = try Self.method(call, [SecretInterfaces.portalRequest])
        switch interface {
        case SecretInterfaces.portalRequest.name:
            link.reply(to: call)
            request.lane.end(request.work, .fault(.dismissed))
        case BusInterface.introspectable.name:
            let text = BusInterface.describe(
                [SecretInterfaces.portalRequest, .introspectable], children: [])
            link.reply(to: call) { try $0.append(.text(text)) }
        default: throw .unknown(.method(method))
        }
    }
}

/// The descriptor through which an app reads its secret. It is closed with the last reference.
private final class PortalTarget: Sendable {
    private let descriptor: Int32

    init(_ descriptor: Int32) { self.descriptor = descriptor }

    deinit { close(descriptor) }

    /// The time for all of the secret. A pipe takes it at once, unless it is full.
    private static let patience = Duration.seconds(5)

    /// Writes the secret. Returns false if the other end does not take all of it in time.
    func write(_ bytes: UnsafeRawBufferPointer) -> Bool {
        // A write that finds too little room must not wait there for ever.
        let flags = fcntl(descriptor, F_GETFL)
        guard flags >= 0, fcntl(descriptor, F_SETFL, flags | O_NONBLOCK) == 0 else { return false }
        let end = ContinuousClock.now + Self.patience
        var rest = bytes[...]
        while !rest.isEmpty {
            let count = Glibc.write(descriptor, UnsafeRawBufferPointer(rebasing: rest).baseAddress, rest.count)
            if count >= 0 {
                rest = rest.dropFirst(count)
            } else if errno == EAGAIN {
                let left = Int32(clamping: Int64((end - .now) / .milliseconds(1)))
                if left <= 0 { return false }
                var waited = pollfd(fd: descriptor, events: Int16(POLLOUT), revents: 0)
                _ = poll(&waited, 1, left)
            } else if errno != EINTR {
                return false
            }
        }
        return true
    }
}

extension SecretStore {
    /// Returns the secret of an app, and creates it if there is none.
    fileprivate func portalSecret(
        of app: String, for caller: SecretCaller, _ asking: CallLifetime
    ) throws(SecretFault) -> HandedSecret {
        guard let collection = aliases["default"] else { throw .failed("There is no default collection.") }
        // A locked collection may not show all items. Never create a second secret: the app could not read its files.
        if isLocked(collection) { try unlock(collection, for: caller, asking) }
        let attributes = [SecretHandler.schema: SecretHandler.portalSchema, "app_id": app]
        let found = search(attributes, in: collection).compactMap { item($0) }
        if let first = found.min(by: { ($0.created, $0.id.name) < ($1.created, $1.id.name) }) {
            guard let secret = try secrets(of: [first.id], for: caller, asking).first else { throw .dismissed }
            return secret
        }
        do {
            var secret = try SecureBytes(count: SecretHandler.portalSecretCount)
            secret.withMutableBytes { Sodium.fillRandomly($0) }
            let kept = try secret.copy()
            let contentType = "application/octet-stream"
            let item = NewSecretItem(
                label: "Secret of \(app)", attributes: attributes, secret: kept, contentType: contentType)
            try asking.check()
            let id = try create(item, in: collection, replaces: false, for: caller, asking)
            return HandedSecret(id, secret, contentType: contentType)
        } catch let fault as SecretFault {
            throw fault
        } catch {
            throw .failed("There is no guarded memory for the secret: \(error).")
        }
    }
}

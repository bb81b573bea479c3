internal import Glibc
internal import LinuxSystem
internal import SodiumKit
internal import SystemServices

/// A request of the portal that was not answered. The portal can close it.
struct PortalRequest {
    let connection: String
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
        case cancelled = 1
        case failed = 2
    }

    func servePortal(_ call: BusCall, _ client: Client) throws(CallError) {
        let message = call.message
        let (handle, app, descriptor) = try read { () throws(BusError) in
            (try message.readPath(), try message.readString(), try message.takeDescriptor())
        }
        let target = PortalTarget(descriptor)
        guard !app.isEmpty, app.utf8.count <= Limits.appIdentifier else {
            throw .invalidArguments("An app has an identifier of 1 to \(Limits.appIdentifier) bytes.")
        }
        guard portalRequests[handle] == nil, ObjectPath(handle) == nil else {
            throw .invalidArguments("There is an object at \(handle) already.")
        }
        let store = store
        // The lane makes the work for one app wait for each other, so that it never gets two secrets.
        let lane = portalLanes[app] ?? Lane(link, store, client.caller, workers)
        guard portalRequests.count < Limits.calls else { throw .limit("Too many requests wait for an answer.") }
        portalLanes[app] = lane
        let caller = client.caller
        let work = Work(
            .other { asking in
                do throws(SecretFault) {
                    let secret = try store.portalSecret(of: app, for: caller, asking)
                    let isWritten = secret.bytes.withBytes { bytes in bytes.withUnsafeBytes { target.write($0) } }
                    return isWritten ? .done : .fault(.failed("The app does not read its secret."))
                } catch {
                    return .fault(error)
                }
            }
        ) { [self] result in
            portalRequests[handle] = nil
            let response: Response =
                switch result {
                case .done: .success
                case .fault(.dismissed), .fault(.locked): .cancelled
                case .fault, .secrets, .objects, .collection, .item: .failed
                }
            link.reply(to: call) { (writer) throws(BusError) in
                try writer.append(.number(response.rawValue))
                try writer.append(properties: [])
            }
        }
        portalRequests[handle] = PortalRequest(connection: caller.connection, lane: lane, work: work)
        lane.add(work)
    }

    /// Serves a call on the object of a request.
    func serve(_ call: BusCall, _ request: PortalRequest) throws(CallError) {
        let (interface, method) = try Self.method(call, [SecretInterfaces.portalRequest])
        switch interface {
        case SecretInterfaces.portalRequest.name:
            link.reply(to: call)
            request.lane.end(request.work, .fault(.dismissed))
        case BusInterface.introspectable.name:
            let text = BusInterface.describe(
                [SecretInterfaces.portalRequest, .introspectable], children: [])
            link.reply(to: call) { (writer) throws(BusError) in try writer.append(.text(text)) }
        default: throw .unknown(.method(method))
        }
    }
}

/// The descriptor through which an app reads its secret. It is closed with the last reference.
private final class PortalTarget: Sendable {
    private let descriptor: Int32

    init(_ descriptor: Int32) { self.descriptor = descriptor }

    deinit { close(descriptor) }

    /// Writes the secret, which a pipe takes at once. Returns false if it does not.
    func write(_ bytes: UnsafeRawBufferPointer) -> Bool {
        var waited = pollfd(fd: descriptor, events: Int16(POLLOUT), revents: 0)
        guard poll(&waited, 1, 5000) == 1, waited.revents & Int16(POLLOUT) != 0 else { return false }
        return Descriptors.write(bytes, to: descriptor)
    }
}

extension SecretStore {
    /// Returns the secret of an app, and creates it if there is none.
    fileprivate func portalSecret(
        of app: String, for caller: SecretCaller, _ asking: Asking
    ) throws(SecretFault) -> ReleasedSecret {
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
            let id = try create(item, in: collection, replaces: false, for: caller, asking)
            return ReleasedSecret(id, secret, contentType: contentType)
        } catch let fault as SecretFault {
            throw fault
        } catch {
            throw .failed("There is no guarded memory for the secret: \(error).")
        }
    }
}

internal import AccessPolicy
internal import DeviceModel
internal import Foundation
internal import Latchkey
internal import LinuxSystem
internal import Security
internal import UserPresence

extension ContextCore {
    /// The policy or access control to satisfy.
    enum Subject: Sendable {
        case policy(LAPolicy)
        /// An access control; nil for one that no item can have.
        case accessControl(AccessControl?, LAAccessControlOperation)
    }

    typealias Reply = @Sendable (Bool, (any Error)?) -> Void

    /// Returns the reason why the user could not satisfy `policy` now; nil if they could.
    func preflight(_ policy: LAPolicy) -> LAError? {
        do {
            let keychain = try CurrentKeychain.of(call: FaceCall.canEvaluate.rawValue).keychain
            var failure = try preflight(policy, on: keychain)
            // A planned failure replaces the answer, but the check still runs, because apps read the kind of sensor
            // afterwards.
            failure = keychain.planned(.canEvaluate) ?? failure
            keychain.watcher?.called(
                .canEvaluate, about: policy.name, code: failure?.errorCode ?? 0, because: failure?.why ?? "")
            return failure
        } catch {
            return LAError(error)
        }
    }

    private func preflight(_ policy: LAPolicy, on keychain: Keychain) throws(KeychainError) -> LAError? {
        let decision = try onKeychain(keychain).decision(on: policy.forPolicy)
        biometryType = LABiometryType(try keychain.device.settings.sensor)
        if let denial = decision.denial { return LAError(keychain.denied(denial)) }
        if policy.isBiometric { domainState = try keychain.domainStateHash }
        return nil
    }

    /// Asks for the missing factors, and replies on a thread of its own on which the keychain of the caller is current.
    func evaluate(_ subject: Subject, _ reason: String, keeping context: LAContext, _ reply: @escaping Reply) {
        let current: CurrentKeychain
        do { current = try CurrentKeychain.of(call: subject.call.rawValue) } catch {
            return reply(false, LAError(error))
        }
        let keychain = current.keychain
        // Apple's system ends an evaluation with its context, yet apps work there without keeping theirs. A test must
        // not depend on when a context is released, so it is kept until the reply.
        let holding = Holding(context)
        let misuse = keychain.misuse(of: subject.call.rawValue, reason, usesBiometry: subject.triesBiometry)
        let isStarted = Supervisor.detach { [self] in
            current.whileCurrent {
                let failure = misuse ?? evaluate(subject, reason, on: keychain)
                keychain.watcher?.called(
                    subject.call, about: subject.words, code: failure?.code ?? 0, because: failure?.why ?? "")
                reply(failure == nil, failure)
            }
            _ = holding
        }
        if !isStarted { reply(false, LAError(.systemCancel, because: "no thread is free for the prompt")) }
    }

    private func evaluate(_ subject: Subject, _ reason: String, on keychain: Keychain) -> NSError? {
        do throws(KeychainError) {
            if let planned = keychain.planned(subject.call) { return planned._nsError }
            let context = try onKeychain(keychain)
            switch subject {
            case .policy(let policy):
                try context.evaluate(policy.forPolicy, because: reason)
                if policy.isBiometric { domainState = try keychain.domainStateHash }
            case .accessControl(let control?, let operation):
                try context.evaluate(control, for: operation.forPolicy, because: reason)
            case .accessControl(nil, _): throw .request(.badValue(kSecAttrAccessControl as String))
            }
            return nil
        } catch {
            return LAError(error)._nsError
        }
    }
}

/// An owner that keeps a context alive. The context is only released, on whatever thread that happens.
private struct Holding: @unchecked Sendable {
    private let context: LAContext
    init(_ context: LAContext) { self.context = context }
}

extension ContextCore.Subject {
    fileprivate var call: FaceCall {
        switch self {
        case .policy: .evaluate
        case .accessControl: .evaluateAccessControl
        }
    }

    fileprivate var words: String {
        switch self {
        case .policy(let policy): policy.name
        case .accessControl(let control, let operation):
            "\(control.map { "\($0)" } ?? "untilReboot"), \(operation.name)"
        }
    }

    fileprivate var triesBiometry: Bool {
        switch self {
        case .policy(let policy): policy.triesBiometry
        case .accessControl(let control, _): control?.speaksOfBiometry == true
        }
    }
}

extension Keychain {
    fileprivate func planned(_ call: FaceCall) -> LAError? {
        guard let number = watcher?.plannedFailure(of: call) else { return nil }
        return LAError(LAError.Code(rawValue: number) ?? .authenticationFailed, because: "planned by the test")
    }

    fileprivate var domainStateHash: Data? {
        get throws(KeychainError) { try enrollmentHash.map { Data($0) } }
    }
}

extension LAError {
    fileprivate var why: String { _nsError.why }
}

extension NSError {
    fileprivate var why: String { userInfo[NSDebugDescriptionErrorKey] as? String ?? "" }
}

extension LABiometryType {
    init(_ sensor: SensorKind) {
        self =
            switch sensor {
            case .none: .none
            case .touchID: .touchID
            case .faceID: .faceID
            case .opticID: .opticID
            }
    }
}

internal import AgentProtocol
internal import SodiumKit

extension GenerateKeyCall: Deed {
    func run(
        _ visit: Visit, _ asked: AskedRequest, _ secret: consuming SecureBytes?
    ) throws(AgentError) -> Answer<Reply> {
        try visit.generateKey(
            name, type, inEnclave: inEnclave, policy ?? visit.agent.settings.policy, asked)
    }
}

extension ImportKeyCall: Deed {
    func run(
        _ visit: Visit, _ asked: AskedRequest, _ secret: consuming SecureBytes?
    ) throws(AgentError) -> Answer<Reply> {
        try visit.importKey(name, family.family, policy ?? visit.agent.settings.policy, secret.take(), asked)
    }
}

extension AddCardKeyCall: Deed {
    func run(
        _ visit: Visit, _ asked: AskedRequest, _ secret: consuming SecureBytes?
    ) throws(AgentError) -> Answer<Reply> {
        try visit.addCardKey(name, card, policy ?? visit.agent.settings.policy, secret.take(), asked)
    }
}

extension KeysCall: Deed {
    func run(
        _ visit: Visit, _ asked: AskedRequest, _ secret: consuming SecureBytes?
    ) throws(AgentError) -> Answer<Reply> {
        try visit.keys()
    }
}

extension KeyCall: Deed {
    func run(
        _ visit: Visit, _ asked: AskedRequest, _ secret: consuming SecureBytes?
    ) throws(AgentError) -> Answer<Reply> {
        try visit.key(name)
    }
}

extension RemoveKeyCall: Deed {
    func run(
        _ visit: Visit, _ asked: AskedRequest, _ secret: consuming SecureBytes?
    ) throws(AgentError) -> Answer<Reply> {
        try visit.removeKey(name, asked)
        return Answer()
    }
}

extension SignCall: Deed {
    func run(
        _ visit: Visit, _ asked: AskedRequest, _ secret: consuming SecureBytes?
    ) throws(AgentError) -> Answer<Reply> {
        try visit.sign(name, digest, algorithm, isRaw: isRaw, secret.take(), asked)
    }
}

extension DecryptCall: Deed {
    func run(
        _ visit: Visit, _ asked: AskedRequest, _ secret: consuming SecureBytes?
    ) throws(AgentError) -> Answer<Reply> {
        try visit.decrypt(name, secret.take(), algorithm.scheme, asked)
    }
}

extension CertificateCall: Deed {
    func run(
        _ visit: Visit, _ asked: AskedRequest, _ secret: consuming SecureBytes?
    ) throws(AgentError) -> Answer<Reply> {
        try visit.certificate(name)
    }
}

extension SetCertificateCall: Deed {
    func run(
        _ visit: Visit, _ asked: AskedRequest, _ secret: consuming SecureBytes?
    ) throws(AgentError) -> Answer<Reply> {
        try visit.setCertificate(name, secret.take(), asked)
        return Answer()
    }
}

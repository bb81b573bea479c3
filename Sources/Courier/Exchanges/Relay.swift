internal import HTTPWire

/// The way to the server of a lent service, for the exchanges of a courier that passes requests on.
final class Relay: Sendable {
    let service: LentService
    let base: WireOrigin
    let keeper: any LoanKeeper
    let connect: @Sendable () throws(UpstreamError) -> any UpstreamStream
    let limits: CourierLimits
    let responseRules: ResponseRules
    let pool: UpstreamPool
    let holders: Holders

    init(
        _ service: LentService, base: WireOrigin, keeper: any LoanKeeper, limits: CourierLimits, holders: Holders,
        connect: @escaping @Sendable () throws(UpstreamError) -> any UpstreamStream
    ) {
        (self.service, self.base, self.keeper) = (service, base, keeper)
        (self.connect, self.limits, self.holders) = (connect, limits, holders)
        var rules = ResponseRules(from: service.origin, toClientsAt: base)
        rules.passesRedirects = service.passesRedirects
        rules.bodyLimit = service.bodyLimit
        responseRules = rules
        pool = UpstreamPool(idleMilliseconds: limits.idleMilliseconds)
    }
}

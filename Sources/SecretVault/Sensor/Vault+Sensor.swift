package import DeviceModel

extension Vault {
    /// The sensor whose enrolments the device has, once one was asked.
    public var knownSensor: KnownSensor? {
        get throws(VaultError) {
            try run { enclave in
                try enclave.refresh()
                return enclave.bag.sensor
            }
        }
    }

    /// Whether a sensor's list is what is on record.
    package func isOnRecord(_ list: SensorList) throws(VaultError) -> Bool { try run { try $0.isOnRecord(list) } }

    /// Takes a list in that differs from the record, as the enrolment events that it shows. `again` asks the sensor once
    /// more, under the vault's lock; it must not use the vault, and so is lent what a fake sensor remembers.
    package func takeIn(_ list: SensorList, again: (_ fakeSensorMemory: [UInt8]) -> SensorList?) throws(VaultError)
        -> ListTaken
    {
        try run { try $0.takeIn(list, again: again) }
    }

    /// Forgets everybody who is enrolled, and the sensor that they are enrolled on.
    @discardableResult
    package func resetSensor() throws(VaultError) -> Effects { try run { try $0.resetSensor() } }

    /// What the device is told when the sensor found `id`, or nobody. Nil for somebody who is not on record.
    package func finger(matched id: String?) throws(VaultError) -> Finger? {
        guard let id else { return Enclave.unknownFinger }
        return try knownSensor?.templates.first { $0.id == id }?.finger
    }

    /// What a fake sensor remembers.
    package var fakeSensorMemory: [UInt8] {
        get throws(VaultError) {
            try run { enclave in
                try enclave.refresh()
                return enclave.bag.fakeSensor
            }
        }
    }

    /// Remembers something for a fake sensor.
    package func remember(fakeSensor bytes: [UInt8]) throws(VaultError) {
        try run { try $0.rememberForFakeSensor(bytes) }
    }
}

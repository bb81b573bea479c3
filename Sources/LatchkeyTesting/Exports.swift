// What a test names when it chooses between versions of a disputed fact, and when it asks why something was denied.
@_exported public import struct AccessPolicy.Fidelity
@_exported public import enum AccessPolicy.Rule

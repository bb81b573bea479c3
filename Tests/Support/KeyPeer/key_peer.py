"""A second implementation of every scheme of KeyKit, on Python's cryptography and integers.

It reads one job a line from standard input, as JSON, and answers each with one line. Bytes are hexadecimal digits.
"""

import json
import os
import sys

from cryptography.exceptions import InvalidSignature, InvalidTag
from cryptography.hazmat.primitives import hashes, hmac, serialization
from cryptography.hazmat.primitives.asymmetric import ec, padding, rsa, utils
from cryptography.hazmat.primitives.ciphers.aead import AESGCM, ChaCha20Poly1305
from cryptography.hazmat.primitives.kdf.hkdf import HKDF
from cryptography.hazmat.primitives.kdf.x963kdf import X963KDF

HASHES = {
    "md5": hashes.MD5, "sha1": hashes.SHA1, "sha224": hashes.SHA224, "sha256": hashes.SHA256, "sha384": hashes.SHA384,
    "sha512": hashes.SHA512, "sha3_256": hashes.SHA3_256, "sha3_384": hashes.SHA3_384, "sha3_512": hashes.SHA3_512,
}


def external(key):
    """Returns Apple's external representation of a public key."""
    if isinstance(key, rsa.RSAPublicKey):
        return key.public_bytes(serialization.Encoding.DER, serialization.PublicFormat.PKCS1)
    return key.public_bytes(serialization.Encoding.X962, serialization.PublicFormat.UncompressedPoint)


def size(key):
    """Returns the number of bytes in a coordinate or a modulus."""
    return (key.key_size + 7) // 8


def hash_of(job):
    """Returns the hash function of a job, as cryptography wants it for this input."""
    made = HASHES[job["hash"]]()
    return utils.Prehashed(made) if job["input"] == "digest" else made


def rsa_padding(job, for_encryption=False):
    """Returns the padding of a job."""
    if job["padding"] == "pss":
        made = HASHES[job["hash"]]()
        return padding.PSS(padding.MGF1(made), made.digest_size)
    if job["padding"] == "oaep":
        made = HASHES[job["hash"]]()
        return padding.OAEP(padding.MGF1(made), made, None)
    return padding.PKCS1v15()


def unpadded(message, count):
    """Returns a message as a number, padded for a signature without the name of a hash function."""
    return int.from_bytes(b"\0\1" + b"\xff" * (count - 3 - len(message)) + b"\0" + message, "big")


def sign(key, job, message):
    if isinstance(key, ec.EllipticCurvePrivateKey):
        signature = key.sign(message, ec.ECDSA(hash_of(job)))
        if job["encoding"] == "rfc4754":
            return b"".join(number.to_bytes(size(key), "big") for number in utils.decode_dss_signature(signature))
        return signature
    if job["padding"] in ("none", "pkcs1-any"):
        numbers = key.private_numbers()
        number = unpadded(message, size(key)) if job["padding"] == "pkcs1-any" else int.from_bytes(message, "big")
        return pow(number, numbers.d, numbers.public_numbers.n).to_bytes(size(key), "big")
    return key.sign(message, rsa_padding(job), hash_of(job))


def verify(key, job, message, signature):
    if isinstance(key, ec.EllipticCurvePublicKey):
        if job["encoding"] == "rfc4754":
            half = size(key)
            assert len(signature) == 2 * half
            signature = utils.encode_dss_signature(*(
                int.from_bytes(part, "big") for part in (signature[:half], signature[half:])))
        key.verify(signature, message, ec.ECDSA(hash_of(job)))
    elif job["padding"] in ("none", "pkcs1-any"):
        numbers = key.public_numbers()
        number = pow(int.from_bytes(signature, "big"), numbers.e, numbers.n)
        wanted = unpadded(message, size(key)) if job["padding"] == "pkcs1-any" else int.from_bytes(message, "big")
        return len(signature) == size(key) and number == wanted
    else:
        key.verify(signature, message, rsa_padding(job), hash_of(job))
    return True


def ecies_key(job, secret, point, curve):
    """Returns the AES key and the vector of ECIES."""
    count = job.get("keyCount") or (16 if curve.key_size <= 256 else 32)
    derived = X963KDF(
        HASHES[job["hash"]](), count + (16 if job["vector"] == "derived" else 0),
        point + bytes.fromhex(job["sharedInfo"])).derive(secret)
    return AESGCM(derived[:count]), derived[count:] or bytes(16)


def encrypt(key, job, message):
    if isinstance(key, ec.EllipticCurvePublicKey):
        if "ephemeral" in job:
            ephemeral = ec.derive_private_key(int(job["ephemeral"], 16), key.curve)
        else:
            ephemeral = ec.generate_private_key(key.curve)
        point = external(ephemeral.public_key())
        cipher, vector = ecies_key(job, ephemeral.exchange(ec.ECDH(), key), point, key.curve)
        return point + cipher.encrypt(vector, message, bytes.fromhex(job["additionalData"]))
    if job["padding"] == "none":
        numbers = key.public_numbers()
        return pow(int.from_bytes(message, "big"), numbers.e, numbers.n).to_bytes(size(key), "big")
    if job.get("session"):
        session = os.urandom(32 if key.key_size >= 4096 else 16)
        return key.encrypt(session, rsa_padding(job)) + AESGCM(session).encrypt(bytes(16), message, external(key))
    return key.encrypt(message, rsa_padding(job))


def decrypt(key, job, box):
    if isinstance(key, ec.EllipticCurvePrivateKey):
        count = 2 * size(key) + 1
        point = box[:count]
        other = ec.EllipticCurvePublicKey.from_encoded_point(key.curve, point)
        cipher, vector = ecies_key(job, key.exchange(ec.ECDH(), other), point, key.curve)
        return cipher.decrypt(vector, box[count:], bytes.fromhex(job["additionalData"]))
    if job["padding"] == "none":
        numbers = key.private_numbers()
        return pow(int.from_bytes(box, "big"), numbers.d, numbers.public_numbers.n).to_bytes(size(key), "big")
    if job.get("session"):
        session = key.decrypt(box[:size(key)], rsa_padding(job))
        assert len(session) == (32 if key.key_size >= 4096 else 16)
        return AESGCM(session).decrypt(bytes(16), box[size(key):], external(key.public_key()))
    return key.decrypt(box, rsa_padding(job))


def agree(key, job, other):
    secret = key.exchange(ec.ECDH(), ec.EllipticCurvePublicKey.from_encoded_point(key.curve, other))
    if "hash" in job:
        return X963KDF(HASHES[job["hash"]](), job["count"], bytes.fromhex(job["sharedInfo"])).derive(secret)
    return secret


def digest(job, message):
    made = hashes.Hash(HASHES[job["hash"]]())
    made.update(message)
    return made.finalize()


def code(job, message):
    made = hmac.HMAC(bytes.fromhex(job["key"]), HASHES[job["hash"]]())
    made.update(message)
    return made.finalize()


def derive(job, message):
    made = HASHES[job["hash"]]()
    if "salt" in job:
        return HKDF(made, job["count"], bytes.fromhex(job["salt"]), bytes.fromhex(job["info"])).derive(message)
    return X963KDF(made, job["count"], bytes.fromhex(job["info"])).derive(message)


def cipher(job):
    """Returns a cipher, and the arguments that sealing and opening have in common."""
    made = {"aes": AESGCM, "chacha": ChaCha20Poly1305}[job["cipher"]](bytes.fromhex(job["key"]))
    return made, bytes.fromhex(job["nonce"]), bytes.fromhex(job["additional"])


def seal(job, message):
    made, nonce, additional = cipher(job)
    return made.encrypt(nonce, message, additional)


def unseal(job, message):
    made, nonce, additional = cipher(job)
    return made.decrypt(nonce, message, additional)


WITHOUT_KEYS = {"digest": digest, "code": code, "derive": derive, "seal": seal, "unseal": unseal}


def answer(job):
    """Does a job. Returns bytes, or true or false."""
    message = bytes.fromhex(job["message"])
    if job["operation"] in WITHOUT_KEYS:
        return WITHOUT_KEYS[job["operation"]](job, message)
    if job["operation"] in ("sign", "decrypt", "agree"):
        key = serialization.load_pem_private_key(job["key"].encode(), None)
        return {"sign": sign, "decrypt": decrypt, "agree": agree}[job["operation"]](key, job, message)
    key = serialization.load_pem_public_key(job["key"].encode())
    if job["operation"] == "verify":
        try:
            return verify(key, job, message, bytes.fromhex(job["signature"]))
        except InvalidSignature:
            return False
    return encrypt(key, job, message)


for line in sys.stdin:
    try:
        result = answer(json.loads(line))
        print(result if isinstance(result, bool) else result.hex(), flush=True)
    except (AssertionError, InvalidTag, KeyError, ValueError) as error:
        print(f"error {type(error).__name__}: {error}", flush=True)

#include "floor.h"
#include <openssl/core_names.h>
#include <openssl/evp.h>
#include <openssl/kdf.h>
#include <string.h>

enum { COORDINATE = 32, POINT = 65, PRIVATE = 97, TAG = 16, KEY = 16, VECTOR = 16 };

// Builds a P-256 key from 04, X and Y, and from K if it is there.
static EVP_PKEY *build(const unsigned char *bytes, int is_private) {
    unsigned char scalar[COORDINATE];
    char group[] = "prime256v1";
    OSSL_PARAM parameters[4], *next = parameters;
    *next++ = OSSL_PARAM_construct_utf8_string(OSSL_PKEY_PARAM_GROUP_NAME, group, 0);
    *next++ = OSSL_PARAM_construct_octet_string(OSSL_PKEY_PARAM_PUB_KEY, (void *)bytes, POINT);
    if (is_private) {
        for (int i = 0; i < COORDINATE; i++) scalar[i] = bytes[PRIVATE - 1 - i];
        *next++ = OSSL_PARAM_construct_BN(OSSL_PKEY_PARAM_PRIV_KEY, scalar, COORDINATE);
    }
    *next = OSSL_PARAM_construct_end();
    EVP_PKEY *key = NULL;
    EVP_PKEY_CTX *context = EVP_PKEY_CTX_new_from_name(NULL, "EC", NULL);
    if (context && EVP_PKEY_fromdata_init(context) == 1)
        EVP_PKEY_fromdata(context, &key, is_private ? EVP_PKEY_KEYPAIR : EVP_PKEY_PUBLIC_KEY, parameters);
    EVP_PKEY_CTX_free(context);
    OPENSSL_cleanse(scalar, sizeof scalar);
    return key;
}

size_t floor_sign(const unsigned char *key, const unsigned char *digest, size_t count) {
    size_t made = 0;
    for (size_t i = 0; i < count; i++) {
        unsigned char signature[80];
        size_t length = sizeof signature;
        EVP_PKEY *built = build(key, 1);
        EVP_PKEY_CTX *context = EVP_PKEY_CTX_new_from_pkey(NULL, built, NULL);
        made += context && EVP_PKEY_sign_init(context) == 1
            && EVP_PKEY_sign(context, signature, &length, digest, COORDINATE) == 1;
        EVP_PKEY_CTX_free(context);
        EVP_PKEY_free(built);
    }
    return made;
}

static int derive(const unsigned char *secret, const unsigned char *point, unsigned char *derived) {
    char digest[] = "SHA256";
    OSSL_PARAM parameters[] = {
        OSSL_PARAM_construct_utf8_string(OSSL_KDF_PARAM_DIGEST, digest, 0),
        OSSL_PARAM_construct_octet_string(OSSL_KDF_PARAM_SECRET, (void *)secret, COORDINATE),
        OSSL_PARAM_construct_octet_string(OSSL_KDF_PARAM_INFO, (void *)point, POINT), OSSL_PARAM_construct_end()};
    EVP_KDF *function = EVP_KDF_fetch(NULL, "X963KDF", NULL);
    EVP_KDF_CTX *context = EVP_KDF_CTX_new(function);
    int done = context && EVP_KDF_derive(context, derived, KEY + VECTOR, parameters) == 1;
    EVP_KDF_CTX_free(context);
    EVP_KDF_free(function);
    return done;
}

static int decrypt(const unsigned char *derived, const unsigned char *box, size_t length, unsigned char *message) {
    int written = 0;
    EVP_CIPHER *cipher = EVP_CIPHER_fetch(NULL, "AES-128-GCM", NULL);
    EVP_CIPHER_CTX *context = EVP_CIPHER_CTX_new();
    int done = cipher && context && EVP_DecryptInit_ex2(context, cipher, NULL, NULL, NULL) == 1
        && EVP_CIPHER_CTX_ctrl(context, EVP_CTRL_AEAD_SET_IVLEN, VECTOR, NULL) == 1
        && EVP_DecryptInit_ex2(context, NULL, derived, derived + KEY, NULL) == 1
        && EVP_CIPHER_CTX_ctrl(context, EVP_CTRL_AEAD_SET_TAG, TAG, (void *)(box + length)) == 1
        && EVP_DecryptUpdate(context, message, &written, box, (int)length) == 1
        && EVP_DecryptFinal_ex(context, message + length, &written) == 1;
    EVP_CIPHER_CTX_free(context);
    EVP_CIPHER_free(cipher);
    return done;
}

size_t floor_ecies_open(const unsigned char *key, const unsigned char *box, size_t length, size_t count) {
    size_t opened = 0;
    unsigned char secret[COORDINATE], derived[KEY + VECTOR], message[1024];
    if (length < POINT + TAG || length > sizeof message) return 0;
    for (size_t i = 0; i < count; i++) {
        size_t agreed = sizeof secret;
        EVP_PKEY *built = build(key, 1), *other = build(box, 0);
        EVP_PKEY_CTX *context = EVP_PKEY_CTX_new_from_pkey(NULL, built, NULL);
        opened += context && EVP_PKEY_derive_init(context) == 1 && EVP_PKEY_derive_set_peer_ex(context, other, 0) == 1
            && EVP_PKEY_derive(context, secret, &agreed) == 1 && derive(secret, box, derived)
            && decrypt(derived, box + POINT, length - POINT - TAG, message);
        EVP_PKEY_CTX_free(context);
        EVP_PKEY_free(other);
        EVP_PKEY_free(built);
    }
    return opened;
}

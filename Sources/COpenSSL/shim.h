#pragma once
#include <malloc.h>
#include <openssl/asn1.h>
#include <openssl/bn.h>
#include <openssl/core_names.h>
#include <openssl/crypto.h>
#include <openssl/ec.h>
#include <openssl/err.h>
#include <openssl/evp.h>
#include <openssl/kdf.h>
#include <openssl/params.h>
#include <openssl/pkcs12.h>
#include <openssl/provider.h>
#include <openssl/x509.h>
#include <openssl/x509_vfy.h>
#include <openssl/x509v3.h>

// These are macros made of macros, which Swift does not import.

static const int latchkey_select_keypair = EVP_PKEY_KEYPAIR;
static const int latchkey_select_public_key = EVP_PKEY_PUBLIC_KEY;
static const int latchkey_constant_time = BN_FLG_CONSTTIME;

// EVP_PKEY_Q_keygen has variadic parameters, which Swift does not import.

static inline EVP_PKEY *latchkey_generate_ec(OSSL_LIB_CTX *context, const char *curve) {
    return EVP_PKEY_Q_keygen(context, NULL, "EC", curve);
}

static inline EVP_PKEY *latchkey_generate_rsa(OSSL_LIB_CTX *context, size_t bits) {
    return EVP_PKEY_Q_keygen(context, NULL, "RSA", bits);
}

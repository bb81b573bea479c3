#pragma once
#include <openssl/bio.h>
#include <openssl/crypto.h>
#include <openssl/err.h>
#include <openssl/provider.h>
#include <openssl/ssl.h>
#include <openssl/x509_vfy.h>
#include <openssl/x509v3.h>
#include <sys/socket.h>

// These are macros made of macros or casts, which Swift does not import.

static const uint64_t latchkey_tls_options =
    SSL_OP_CLEANSE_PLAINTEXT | SSL_OP_NO_COMPRESSION | SSL_OP_NO_RENEGOTIATION | SSL_OP_NO_TICKET;
static const uint64_t latchkey_tls_start = OPENSSL_INIT_NO_LOAD_CONFIG | OPENSSL_INIT_NO_ATEXIT;

/// Permits these versions of TLS; zero stands for the latest. Returns 1.
static inline int latchkey_tls_set_versions(SSL_CTX *context, int first, int last) {
    return SSL_CTX_set_min_proto_version(context, first) && SSL_CTX_set_max_proto_version(context, last);
}

/// Lets a write end after each record, and be continued from another address with the same bytes.
static inline void latchkey_tls_write_by_record(SSL_CTX *context) {
    SSL_CTX_set_mode(context, SSL_MODE_ENABLE_PARTIAL_WRITE | SSL_MODE_ACCEPT_MOVING_WRITE_BUFFER);
}

static inline void latchkey_tls_keep_no_sessions(SSL_CTX *context) {
    SSL_CTX_set_session_cache_mode(context, SSL_SESS_CACHE_OFF);
}

/// Sends the name of the host with the first message. Returns 1.
static inline int latchkey_tls_send_name(SSL *tls, const char *name) { return SSL_set_tlsext_host_name(tls, name); }

static inline int latchkey_tls_send(BIO *bio, const char *bytes, int count) {
    int socket = -1;
    BIO_get_fd(bio, &socket);
    BIO_clear_retry_flags(bio);
    const int sent = (int)send(socket, bytes, (size_t)count, MSG_NOSIGNAL);
    if (sent <= 0 && BIO_sock_should_retry(sent)) BIO_set_retry_write(bio);
    return sent;
}

/// Makes OpenSSL's way of using a socket, with one change: a write to a broken connection sends no SIGPIPE. It buffers nothing.
/// Returns NULL if memory is missing.
static inline BIO_METHOD *latchkey_tls_socket_method(void) {
    const BIO_METHOD *plain = BIO_s_socket();
    BIO_METHOD *method = BIO_meth_new(BIO_TYPE_SOCKET, "socket");
    if (!method) return NULL;
    BIO_meth_set_write(method, latchkey_tls_send);
    BIO_meth_set_read(method, BIO_meth_get_read(plain));
    BIO_meth_set_puts(method, BIO_meth_get_puts(plain));
    BIO_meth_set_ctrl(method, BIO_meth_get_ctrl(plain));
    BIO_meth_set_create(method, BIO_meth_get_create(plain));
    BIO_meth_set_destroy(method, BIO_meth_get_destroy(plain));
    return method;
}

/// Has TLS use a socket, which it does not close. Returns 1.
static inline int latchkey_tls_use_socket(SSL *tls, int socket, const BIO_METHOD *method) {
    BIO *bio = BIO_new(method);
    if (!bio) return 0;
    BIO_set_fd(bio, socket, BIO_NOCLOSE);
    SSL_set_bio(tls, bio, bio);
    return 1;
}

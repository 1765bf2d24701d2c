// Functions of libcrypto, which is loaded when the first of them is called.
//
// Loading libcrypto takes 0.6 ms, a twelfth of the time of `nfctool --help`, which does not need it. Each command that
// uses a reader starts two processes.
#include "Clibcrypto.h"

#include <dlfcn.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>

static void *library;

static void load(void) {
    library = dlopen("libcrypto.so.3", RTLD_NOW | RTLD_LOCAL);
    if (library != NULL) { return; }
    // As if libcrypto were linked: the dynamic loader ends such a program with 127.
    fprintf(stderr, "nfctool: %s\n", dlerror());
    exit(127);
}

static void *find(const char *name) {
    static pthread_once_t once = PTHREAD_ONCE_INIT;
    pthread_once(&once, load);
    void *function = dlsym(library, name);
    if (function != NULL) { return function; }
    fprintf(stderr, "nfctool: %s\n", dlerror());
    exit(127);
}

/// Defines a function that calls the function of the same name in libcrypto.
#define LAZY(result, name, parameters, arguments) \
    __attribute__((visibility("hidden"))) result name parameters { \
        static result (*_Atomic loaded) parameters; \
        result (*function) parameters = loaded; \
        if (function == NULL) { loaded = function = (result(*) parameters)find(#name); } \
        return function arguments; \
    }

// Digests
LAZY(unsigned char *, SHA256, (const unsigned char *bytes, size_t count, unsigned char *digest), (bytes, count, digest))
LAZY(const EVP_MD *, EVP_sha256, (void), ())
LAZY(EVP_MD_CTX *, EVP_MD_CTX_new, (void), ())
LAZY(void, EVP_MD_CTX_free, (EVP_MD_CTX *context), (context))
LAZY(int, EVP_MD_CTX_copy_ex, (EVP_MD_CTX *copy, const EVP_MD_CTX *context), (copy, context))
LAZY(int, EVP_DigestInit_ex, (EVP_MD_CTX *context, const EVP_MD *digest, ENGINE *engine), (context, digest, engine))
LAZY(int, EVP_DigestUpdate, (EVP_MD_CTX *context, const void *bytes, size_t count), (context, bytes, count))
LAZY(int, EVP_DigestFinal_ex, (EVP_MD_CTX *context, unsigned char *bytes, unsigned *count), (context, bytes, count))
LAZY(int, PKCS5_PBKDF2_HMAC,
     (const char *password, int length, const unsigned char *salt, int saltLength, int rounds, const EVP_MD *digest,
      int keyLength, unsigned char *key),
     (password, length, salt, saltLength, rounds, digest, keyLength, key))

// Ciphers
LAZY(const EVP_CIPHER *, EVP_aes_128_cbc, (void), ())
LAZY(const EVP_CIPHER *, EVP_aes_128_ecb, (void), ())
LAZY(const EVP_CIPHER *, EVP_des_ede3_cbc, (void), ())
LAZY(const EVP_CIPHER *, EVP_des_ede3_ecb, (void), ())
LAZY(EVP_CIPHER_CTX *, EVP_CIPHER_CTX_new, (void), ())
LAZY(void, EVP_CIPHER_CTX_free, (EVP_CIPHER_CTX *context), (context))
LAZY(int, EVP_CIPHER_CTX_set_padding, (EVP_CIPHER_CTX *context, int padding), (context, padding))
LAZY(int, EVP_CipherInit_ex,
     (EVP_CIPHER_CTX *context, const EVP_CIPHER *cipher, ENGINE *engine, const unsigned char *key,
      const unsigned char *vector, int encrypts),
     (context, cipher, engine, key, vector, encrypts))
LAZY(int, EVP_CipherUpdate,
     (EVP_CIPHER_CTX *context, unsigned char *output, int *outputCount, const unsigned char *input, int count),
     (context, output, outputCount, input, count))

// Signatures
LAZY(BIGNUM *, BN_bin2bn, (const unsigned char *bytes, int count, BIGNUM *number), (bytes, count, number))
LAZY(ECDSA_SIG *, ECDSA_SIG_new, (void), ())
LAZY(void, ECDSA_SIG_free, (ECDSA_SIG *signature), (signature))
LAZY(int, ECDSA_SIG_set0, (ECDSA_SIG *signature, BIGNUM *r, BIGNUM *s), (signature, r, s))
LAZY(int, i2d_ECDSA_SIG, (const ECDSA_SIG *signature, unsigned char **bytes), (signature, bytes))
LAZY(void, CRYPTO_free, (void *memory, const char *file, int line), (memory, file, line))
LAZY(OSSL_PARAM, OSSL_PARAM_construct_utf8_string, (const char *key, char *text, size_t size), (key, text, size))
LAZY(OSSL_PARAM, OSSL_PARAM_construct_octet_string, (const char *key, void *bytes, size_t size), (key, bytes, size))
LAZY(OSSL_PARAM, OSSL_PARAM_construct_end, (void), ())
LAZY(EVP_PKEY_CTX *, EVP_PKEY_CTX_new, (EVP_PKEY *key, ENGINE *engine), (key, engine))
LAZY(EVP_PKEY_CTX *, EVP_PKEY_CTX_new_from_name, (OSSL_LIB_CTX *library, const char *name, const char *properties),
     (library, name, properties))
LAZY(void, EVP_PKEY_CTX_free, (EVP_PKEY_CTX *context), (context))
LAZY(void, EVP_PKEY_free, (EVP_PKEY *key), (key))
LAZY(int, EVP_PKEY_fromdata_init, (EVP_PKEY_CTX *context), (context))
LAZY(int, EVP_PKEY_fromdata, (EVP_PKEY_CTX *context, EVP_PKEY **key, int selection, OSSL_PARAM parameters[]),
     (context, key, selection, parameters))
LAZY(int, EVP_PKEY_verify_init, (EVP_PKEY_CTX *context), (context))
LAZY(int, EVP_PKEY_verify,
     (EVP_PKEY_CTX *context, const unsigned char *signature, size_t length, const unsigned char *bytes, size_t count),
     (context, signature, length, bytes, count))

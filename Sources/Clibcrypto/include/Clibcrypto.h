// OpenSSL 3 libcrypto: SHA-256, 3DES, and ECDSA over secp128r1, which swift-crypto does not have. Clibcrypto.c lists the
// functions that can be called.
#include <openssl/bn.h>
#include <openssl/core_names.h>
#include <openssl/ec.h>
#include <openssl/ecdsa.h>
#include <openssl/evp.h>
#include <openssl/obj_mac.h>
#include <openssl/params.h>
#include <openssl/sha.h>

// This is a macro with casts, which Swift does not import.
static const int nfctool_EVP_PKEY_PUBLIC_KEY = EVP_PKEY_PUBLIC_KEY;

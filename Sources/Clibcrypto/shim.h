// What of libcrypto (OpenSSL 3) TagTypes needs: 3DES of an Ultralight C, ECDSA of NXP's originality signature.
#include <openssl/bn.h>
#include <openssl/core_names.h>
#include <openssl/ec.h>
#include <openssl/ecdsa.h>
#include <openssl/evp.h>
#include <openssl/obj_mac.h>
#include <openssl/params.h>

// A macro of casts, which Swift does not import.
static const int nfctool_EVP_PKEY_PUBLIC_KEY = EVP_PKEY_PUBLIC_KEY;

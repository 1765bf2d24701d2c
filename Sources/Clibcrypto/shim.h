// OpenSSL libcrypto: 3DES, SHA-256, and ECDSA over secp128r1, which swift-crypto does not have
#include <openssl/sha.h>
#include <openssl/evp.h>
#include <openssl/ec.h>
#include <openssl/ecdsa.h>
#include <openssl/bn.h>
#include <openssl/obj_mac.h>

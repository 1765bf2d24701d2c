// What of libcrypto (OpenSSL 3) VirtualPN532 and TagTypes need: block ciphers; ECDSA.
#include <openssl/evp.h>
#include <openssl/ec.h>
#include <openssl/ecdsa.h>
#include <openssl/bn.h>
#include <openssl/obj_mac.h>

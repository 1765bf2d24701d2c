// libnfc's public header, and one function of its PN53x layer: only the LibNFC target may import this module.
#include <nfc/nfc.h>

// Sends a host command, starting with its code, and receives the answer after the response code: libnfc 1.8
// chips/pn53x.h. libnfc.so.6 exports this function, but the header is not installed. The device must be driven by a
// PN53x driver.
int pn53x_transceive(struct nfc_device *device, const uint8_t *command, const size_t commandLength, uint8_t *answer,
                     const size_t answerSize, int milliseconds);

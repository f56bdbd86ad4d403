/* Frames between the dispatcher and a wick.
 *
 *   byte 0     kind
 *   byte 1     flags
 *   byte 2-3   length of the payload, big endian
 *   ...        payload
 *   last byte  checksum: exclusive or of everything before it
 */
#ifndef LANTERN_WICK_H
#define LANTERN_WICK_H

#include <stddef.h>
#include <stdint.h>

#define WICK_FRAME_MAX 4096
#define WICK_HEADER_BYTES 4

enum wick_kind { WICK_MESSAGE = 1, WICK_RECEIPT = 2, WICK_TRIM = 3 };

typedef enum {
    WICK_OK = 0,
    WICK_TOO_LARGE = -1,
    WICK_TRUNCATED = -2,
    WICK_BAD_CHECKSUM = -3
} wick_status;

typedef struct {
    uint8_t kind;
    uint8_t flags;
    uint16_t length;
    const uint8_t *payload;
} wick_frame;

#ifdef __cplusplus
extern "C" {
#endif

/* Writes a frame to out and its size to written. */
wick_status wick_encode_frame(const wick_frame *frame, uint8_t *out, size_t capacity, size_t *written);

/* Reads a frame; the payload points into data and is not copied. */
wick_status wick_decode_frame(const uint8_t *data, size_t size, wick_frame *frame);

#ifdef __cplusplus
}
#endif

#endif

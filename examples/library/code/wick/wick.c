#include "wick.h"

#include <string.h>

static uint8_t xor_checksum(const uint8_t *data, size_t size)
{
    uint8_t sum = 0;
    for (size_t i = 0; i < size; i++)
        sum ^= data[i];
    return sum;
}

wick_status wick_encode_frame(const wick_frame *frame, uint8_t *out, size_t capacity, size_t *written)
{
    size_t total = WICK_HEADER_BYTES + (size_t)frame->length + 1;
    if (total > WICK_FRAME_MAX || total > capacity)
        return WICK_TOO_LARGE;
    out[0] = frame->kind;
    out[1] = frame->flags;
    out[2] = (uint8_t)(frame->length >> 8);
    out[3] = (uint8_t)(frame->length & 0xff);
    memcpy(out + WICK_HEADER_BYTES, frame->payload, frame->length);
    out[total - 1] = xor_checksum(out, total - 1);
    *written = total;
    return WICK_OK;
}

wick_status wick_decode_frame(const uint8_t *data, size_t size, wick_frame *frame)
{
    if (size < WICK_HEADER_BYTES + 1)
        return WICK_TRUNCATED;
    uint16_t length = (uint16_t)(data[2] << 8 | data[3]);
    size_t total = WICK_HEADER_BYTES + (size_t)length + 1;
    if (size < total)
        return WICK_TRUNCATED;
    if (xor_checksum(data, total - 1) != data[total - 1])
        return WICK_BAD_CHECKSUM;
    frame->kind = data[0];
    frame->flags = data[1];
    frame->length = length;
    frame->payload = data + WICK_HEADER_BYTES;
    return WICK_OK;
}

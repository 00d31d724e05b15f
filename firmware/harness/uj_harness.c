/* The serial protocol of firmware/README.md, one frame at a time, without a buffer for frames. */
#include "uj_board.h"
#include "uj_timed.h"

#define HARNESS_VERSION 1
#define FROM_HOST       0x75
#define FROM_DEVICE     0x6A

static const char ready_line[] UJ_FLASH = "ujoule harness 1 ready\n";

static uint8_t sum; /* of the frame that is being received or sent */

static uint8_t get8(void)
{
    uint8_t byte = uj_serial_get();

    sum = (uint8_t)(sum + byte);
    return byte;
}

static uint16_t get16(void)
{
    uint16_t low = get8();

    return (uint16_t)(low | (uint16_t)get8() << 8);
}

static uint32_t get32(void)
{
    uint32_t low = get16();

    return low | (uint32_t)get16() << 16;
}

static void put8(uint8_t byte)
{
    sum = (uint8_t)(sum + byte);
    uj_serial_put(byte);
}

static void put16(uint16_t value)
{
    put8((uint8_t)value);
    put8((uint8_t)(value >> 8));
}

static void put32(uint32_t value)
{
    put16((uint16_t)value);
    put16((uint16_t)(value >> 16));
}

static void begin_answer(uint8_t command, uint16_t bytes)
{
    uj_serial_put(FROM_DEVICE);
    sum = 0;
    put8(command);
    put16(bytes);
}

static void end_answer(void)
{
    uj_serial_put((uint8_t)(0 - sum));
}

static void answer_error(enum uj_error error)
{
    begin_answer('E', 1);
    put8((uint8_t)error);
    end_answer();
}

/* Receives `bytes` of payload into `to`; NULL: they are read past. */
static void get_bytes(unsigned char *to, uint16_t bytes)
{
    for (; bytes > 0; bytes--) {
        uint8_t byte = get8();

        if (to)
            *to++ = byte;
    }
}

/* The payload of a command whose length is right, or what is wrong with it. */
static enum uj_error get_payload(uint8_t command, uint16_t bytes, struct uj_request *r,
                                 uint16_t *offset)
{
    switch (command) {
    case 'I':
    case 'N':
        if (bytes != 0)
            break;
        return UJ_ERROR_NONE;
    case 'M':
        if (bytes < 2)
            break;
        *offset = get16();
        bytes = (uint16_t)(bytes - 2);
        if (*offset > UJ_MESSAGE_BYTES || bytes > UJ_MESSAGE_BYTES - *offset) {
            get_bytes(0, bytes);
            return UJ_ERROR_LENGTH;
        }
        get_bytes(uj_message + *offset, bytes);
        return UJ_ERROR_NONE;
#if UJ_KEY_BYTES > 0
    case 'C':
        if (bytes > UJ_KEY_BYTES) {
            get_bytes(0, bytes);
            return UJ_ERROR_LENGTH;
        }
        uj_key_bytes = bytes;
        get_bytes(uj_key, bytes);
        return UJ_ERROR_NONE;
#endif
    case 'R':
        if (bytes != 13)
            break;
        r->source = get8();
        r->value = get32();
        r->in_bytes = get32();
        r->out_bytes = get16();
        r->piece = get16();
        return UJ_ERROR_NONE;
    default: get_bytes(0, bytes); return UJ_ERROR_COMMAND;
    }
    get_bytes(0, bytes);
    return UJ_ERROR_ARGUMENT;
}

static void serve_frame(void)
{
    struct uj_request request;
    enum uj_error error;
    uint16_t bytes, i, offset = 0;
    uint8_t command;

    while (uj_serial_get() != FROM_HOST)
        ;
    sum = 0;
    command = get8();
    bytes = get16();
    error = get_payload(command, bytes, &request, &offset);
    (void)get8();
    if (sum != 0)
        error = UJ_ERROR_CHECKSUM;
    if (error == UJ_ERROR_NONE && command == 'R')
        error = uj_run(&request);
    if (error != UJ_ERROR_NONE) {
        answer_error(error);
        return;
    }

    switch (command) {
    case 'I':
        begin_answer('I', 8);
        put8(HARNESS_VERSION);
        put8(UJ_KIND_NUMBER);
        put32(UJ_MESSAGE_BYTES);
        put16(UJ_OUTPUT_BYTES);
        break;
    case 'M':
        begin_answer('M', 2);
        put16(offset);
        break;
    case 'R':
        begin_answer('R', (uint16_t)(4 + uj_output_bytes));
        put32(uj_timer_ticks);
        for (i = 0; i < uj_output_bytes; i++)
            put8(uj_output[i]);
        break;
    case 'N':
        uj_timer_ticks = uj_overhead();
        begin_answer('N', 4);
        put32(uj_timer_ticks);
        break;
    default: begin_answer(command, 0); break;
    }
    end_answer();
}

int main(void)
{
    const char *p;
    char c;

    uj_board_init();
    for (p = ready_line; (c = (char)uj_flash_byte(p)) != 0; p++)
        uj_serial_put((uint8_t)c);
    for (;;)
        serve_frame();
}

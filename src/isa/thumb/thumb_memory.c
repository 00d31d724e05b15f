/* Accesses that the loop does not do itself: devices, waits, misalignment, memory that holds code,
 * and nothing at all. */
#include "isa/thumb/thumb.h"

void thumb_fault(struct thumb_core *c, int exception, uint32_t status, const char *reason)
{
    if (c->abort)
        return;
    c->abort = true;
    c->abort_exception = (uint8_t)exception;
    c->abort_status = status;
    c->abort_reason = reason;
}

void thumb_unmapped(void *owner, uint32_t address, unsigned bytes, enum mem_access access)
{
    struct thumb_core *c = owner;
    (void)bytes;
    if (c->abort)
        return;
    c->abort_address = address;
    thumb_fault(c, EXC_BUSFAULT, 1u << 9 | 1u << 15,
                access == MEM_WRITE ? "store where nothing is" : "load where nothing is");
}

void thumb_code_written(void *owner, uint32_t address, unsigned bytes)
{
    thumb_forget(owner, address, bytes);
}

static unsigned misalignment(const struct thumb_core *c, uint32_t address, unsigned bytes,
                             bool store)
{
    if (store && !c->params.misaligned_store)
        return 0;
    int extra = bytes == 2      ? c->params.misaligned_half
                : (address & 1) ? c->params.misaligned_word_byte
                                : c->params.misaligned_word_half;
    return (unsigned)extra;
}

/* May a misaligned access be made? Else c->abort is set. */
static bool allow_misaligned(struct thumb_core *c)
{
    if (c->kind != THUMB_M0PLUS && !(c->ccr & 1u << 3))
        return true;
    thumb_fault(c, EXC_USAGEFAULT, 1u << 24, "unaligned access");
    return false;
}

static void check_privilege(struct thumb_core *c, uint32_t address)
{
    if (address - 0xe0000000 < 0x100000 && !thumb_privileged(c)) {
        c->abort_address = address;
        thumb_fault(c, EXC_BUSFAULT, 1u << 9 | 1u << 15,
                    "unprivileged access to the system control space");
    }
}

/* Waits of the region; on the M0+ an access by the single-cycle port takes one less. */
static void count_waits(struct thumb_core *c, uint32_t address, bool store)
{
    const struct mem_region *region = mem_region_at(c->core.data, address);
    if (!region)
        return;
    c->core.cycle += store ? region->wait_write : mem_load_wait(region, address);
    if (region->single_cycle && c->kind == THUMB_M0PLUS)
        c->core.cycle -= 1;
}

uint32_t thumb_load_slow(struct thumb_core *c, uint32_t address, unsigned bytes)
{
    struct mem_space *s = c->core.data;
    if (address & (bytes - 1)) {
        if (!allow_misaligned(c))
            return 0;
        c->core.cycle += misalignment(c, address, bytes, false);
        uint32_t value = 0;
        for (unsigned i = 0; i < bytes; i++)
            value |= mem_read8(s, address + i) << (8 * i);
        return value;
    }
    check_privilege(c, address);
    if (c->abort)
        return 0;
    uint32_t value = mem_read_slow(s, address, bytes);
    count_waits(c, address, false);
    return value;
}

void thumb_store_slow(struct thumb_core *c, uint32_t address, uint32_t value, unsigned bytes)
{
    struct mem_space *s = c->core.data;
    if (address & (bytes - 1)) {
        if (!allow_misaligned(c))
            return;
        c->core.cycle += misalignment(c, address, bytes, true);
        for (unsigned i = 0; i < bytes; i++)
            mem_write8(s, address + i, value >> (8 * i) & 0xff);
        return;
    }
    check_privilege(c, address);
    if (c->abort)
        return;
    mem_write_slow(s, address, value, bytes);
    count_waits(c, address, true);
}

/* Bit-banding: each word of an alias is a bit of the MiB below. */

static uint32_t band_read(struct thumb_core *c, uint32_t target, uint32_t offset)
{
    uint32_t bit = offset >> 2;
    return mem_read8(c->core.data, target + (bit >> 3)) >> (bit & 7) & 1;
}

static void band_write(struct thumb_core *c, uint32_t target, uint32_t offset, uint32_t value)
{
    uint32_t bit = offset >> 2, at = target + (bit >> 3);
    uint32_t byte = mem_read8(c->core.data, at) & ~(1u << (bit & 7));
    mem_write8(c->core.data, at, byte | (value & 1) << (bit & 7));
}

static uint32_t sram_read(void *device, uint32_t offset, unsigned bytes)
{
    (void)bytes;
    return band_read(device, 0x20000000, offset);
}

static void sram_write(void *device, uint32_t offset, uint32_t value, unsigned bytes)
{
    (void)bytes;
    band_write(device, 0x20000000, offset, value);
}

static uint32_t device_read(void *device, uint32_t offset, unsigned bytes)
{
    (void)bytes;
    return band_read(device, 0x40000000, offset);
}

static void device_write(void *device, uint32_t offset, uint32_t value, unsigned bytes)
{
    (void)bytes;
    band_write(device, 0x40000000, offset, value);
}

void thumb_bit_band(struct thumb_core *c)
{
    static const struct mem_ops sram = {.read = sram_read, .write = sram_write};
    static const struct mem_ops devices = {.read = device_read, .write = device_write};
    c->band_regions[0] = (struct mem_region){
        .name = "bit band, SRAM", .base = 0x22000000, .size = 32u << 20, .ops = &sram, .device = c};
    c->band_regions[1] = (struct mem_region){.name = "bit band, peripherals",
                                             .base = 0x42000000,
                                             .size = 32u << 20,
                                             .ops = &devices,
                                             .device = c};
    mem_add(c->core.data, &c->band_regions[0]);
    mem_add(c->core.data, &c->band_regions[1]);
}

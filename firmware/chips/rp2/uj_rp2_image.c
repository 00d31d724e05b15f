/* What the RP2350's boot ROM looks for: the image definition. Words: RP2350 data sheet, 5.9.5. */
#include "uj_rp2.h"

#if defined(UJ_RP2350)
#if defined(__riscv)
#define IMAGE_TYPE 0x11010142u
#else
#define IMAGE_TYPE 0x10210142u
#endif
__attribute__((section(".image_definition"), used)) const uint32_t uj_image_definition[] = {
    0xFFFFDED3u, IMAGE_TYPE, 0x000001FFu, 0x00000000u, 0xAB123579u,
};
#endif

/* The program that fuzz_image begins with: functions, one of them inlined, data of every kind. */
__attribute__((section(".eeprom"))) unsigned char kept[3] = {1, 2, 3};
static const unsigned char constant[4] = {4, 5, 6, 7};
unsigned char started[2] = {8, 9};
unsigned char cleared[5];

static inline unsigned char twice(unsigned char x)
{
    cleared[1] = x;
    return (unsigned char)(x + x);
}

__attribute__((noinline)) unsigned char look(unsigned char x)
{
    return (unsigned char)(twice(x) + constant[x & 3]);
}

int main(void)
{
    for (;;)
        cleared[0] = (unsigned char)(look(started[0]) + started[1]);
}

// What Python calls in a compiled chip: set and read pins by number, run the clock, keep a state and go back to it.
// CLOCK and PINS come from pins.h, which is written for every design; Vchip is what Verilator made of it.

#include <cstdint>
#include <cstring>

#include "Vchip.h"
#include "pins.h"
#include "verilated.h"
#include "verilated_save.h"

namespace {

// A state in memory. The buffer of these classes holds 256 KB, a hundred times what our chips need.
class Keep final : public VerilatedSerialize {
public:
    uint64_t size() const { return m_cp - m_bufp; }
    const uint8_t* bytes() const { return m_bufp; }
    void forget() { m_cp = m_bufp; }
};

class Recall final : public VerilatedDeserialize {
    void fill() override {}

public:
    Recall(const uint8_t* bytes, uint64_t size) {
        std::memcpy(m_bufp, bytes, size);
        m_endp = m_bufp + bufferSize();
    }
    void again() { m_cp = m_bufp; }
};

struct Pin {
    uint64_t (*get)(const Vchip&);
    void (*set)(Vchip&, uint64_t);
};

#define PIN(name) \
    Pin{[](const Vchip& chip) -> uint64_t { return chip.name; }, [](Vchip& chip, uint64_t value) { chip.name = value; }},
const Pin pins[] = {PINS};
#undef PIN

void cycle(Vchip& chip) {
    chip.CLOCK = 0;
    chip.eval();
    chip.CLOCK = 1;
    chip.eval();
}

}  // namespace

extern "C" {

Vchip* chip_new() { return new Vchip{new VerilatedContext}; }

void chip_set(Vchip* chip, int pin, uint64_t value) { pins[pin].set(*chip, value); }

uint64_t chip_get(Vchip* chip, int pin) { return pins[pin].get(*chip); }

void chip_read(Vchip* chip, const int* which, int count, uint64_t* values) {
    for (int i = 0; i < count; ++i) values[i] = pins[which[i]].get(*chip);
}

void chip_settle(Vchip* chip) { chip->eval(); }

void chip_clock(Vchip* chip, uint64_t cycles) {
    for (; cycles; --cycles) cycle(*chip);
}

// Cycles until one of two pins has this value, at least one; one more than the limit if neither has.
uint64_t chip_run(Vchip* chip, int one, int other, uint64_t value, uint64_t limit) {
    for (uint64_t cycles = 1; cycles <= limit; ++cycles) {
        cycle(*chip);
        if (pins[one].get(*chip) == value || pins[other].get(*chip) == value) return cycles;
    }
    return limit + 1;
}

// The bytes a state takes; they are copied if there is room for them.
uint64_t chip_save(Vchip* chip, uint8_t* bytes, uint64_t room) {
    Keep keep;
    keep << *chip;
    if (keep.size() <= room) std::memcpy(bytes, keep.bytes(), keep.size());
    return keep.size();
}

void chip_restore(Vchip* chip, const uint8_t* bytes, uint64_t size) {
    Recall recall{bytes, size};
    recall >> *chip;
}

// Several tries, all from the state of now, to which the chip goes back. A try is some steps: in each the inputs get a row
// of levels, the chip settles, and the outputs are read. `changed` tells of each whether it left another state behind.
void chip_tries(Vchip* chip, const int* inputs, int ins, const int* outputs, int outs, const uint64_t* levels, int tries,
                int steps, uint64_t* shown, uint8_t* changed) {
    Keep before, after;
    before << *chip;
    Recall recall{before.bytes(), before.size()};
    for (int each = 0; each < tries; ++each) {
        for (int step = 0; step < steps; ++step, levels += ins, shown += outs) {
            for (int i = 0; i < ins; ++i) pins[inputs[i]].set(*chip, levels[i]);
            chip->eval();
            chip_read(chip, outputs, outs, shown);
        }
        after.forget();
        after << *chip;
        changed[each] = std::memcmp(after.bytes(), before.bytes(), before.size()) != 0;
        recall.again();
        recall >> *chip;
    }
}

}  // extern "C"

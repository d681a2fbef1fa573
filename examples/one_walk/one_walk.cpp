// One walk in an empty unit, cycle by cycle: C++ and liblockwalk.
//
//   one_walk [SYSTEM]     a name of the installed systems, or an .ini file [nha]
//
// A page table, of four levels or of the system's five, maps one page. The unit is asked for it twice: the first request
// walks, the second hits in the unified TLB.
#include <lockwalk.h>

#include <algorithm>
#include <array>
#include <cstdint>
#include <cstdio>
#include <deque>
#include <map>
#include <memory>

#ifndef SYSTEMS
#error "SYSTEMS is the folder of the installed systems (pkg-config --variable=systems lockwalk)"
#endif

namespace {

constexpr unsigned Latency = 40;       // cycles of a read
constexpr uint64_t Root = 0x100;       // frames of the tables: Root, Root + 1, ...
constexpr uint64_t Page = 0x7f1234567; // VA[63:12]
constexpr uint64_t Frame = 0x89abc;    // where it is

struct Read {
    uint64_t due, line;
    uint32_t tag;
};

class Machine {
  public:
    explicit Machine(const lw_params &params)
        : unit(lw_iommu_new(&params, nullptr), lw_iommu_free), levels(params.levels) {
        for (unsigned k = levels; k > 0; k--) { // present, writable, for users
            const uint64_t table = Root + levels - k;
            const uint64_t index = Page >> (9 * (k - 1)) & 511;
            memory[table * 64 + index / 8][index % 8] = (k == 1 ? Frame : table + 1) << 12 | 7;
        }
        control(LW_CTL_ROOT + 0, uint64_t{1} << 63 | Root); // PASID 0
        control(LW_CTL_FEATURES, 6);                        // coalescing at every level, the PWC on
    }

    // Asks for a page and returns the cycles to its answer.
    uint64_t ask(uint64_t page) {
        const uint64_t from = cycle;
        in.req_valid = true;
        in.req_page = page;
        in.rsp_ready = true;
        while (true) {
            step();
            if (out.rsp_valid) {
                std::printf("  cycle %3llu  answer: kind %u, frame 0x%llx\n", since(from),
                            out.rsp_kind, static_cast<unsigned long long>(out.rsp_pfn));
                return cycle - 1 - from;
            }
            if (out.mem_req_valid) {
                std::printf("  cycle %3llu  reads line 0x%llx\n", since(from),
                            static_cast<unsigned long long>(out.mem_req_line));
            }
        }
    }

  private:
    unsigned long long since(uint64_t from) const {
        return cycle - 1 - from;
    }

    void control(uint32_t address, uint64_t data) {
        in.ctl_write = true;
        in.ctl_addr = address;
        in.ctl_wdata = data;
        step();
        in.ctl_write = false;
    }

    // One cycle: the unit's outputs, what memory answers, the inputs.
    void step() {
        lw_iommu_outputs(unit.get(), &out);
        in.mem_rsp_valid = !reads.empty() && reads.front().due <= cycle;
        if (in.mem_rsp_valid) {
            in.mem_rsp_tag = reads.front().tag;
            const auto &line = memory[reads.front().line];
            std::copy(line.begin(), line.end(), in.mem_rsp_data);
            reads.pop_front();
        }
        in.mem_req_ready = true;
        if (out.mem_req_valid) {
            reads.push_back({cycle + Latency, out.mem_req_line, out.mem_req_tag});
        }
        const bool taken = in.req_valid && out.req_ready;
        lw_iommu_step(unit.get(), &in);
        in.req_valid = in.req_valid && !taken;
        cycle++;
    }

    std::unique_ptr<lw_iommu, void (*)(lw_iommu *)> unit;
    unsigned levels;
    std::map<uint64_t, std::array<uint64_t, 8>> memory; // by line, PA[..:6]
    std::deque<Read> reads;
    lw_inputs in{};
    lw_outputs out{};
    uint64_t cycle = 0;
};

} // namespace

int main(int argc, char **argv) {
    lw_system system;
    lw_error err;
    if (!lw_system_load(&system, SYSTEMS, argc > 1 ? argv[1] : "nha", &err) ||
        !lw_params_check(&system.hw, &err)) {
        std::fprintf(stderr, "one_walk: %s\n", err.text);
        return 2;
    }
    Machine machine(system.hw);
    std::printf("%s, memory latency %u\n", system.name, Latency);
    for (const char *what : {"a miss", "a hit"}) {
        std::printf("%s\n", what);
        std::printf("  %llu cycles\n", static_cast<unsigned long long>(machine.ask(Page)));
    }
    return 0;
}

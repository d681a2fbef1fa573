// The Verilated side of the lockstep: owns the model, its clock, its waves, and the DPI call.
//
// This file is compiled once for each set of hardware parameters (Makefile, build/rtl/KEY); LW_TRACED
// says that the model can write waves.
#include "dpi/rtl_api.h"

#include "Vlockstep_tb.h"
#include "Vlockstep_tb__Dpi.h"
#include "verilated.h"
#include "verilated_sym_props.h"
#include "verilated_syms.h"
#ifdef LW_TRACED
#include "verilated_fst_c.h"
#endif

#include <cstring>
#include <fstream>
#include <memory>
#include <new>
#include <string>
#include <sys/stat.h>

#ifdef LW_TRACED
using Waves = VerilatedFstC;
#else
struct Waves {
    void open(const char *) {}
    bool isOpen() const { return false; }
    void dump(uint64_t) {}
    void close() {}
};
#endif

struct lw_rtl {
    VerilatedContext context;
    std::unique_ptr<Vlockstep_tb> model;
    std::unique_ptr<Waves> waves;
    std::string waves_path;
    bool waves_failed = false;
    lw_rtl_cycle_fn *cycle;
    void *ctx;
};

extern "C" void lw_dpi_cycle(
    unsigned long long host, svBit req_ready, svBit rsp_valid, unsigned int rsp_id,
    unsigned int rsp_kind, unsigned int rsp_level, unsigned int rsp_size, unsigned int rsp_perm,
    unsigned long long rsp_pfn, svBit mem_req_valid, unsigned int mem_req_tag,
    unsigned long long mem_req_line, svBit inv_ready, svBit inv_done, unsigned long long ctl_rdata,
    svBit *req_valid, unsigned int *req_id, unsigned int *req_src, unsigned int *req_pasid,
    unsigned int *req_access, unsigned long long *req_page, svBit *rsp_ready, svBit *mem_req_ready,
    svBit *mem_rsp_valid, svBit *mem_rsp_error, unsigned int *mem_rsp_tag,
    svBitVecVal *mem_rsp_data, svBit *inv_valid, unsigned int *inv_type, unsigned int *inv_pasid,
    unsigned long long *inv_first, unsigned long long *inv_last, svBit *ctl_write,
    unsigned int *ctl_addr, unsigned long long *ctl_wdata) {
    auto *rtl = reinterpret_cast<lw_rtl *>(host);
    lw_outputs out{};
    out.req_ready = req_ready;
    out.rsp_valid = rsp_valid;
    out.rsp_id = rsp_id;
    out.rsp_kind = rsp_kind;
    out.rsp_level = rsp_level;
    out.rsp_size = rsp_size;
    out.rsp_perm = rsp_perm;
    out.rsp_pfn = rsp_pfn;
    out.mem_req_valid = mem_req_valid;
    out.mem_req_tag = mem_req_tag;
    out.mem_req_line = mem_req_line;
    out.inv_ready = inv_ready;
    out.inv_done = inv_done;
    out.ctl_rdata = ctl_rdata;
    lw_inputs in{};
    rtl->cycle(rtl->ctx, &out, &in);
    *req_valid = in.req_valid;
    *req_id = in.req_id;
    *req_src = in.req_src;
    *req_pasid = in.req_pasid;
    *req_access = in.req_access;
    *req_page = in.req_page;
    *rsp_ready = in.rsp_ready;
    *mem_req_ready = in.mem_req_ready;
    *mem_rsp_valid = in.mem_rsp_valid;
    *mem_rsp_error = in.mem_rsp_error;
    *mem_rsp_tag = in.mem_rsp_tag;
    std::memcpy(mem_rsp_data, in.mem_rsp_data, sizeof in.mem_rsp_data);
    *inv_valid = in.inv_valid;
    *inv_type = in.inv_type;
    *inv_pasid = in.inv_pasid;
    *inv_first = in.inv_first;
    *inv_last = in.inv_last;
    *ctl_write = in.ctl_write;
    *ctl_addr = in.ctl_addr;
    *ctl_wdata = in.ctl_wdata;
}

namespace {

// The writer of waves throws where a write has failed (dpi/fst). Such a writer is left as it is: its destructor
// would write again.
template <typename Work> void try_waves(lw_rtl *rtl, const Work &work) {
    try {
        work();
    } catch (const std::exception &) {
        rtl->waves_failed = true;
        (void)rtl->waves.release();
    }
}

void edge(lw_rtl *rtl, bool level) {
    rtl->context.timeInc(1);
    rtl->model->clk_i = level;
    rtl->model->eval();
    if (rtl->waves) try_waves(rtl, [rtl] { rtl->waves->dump(rtl->context.time()); });
}

lw_rtl *create(lw_rtl_cycle_fn *cycle, void *ctx, int random_start) {
    auto *rtl = new (std::nothrow) lw_rtl;
    if (!rtl) return nullptr;
    rtl->cycle = cycle;
    rtl->ctx = ctx;
#ifdef LW_TRACED
    rtl->context.traceEverOn(true);
#endif
    rtl->context.fatalOnError(false);
    rtl->context.randReset(random_start > 0 ? 2 : 0);
    if (random_start > 0) rtl->context.randSeed(random_start);
    rtl->model = std::make_unique<Vlockstep_tb>(&rtl->context, "TOP");
    rtl->model->host_i = reinterpret_cast<uint64_t>(rtl);
    return rtl;
}

void reset(lw_rtl *rtl) {
    rtl->model->run_i = 0;
    // A register whose gated clock stands still is reset by the edge alone, and a model starts with all inputs at 0.
    rtl->model->rst_ni = 1;
    rtl->model->eval();
    rtl->model->rst_ni = 0;
    for (int i = 0; i < 2; i++) {
        edge(rtl, true);
        edge(rtl, false);
    }
    edge(rtl, true);
    rtl->model->rst_ni = 1;
    rtl->model->run_i = 1;
    rtl->model->eval();
}

void step(lw_rtl *rtl) {
    edge(rtl, false);
    edge(rtl, true);
}

// Bits of an element: all packed dimensions where this Verilator keeps them, else the only one.
template <typename Var> auto element_bits(const Var *var, int) -> decltype(var->entBits()) {
    return var->entBits();
}
template <typename Var> uint32_t element_bits(const Var *var, long) {
    return static_cast<uint32_t>(var->packed().elements());
}

bool find(lw_rtl *rtl, const char *instance, const char *name, lw_rtl_register *reg) {
    const std::string scope = std::string("TOP.lockstep_tb.u_iommu.") + instance;
    const VerilatedScope *found = rtl->context.scopeFind(scope.c_str());
    const VerilatedVar *var = found ? found->varFind(name) : nullptr;
    if (!var) return false;
    reg->data = static_cast<uint8_t *>(var->datap());
    reg->entries = var->udims() > 0 ? static_cast<uint32_t>(var->elements(1)) : 1;
    reg->stride = static_cast<uint32_t>(var->entSize());
    reg->bits = element_bits(var, 0);
    reg->bytes = reg->entries * reg->stride;
    return true;
}

void each_register(lw_rtl *rtl, lw_rtl_register_fn *found, void *ctx) {
    static const std::string unit = "TOP.lockstep_tb.u_iommu.";
    for (const auto &scope : *rtl->context.scopeNameMap()) {
        const std::string path = scope.first;
        if (path.compare(0, unit.size(), unit) != 0 || path.find("_checker") != std::string::npos ||
            !scope.second->varsp()) {
            continue;
        }
        for (const auto &var : *scope.second->varsp()) {
            const std::string name = var.first;
            if (name.size() > 2 && name.compare(name.size() - 2, 2, "_q") == 0) {
                found(ctx, path.c_str() + unit.size(), name.c_str());
            }
        }
    }
}

bool wave_open(lw_rtl *rtl, const char *path) {
    if (!std::ofstream(path, std::ios::binary)) return false;  // the writer calls every file open
    rtl->waves = std::make_unique<Waves>();
    rtl->waves_path = path;
#ifdef LW_TRACED
    rtl->model->trace(rtl->waves.get(), 99);
#endif
    rtl->waves->open(path);
    if (rtl->waves->isOpen()) return true;
    rtl->waves.reset();
    return false;
}

bool waves_are_good(const lw_rtl *rtl) {
    return !rtl->waves_failed;
}

// An FST file is blocks: a byte of kind, eight of the length of the rest, most significant first. The first is
// the header, and the last ends with the file.
bool is_whole_fst(const std::string &path) {
    std::ifstream file(path, std::ios::binary | std::ios::ate);
    const auto size = static_cast<int64_t>(file.tellg());
    int64_t at = 0;
    while (file && at < size) {
        unsigned char head[9];
        file.seekg(at);
        file.read(reinterpret_cast<char *>(head), sizeof head);
        int64_t length = 0;
        for (int i = 1; i < 9; i++) length = static_cast<int64_t>(static_cast<uint64_t>(length) << 8 | head[i]);
        if ((at == 0 && head[0] != 0) || length < 8 || length > size - at - 1) return false;
        at += 1 + length;
    }
    return static_cast<bool>(file) && at == size && size > 0;
}

bool wave_close(lw_rtl *rtl) {
    if (rtl->waves) {
        try_waves(rtl, [rtl] { rtl->waves->close(); });
        rtl->waves.reset();
        rtl->waves_failed = rtl->waves_failed || !is_whole_fst(rtl->waves_path);
    }
    return !rtl->waves_failed;
}

void destroy(lw_rtl *rtl) {
    if (!rtl) return;
    (void)wave_close(rtl);
    rtl->model->final();
    delete rtl;
}

bool failed(lw_rtl *rtl, const char **text) {
    *text = "an assertion of tb/ failed (its text is in the standard output)";
    return rtl->context.gotError() || rtl->context.gotFinish();
}

const char *version() {
#ifdef __clang__
    static const std::string both = std::string(Verilated::productVersion()) + ", compiled by " __VERSION__;
#else
    static const std::string both = std::string(Verilated::productVersion()) + ", compiled by gcc " __VERSION__;
#endif
    return both.c_str();
}

} // namespace

extern "C" const lw_rtl_functions *lw_rtl_library(void) {
    static const lw_rtl_functions functions = {create,        destroy,   reset,      step,   find,
                                               each_register, wave_open, waves_are_good, wave_close, failed, version};
    return &functions;
}

// The Verilated side of the module lockstep, the same for each module (mk/rtl.mk, build/modules/ROW).
#include "tests/modules/module_rtl.h"

#include "Vmodule.h"
#include "verilated.h"
#include "verilated_sym_props.h"
#include "verilated_syms.h"

#include <cstring>
#include <new>
#include <string>
#include <vector>

namespace {

struct field {
    const char *name, *of;
    uint32_t lsb, width, count, stride;
};

/* What layout.py has found. */
const field fields[] = {
#include "layout.h"
};

} // namespace

struct lw_module_rtl {
    VerilatedContext context;
    Vmodule model{&context, ""};
    uint8_t *clock = nullptr;
    uint8_t *reset = nullptr;
    std::vector<lw_module_port> ports;
};

namespace {

lw_rtl_register place_of(const VerilatedVar &var) {
    lw_rtl_register at{};
    at.data = static_cast<uint8_t *>(var.datap());
    at.entries = var.udims() > 0 ? static_cast<uint32_t>(var.elements(1)) : 1;
    at.stride = var.entSize();
    at.bits = var.entBits();
    at.bytes = at.entries * at.stride;
    return at;
}

void settle(lw_module_rtl *rtl) {
    rtl->context.timeInc(1);
    if (rtl->clock) *rtl->clock = 0;
    rtl->model.eval();
}

void edge(lw_module_rtl *rtl) {
    if (!rtl->clock) return;
    rtl->context.timeInc(1);
    *rtl->clock = 1;
    rtl->model.eval();
}

void add_ports(lw_module_rtl *rtl, const VerilatedScope *top) {
    for (const field &f : fields) {
        const VerilatedVar *var = top->varFind(f.of);
        if (std::strcmp(f.of, "clk_i") == 0 && var) {
            rtl->clock = place_of(*var).data;
        } else if (std::strcmp(f.of, "rst_ni") == 0 && var) {
            rtl->reset = place_of(*var).data;
        } else if (var) {
            rtl->ports.push_back({f.name, f.of, f.lsb, f.width, f.count, f.stride,
                                  var->vldir() == VLVD_IN, place_of(*var)});
        }
    }
}

bool failed(const lw_module_rtl *rtl) {
    return rtl->context.gotError() || rtl->context.gotFinish();
}

void reset(lw_module_rtl *rtl) {
    if (rtl->reset) *rtl->reset = 0;
    for (int i = 0; i < 2; i++) {
        settle(rtl);
        edge(rtl);
    }
    if (rtl->reset) *rtl->reset = 1;
    settle(rtl);
}

lw_module_rtl *create() {
    auto *rtl = new (std::nothrow) lw_module_rtl;
    if (!rtl) return nullptr;
    rtl->context.fatalOnError(false);
    const VerilatedScope *top = rtl->context.scopeFind("TOP");
    if (!top || !top->varsp()) {
        delete rtl;
        return nullptr;
    }
    add_ports(rtl, top);
    reset(rtl);
    return rtl;
}

void destroy(lw_module_rtl *rtl) {
    if (!rtl) return;
    rtl->model.final();
    delete rtl;
}

bool port(lw_module_rtl *rtl, uint32_t n, lw_module_port *port) {
    if (n >= rtl->ports.size()) return false;
    *port = rtl->ports[n];
    return true;
}

bool find(lw_module_rtl *rtl, const char *top, const char *instance, const char *name,
          lw_rtl_register *at) {
    std::string scope = top;
    if (*instance) scope += std::string(".") + instance;
    const VerilatedScope *found = rtl->context.scopeFind(scope.c_str());
    const VerilatedVar *var = found ? found->varFind(name) : nullptr;
    if (!var) return false;
    *at = place_of(*var);
    return true;
}

} // namespace

extern "C" const lw_module_rtl_functions *lw_module_rtl_library(void) {
    static const lw_module_rtl_functions functions = {create, destroy, reset, settle,
                                                     edge,   port,    find,  failed};
    return &functions;
}

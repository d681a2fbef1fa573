#include "app/reports/wave_view.h"

#include "app/host/output.h"
#include "dpi/lockstep_waves.h"
#include "dpi/port_table.h"

#include <inttypes.h>

static const char *const sides[] = {"rtl", "twin"};

static void write_registers(FILE *file, const lw_params *params, const lw_mismatch *m) {
    char name[256];
    for (size_t i = 0; i < m->differences && i < LW_DIFFERENCES_MAX; i++) {
        for (size_t side = 0; side < 2; side++) {
            lw_lockstep_waves_name(params, m->list[i].field, m->list[i].index, sides[side], name,
                                   sizeof name);
            (void)fprintf(file, "%s\n", name);
        }
    }
}

static void write_ports(FILE *file, const lw_params *params, const lw_mismatch *m) {
    const lw_port *port = NULL;
    for (size_t i = 0; m->ports && (port = lw_port_at(i)) != NULL; i++) {
        if (port->is_input ||
            lw_port_value(port, &m->rtl_out) == lw_port_value(port, &m->twin_out)) {
            continue;
        }
        const uint32_t bits = lw_port_bits(port, params);
        for (size_t side = 0; side < 2; side++) {
            (void)fprintf(file, "lockstep.ports.%s_%s", port->name, sides[side]);
            (void)fprintf(file, bits > 1 ? "[%" PRIu32 ":0]\n" : "\n", bits - 1);
        }
    }
}

bool lw_view_write(const char *path, const char *waves, const lw_params *params,
                   const lw_mismatch *mismatch, lw_error *err) {
    enum { BEFORE = 40, HEXADECIMAL = 0x22, DECIMAL = 0x24, BIT = 0x28 };
    FILE *file = lw_output_open("waves", path, "w", err);
    if (file == NULL) {
        return false;
    }
    const uint64_t from = mismatch->cycle > BEFORE ? mismatch->cycle - BEFORE : 0;
    (void)fprintf(file, "[dumpfile] \"%s\"\n[timestart] %" PRIu64 "\n*0.000000 %" PRIu64 "\n",
                  waves, from, mismatch->cycle);
    (void)fprintf(file, "@%x\nlockstep.cycle[63:0]\n@%x\nlockstep.differs\n@%x\n", DECIMAL, BIT,
                  HEXADECIMAL);
    write_registers(file, params, mismatch);
    write_ports(file, params, mismatch);
    return lw_output_close(file, "waves", path, err);
}

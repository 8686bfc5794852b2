/* SPDX-License-Identifier: GPL-2.0 */
/* ops_writeback.h - the operations on files, devices and dirty limits, and what begins and ends with a run of them. */
#ifndef MMFUZZ_OPS_WRITEBACK_H
#define MMFUZZ_OPS_WRITEBACK_H

#include "fuzz/ops.h"
#include "fuzz/wb_model.h"

void ops_writeback_begin(void);
/* Devices recover, tasks end, and what is at rest is judged. */
void ops_writeback_end(void);
unsigned long ops_writeback_hash(unsigned long hash, unsigned long (*mix)(unsigned long hash, unsigned long value));

void op_dirty_pages(const struct op *op);
void op_redirty_pages(const struct op *op);
void op_clean_pages(const struct op *op);
void op_start_writeback(const struct op *op);
void op_end_writeback(const struct op *op);
void op_writepages(const struct op *op);
void op_vm_sysctl(const struct op *op);
void op_device(const struct op *op);
void op_bdi(const struct op *op);
void op_unstable(const struct op *op);
void op_kill(const struct op *op);
void op_exit(const struct op *op);
void op_throttle_vm_writeout(const struct op *op);
void op_flush(const struct op *op);
void op_idle(const struct op *op);

#endif

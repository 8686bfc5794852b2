// SPDX-License-Identifier: GPL-2.0
/*
 * host_fiber.c - fibers: stacks that a task can sleep on.
 *
 * Stacks are mapped once, at the first fiber, each above a page that cannot be touched, so an overflow is a fault where
 * it happens. On x86-64 a switch pops six registers and jumps, a few nanoseconds; elsewhere it is swapcontext(). The
 * address sanitizer is told of each switch. Fibers that are forgotten leave poison on their stacks, which is taken
 * away when the stack is used again.
 */
#include <errno.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>
#include <sys/mman.h>
#include <ucontext.h>

#include "host.h"
#include "host_fiber.h"

#define STACK_BYTES (256UL << 10)
#define GUARD_BYTES 4096UL

#if defined(__SANITIZE_ADDRESS__)
#define WITH_ASAN 1
#elif defined(__has_feature)
#if __has_feature(address_sanitizer)
#define WITH_ASAN 1
#endif
#endif

#ifdef WITH_ASAN
#include <sanitizer/asan_interface.h>
#include <sanitizer/common_interface_defs.h>
#define before_switch(keep, bottom, bytes) __sanitizer_start_switch_fiber(keep, bottom, bytes)
#define after_switch(kept, bottom, bytes) __sanitizer_finish_switch_fiber(kept, bottom, bytes)
#define clean_stack(bottom) __asan_unpoison_memory_region(bottom, STACK_BYTES)
#else
#define before_switch(keep, bottom, bytes) ((void)(keep), (void)(bottom), (void)(bytes))
#define after_switch(kept, bottom, bytes) ((void)(kept), (void)(bottom), (void)(bytes))
#define clean_stack(bottom) ((void)(bottom))
#endif

struct context {
#ifdef __x86_64__
	void *stack_pointer;
#else
	ucontext_t registers;
#endif
};

struct fiber {
	struct context context;
	void (*body)(void *argument);
	void *argument;
	void *fake_stack;
	int alive;
};

static struct fiber fibers[HOST_FIBERS_MAX];
static struct context thread_context;
static const void *thread_bottom;            /* the thread's own stack, as the sanitizer knows it */
static size_t thread_bytes;
static char *stacks;
static int current = -1;
static int throwing;

static char *stack_of(unsigned int number)
{
	return stacks + number * (STACK_BYTES + GUARD_BYTES) + GUARD_BYTES;
}

static void map_stacks(void)
{
	unsigned long bytes = HOST_FIBERS_MAX * (STACK_BYTES + GUARD_BYTES);
	unsigned int i;

	stacks = mmap(NULL, bytes, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
	if (stacks == MAP_FAILED)
		host_panic("cannot map the stacks of fibers: %s", strerror(errno));
	for (i = 0; i < HOST_FIBERS_MAX; i++)
		mprotect(stack_of(i) - GUARD_BYTES, GUARD_BYTES, PROT_NONE);
}

static void run_fiber(void) __attribute__((noreturn));

#ifdef __x86_64__
/* Keep what a function must keep on this stack, take up another one, and go on there. */
void host_fiber_swap(void **keep, void *go_on);
__asm__(".pushsection .text\n"
	".globl host_fiber_swap\n"
	".type host_fiber_swap, @function\n"
	"host_fiber_swap:\n"
	"	pushq %rbp\n"
	"	pushq %rbx\n"
	"	pushq %r12\n"
	"	pushq %r13\n"
	"	pushq %r14\n"
	"	pushq %r15\n"
	"	movq %rsp, (%rdi)\n"
	"	movq %rsi, %rsp\n"
	"	popq %r15\n"
	"	popq %r14\n"
	"	popq %r13\n"
	"	popq %r12\n"
	"	popq %rbx\n"
	"	popq %rbp\n"
	"	popq %rcx\n"
	"	jmpq *%rcx\n"
	".size host_fiber_swap, .-host_fiber_swap\n"
	".popsection\n");

static void swap_context(struct context *keep, struct context *go_on)
{
	host_fiber_swap(&keep->stack_pointer, go_on->stack_pointer);
}

/* Six registers, the function, and the return address that it never uses. */
static void prepare_context(struct context *context, char *stack)
{
	void **top = (void **)(stack + STACK_BYTES);

	memset(top - 8, 0, 8 * sizeof(*top));
	top[-2] = (void *)(uintptr_t)run_fiber;
	context->stack_pointer = top - 8;
}
#else
static void swap_context(struct context *keep, struct context *go_on)
{
	swapcontext(&keep->registers, &go_on->registers);
}

static void prepare_context(struct context *context, char *stack)
{
	getcontext(&context->registers);
	context->registers.uc_stack.ss_sp = stack;
	context->registers.uc_stack.ss_size = STACK_BYTES;
	context->registers.uc_link = NULL;
	makecontext(&context->registers, run_fiber, 0);
}
#endif

/* From the fiber that runs back to the thread's own stack. */
static void switch_back(void)
{
	struct fiber *fiber = &fibers[current];

	current = -1;
	before_switch(fiber->alive ? &fiber->fake_stack : NULL, thread_bottom, thread_bytes);
	swap_context(&fiber->context, &thread_context);
	after_switch(fiber->fake_stack, &thread_bottom, &thread_bytes);
}

static void run_fiber(void)
{
	struct fiber *fiber = &fibers[current];

	after_switch(NULL, &thread_bottom, &thread_bytes);
	fiber->body(fiber->argument);
	fiber->alive = 0;
	switch_back();
	__builtin_unreachable();
}

static int switch_to(unsigned int number)
{
	struct fiber *fiber = &fibers[number];
	void *fake_stack = NULL;

	if (current >= 0)
		host_panic("fiber %u resumed from fiber %d", number, current);
	current = (int)number;
	before_switch(&fake_stack, stack_of(number), STACK_BYTES);
	swap_context(&thread_context, &fiber->context);
	after_switch(fake_stack, NULL, NULL);
	if (throwing) {
		throwing = 0;
		host_throw();
	}
	return fiber->alive;
}

int host_fiber_start(unsigned int number, void (*body)(void *argument), void *argument)
{
	struct fiber *fiber = &fibers[number];

	if (!stacks)
		map_stacks();
	if (fiber->alive)
		host_panic("fiber %u started twice", number);
	clean_stack(stack_of(number));
	*fiber = (struct fiber){ .body = body, .argument = argument, .alive = 1 };
	prepare_context(&fiber->context, stack_of(number));
	return switch_to(number);
}

int host_fiber_resume(unsigned int number)
{
	return switch_to(number);
}

void host_fiber_park(void)
{
	switch_back();
}

int host_fiber_current(void)
{
	return current;
}

void host_fibers_forget(void)
{
	unsigned int i;

	for (i = 0; i < HOST_FIBERS_MAX; i++)
		fibers[i].alive = 0;
}

/* The fiber is not resumed any more; whoever catches forgets it. */
void host_fiber_leave_to_throw(void)
{
	if (current < 0)
		return;
	throwing = 1;
	fibers[current].alive = 0;
	switch_back();
}

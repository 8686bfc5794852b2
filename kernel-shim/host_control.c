// SPDX-License-Identifier: GPL-2.0
/*
 * host_control.c - leaving a simulated kernel in the middle: catch and throw over setjmp, and the last word of a
 * process that cannot go on. The signal mask is not saved, so neither direction costs a system call.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <unistd.h>

#include "host.h"
#include "host_fiber.h"

#define EXIT_HARNESS 4

struct catch_frame {
	sigjmp_buf environment;
	struct catch_frame *outer;
};

static _Thread_local struct catch_frame *innermost;

int host_catch(void (*body)(void *argument), void *argument)
{
	struct catch_frame frame;

	frame.outer = innermost;
	innermost = &frame;
	if (sigsetjmp(frame.environment, 0)) {
		/* host_throw() has taken this frame off already. */
		return 1;
	}
	body(argument);
	innermost = frame.outer;
	return 0;
}

int host_catching(void)
{
	return innermost != NULL;
}

void host_throw(void)
{
	struct catch_frame *frame;

	host_fiber_leave_to_throw();
	frame = innermost;
	if (!frame)
		host_panic("thrown, but nobody catches");
	innermost = frame->outer;
	siglongjmp(frame->environment, 1);
}

void host_panic(const char *format, ...)
{
	va_list arguments;

	fflush(stdout);
	fputs("mmfuzz: ", stderr);
	va_start(arguments, format);
	vfprintf(stderr, format, arguments);
	va_end(arguments);
	fputc('\n', stderr);
	fflush(stderr);
	_exit(EXIT_HARNESS);
}

int host_format(char *buffer, unsigned long size, const char *format, va_list arguments)
{
	return vsnprintf(buffer, size, format, arguments);
}

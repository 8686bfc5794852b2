/* SPDX-License-Identifier: GPL-2.0 */
/* libc includes this header too: a hosted build gets libc's, which agrees in every value below. */
#if __STDC_HOSTED__
#include_next <linux/errno.h>
#elif !defined(_LINUX_ERRNO_H)
#define _LINUX_ERRNO_H

/* Modelled */
#define EINTR 4
#define EIO 5
#define EAGAIN 11
#define ENOMEM 12
#define EBUSY 16
#define EINVAL 22
#define ENOSPC 28
#define ERANGE 34

#endif

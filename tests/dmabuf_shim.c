/* Frame buffers for libcamera and picamera2 on a kernel that offers none: for the tests of the virtual camera only.
 *
 * Both ask /dev/udmabuf or a DMA heap for memory that devices can share. The virtual camera has no device, so plain
 * anonymous memory does. Loaded with LD_PRELOAD; where the real nodes exist this changes nothing.
 *
 *     gcc -O2 -Wall -fPIC -shared -o dmabuf_shim.so dmabuf_shim.c
 */
#define _GNU_SOURCE
#include <dlfcn.h>
#include <errno.h>
#include <fcntl.h>
#include <linux/dma-buf.h>
#include <linux/dma-heap.h>
#include <linux/udmabuf.h>
#include <stdarg.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/mman.h>
#include <unistd.h>

static int stands_in_for(const char *path)
{
	return path && (!strcmp(path, "/dev/udmabuf") || !strcmp(path, "/dev/dma_heap/linux,cma"));
}

/* A node that is missing opens as a memory file, which knows none of the requests below. */
#define OPEN_AS(NAME)                                                           \
	int NAME(const char *path, int flags, ...)                              \
	{                                                                       \
		static int (*real)(const char *, int, ...);                     \
		mode_t mode = 0;                                                \
		int fd;                                                         \
		if (!real)                                                      \
			real = dlsym(RTLD_NEXT, #NAME);                         \
		if (flags & (O_CREAT | __O_TMPFILE)) {                          \
			va_list rest;                                           \
			va_start(rest, flags);                                  \
			mode = va_arg(rest, mode_t);                            \
			va_end(rest);                                           \
		}                                                               \
		fd = real(path, flags, mode);                                   \
		if (fd < 0 && errno == ENOENT && stands_in_for(path))           \
			fd = memfd_create("stands-in-for-a-heap", MFD_CLOEXEC); \
		return fd;                                                      \
	}
OPEN_AS(open)
OPEN_AS(open64)

static int allocated(struct dma_heap_allocation_data *wanted)
{
	int fd = memfd_create("stands-in-for-a-buffer", MFD_CLOEXEC);

	if (fd < 0)
		return -1;
	if (ftruncate(fd, wanted->len) < 0) {
		close(fd);
		return -1;
	}
	wanted->fd = fd;
	return 0;
}

int ioctl(int fd, unsigned long request, ...)
{
	static int (*real)(int, unsigned long, ...);
	va_list rest;
	void *argument;
	int answer;

	if (!real)
		real = dlsym(RTLD_NEXT, "ioctl");
	va_start(rest, request);
	argument = va_arg(rest, void *);
	va_end(rest);
	answer = real(fd, request, argument);
	if (answer >= 0 || errno != ENOTTY)
		return answer;
	/* Only what is no device at all comes here. */
	switch ((unsigned int)request) {
	case (unsigned int)UDMABUF_CREATE:
		return fcntl(((struct udmabuf_create *)argument)->memfd, F_DUPFD_CLOEXEC, 0);
	case (unsigned int)DMA_HEAP_IOCTL_ALLOC:
		return allocated(argument);
	case (unsigned int)DMA_BUF_IOCTL_SYNC:
	case (unsigned int)DMA_BUF_SET_NAME_A:
	case (unsigned int)DMA_BUF_SET_NAME_B:
		return 0;
	}
	errno = ENOTTY;
	return -1;
}

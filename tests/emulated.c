/* emulated.c -- LD_PRELOAD library for an AArch64 program under qemu-user. When that program starts
 * another AArch64 program, the library starts qemu-user for it. Without the library, qemu would
 * leave the start to the kernel, which cannot run AArch64 programs. */
#define _GNU_SOURCE
#include <dlfcn.h>
#include <elf.h>
#include <errno.h>
#include <fcntl.h>
#include <spawn.h>
#include <string.h>
#include <sys/syscall.h>
#include <unistd.h>

enum { MOST = 1024 };

struct started {
	const char *path;
	char *argv[MOST + 4], *env[MOST + 1];
};

static int is_emulated(const char *path)
{
	int fd = open(path, O_RDONLY | O_CLOEXEC);
	Elf64_Ehdr head;
	ssize_t n = fd < 0 ? 0 : read(fd, &head, sizeof head);

	if (fd >= 0)
		close(fd);
	return n == sizeof head && memcmp(head.e_ident, ELFMAG, SELFMAG) == 0 &&
	       head.e_machine == EM_AARCH64;
}

/* Fills `s` with the program, arguments and environment to start. For an AArch64 program they start
 * qemu with it. LD_PRELOAD is left out, because qemu is a program of the host and cannot load this
 * library. Uses only functions that may be called between fork and exec. */
static void translate(struct started *s, const char *path, char *const argv[], char *const env[])
{
	static char emulator[] = EMULATOR, option[] = "-L", libraries[] = LIBRARIES;
	size_t n = 0, variables = 0;

	s->path = path;
	if (is_emulated(path)) {
		s->path = emulator;
		s->argv[n++] = emulator;
		s->argv[n++] = option;
		s->argv[n++] = libraries;
		s->argv[n++] = (char *)path;
		argv += argv[0] != NULL;
	}
	for (size_t i = 0; argv[i] && i < MOST - 4; i++)
		s->argv[n++] = argv[i];
	s->argv[n] = NULL;
	for (size_t i = 0; env && env[i] && variables < MOST; i++)
		if (strncmp(env[i], "LD_PRELOAD=", 11) != 0)
			s->env[variables++] = env[i];
	s->env[variables] = NULL;
}

int execve(const char *path, char *const argv[], char *const env[])
{
	struct started s;

	translate(&s, path, argv, env);
	return (int)syscall(SYS_execve, s.path, s.argv, s.env);
}

int posix_spawn(pid_t *pid, const char *path, const posix_spawn_file_actions_t *files,
                const posix_spawnattr_t *attr, char *const argv[], char *const env[])
{
	int (*next)(pid_t *, const char *, const posix_spawn_file_actions_t *,
	            const posix_spawnattr_t *, char *const[], char *const[]);
	void *symbol = dlsym(RTLD_NEXT, "posix_spawn");
	struct started s;

	/* Checked here, because the caller would not get the errno of a failed exec: under qemu the
	 * child has memory of its own. */
	if (access(path, X_OK) != 0)
		return errno;
	memcpy(&next, &symbol, sizeof next);
	translate(&s, path, argv, env);
	return next(pid, s.path, files, attr, s.argv, s.env);
}

/* once.c -- runs one command and prints what it cost.
 *
 *   once COMMAND...    standard input and output of the command are /dev/null;
 *                      prints "STATUS CPU-SECONDS WALL-SECONDS PEAK-RSS-KIB".
 *
 * CPU time is user and system, of the command and of the children it waited for. The measured
 * command must be the child of a small process, such as this one, not of Python: the peak memory of
 * a forked child starts with the size of its parent. */
#define _GNU_SOURCE
#include <fcntl.h>
#include <stdio.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

static double now(void)
{
	struct timespec t;

	clock_gettime(CLOCK_MONOTONIC, &t);
	return (double)t.tv_sec + (double)t.tv_nsec * 1e-9;
}

static double seconds(struct timeval t)
{
	return (double)t.tv_sec + (double)t.tv_usec * 1e-6;
}

int main(int argc, char **argv)
{
	double start = now();
	pid_t child = argc > 1 ? fork() : -1;
	struct rusage used;
	int status;

	if (child < 0)
		return 2;
	if (child == 0) {
		int null = open("/dev/null", O_RDWR);

		if (null < 0 || dup2(null, 0) < 0 || dup2(null, 1) < 0)
			_exit(127);
		execvp(argv[1], argv + 1);
		_exit(127);
	}
	if (wait4(child, &status, 0, &used) != child)
		return 2;
	printf("%d %.6f %.6f %ld\n", status, seconds(used.ru_utime) + seconds(used.ru_stime),
	       now() - start, used.ru_maxrss);
	return 0;
}

// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/* bcoslog recover: makes a log of what a machine that has ended left in its memory. */
#include <fcntl.h>
#include <glob.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

#include "command.h"
#include "former.h"
#include "image/gather.h"
#include "complain/complain.h"
#include "options/options.h"
#include "output/output.h"
#include "options/session.h"

/* Where kdump's tools keep dumps. */
static const char *const dumps[] = {
	"/var/crash/*/vmcore", "/var/crash/*/dump.*", "/var/crash/vmcore*", "/var/crash/*/vmcore.*",
};

struct recovering {
	const char *image;
	const char *output;
};

static int take_output(struct arguments *arguments, const char *text)
{
	((struct recovering *)arguments->context)->output = text;
	if (*text)
		return 0;
	complain("the name of the log is empty");
	return -1;
}

static int take_image(struct arguments *arguments, const char *text)
{
	struct recovering *recovering = arguments->context;

	if (text[0] == '-' && text[1])
		return 0;
	if (recovering->image) {
		complain("one image is recovered at a time, not %s and %s", recovering->image, text);
		return -1;
	}
	recovering->image = text;
	return 1;
}

/* ---- the image ------------------------------------------------------------------------- */

/* Take the newest of the files that match, if it is newer than *@time. */
static void look_for(const char *pattern, char *path, size_t size, time_t *time)
{
	struct stat stat_path;
	glob_t found;
	size_t i;

	if (glob(pattern, 0, NULL, &found))
		return;
	for (i = 0; i < found.gl_pathc; i++) {
		if (stat(found.gl_pathv[i], &stat_path) || !S_ISREG(stat_path.st_mode) || stat_path.st_mtime <= *time ||
		    strlen(found.gl_pathv[i]) >= size)
			continue;
		*time = stat_path.st_mtime;
		strcpy(path, found.gl_pathv[i]);
	}
	globfree(&found);
}

/* Find the newest image of this machine: that of the former boot is newer than any dump.  Return: is there one? */
static bool find_image(char *path, size_t size)
{
	time_t time = 0;
	size_t i;

	if (!access(former_path(), F_OK)) {
		host_format(path, size, "%s", former_path());
		return true;
	}
	for (i = 0; i < sizeof(dumps) / sizeof(dumps[0]); i++)
		look_for(dumps[i], path, size, &time);
	return time;
}

/* ---- what came of it ------------------------------------------------------------------- */

static void say_recovered(const char *name, const struct recovered *recovered, const struct gathered *gathered)
{
	complain("%s: %s%s%s", name, recovered->reason, recovered->kernel[0] ? "; kernel " : "", recovered->kernel);
	complain("%s: %llu entries of its log, and %llu of the records that were not merged yet", name,
		 (unsigned long long)recovered->entries, (unsigned long long)recovered->merged);
	if (recovered->end > recovered->newest)
		complain("%s: the newest entry is %llu.%03llu ms before the end", name,
			 (unsigned long long)((recovered->end - recovered->newest) / 1000000),
			 (unsigned long long)((recovered->end - recovered->newest) / 1000 % 1000));
	if (recovered->damaged)
		complain("%s: %llu bytes of its log are damaged, and left out", name,
			 (unsigned long long)recovered->damaged);
	if (recovered->unread)
		complain("%s: records that were not merged yet are damaged: the log states since when they are missing", name);
	if (gathered->unread[0])
		complain("%s: its newest records are missing, as the log states: %s", name, gathered->unread);
	if (recovered->keyless)
		complain("%s: the table of devices is damaged: records about devices are left out", name);
}

/* Say which image of a file it is, and what of the file is missing.  Return: whether something is. */
static bool say_gathered(const char *name, const struct gathered *gathered)
{
	if (gathered->passed)
		complain("%s: of %llu images, the newest %llu are damaged or have no log: this is the next one", name,
			 (unsigned long long)gathered->images, (unsigned long long)gathered->passed);
	else if (gathered->images > 1)
		complain("%s: of %llu images, this is the one that was begun last", name,
			 (unsigned long long)gathered->images);
	if (gathered->cut)
		complain("%s: the file ends %llu bytes before its memory does, which count as zeros: copy it again", name,
			 (unsigned long long)gathered->cut);
	if (gathered->incomplete)
		complain("%s: the dump says that it was not written to its end: what it lacks counts as zeros", name);
	if (gathered->broken)
		complain("%s: pages of the image are damaged in this compressed dump, and count as zeros", name);
	if (gathered->unsearched)
		complain("%s: pages of this compressed dump are damaged, among which a newer image may begin", name);
	if (gathered->absent)
		complain("%s: of %llu pages of the image, the dump does not have %llu, which count as zeros: makedumpfile -d "
			 "leaves out such pages", name, (unsigned long long)gathered->pages,
			 (unsigned long long)gathered->absent);
	if (gathered->failed)
		complain("%s: a part cannot be read, and counts as zeros: %s", name, strerror(gathered->failed));
	return gathered->cut || gathered->incomplete || gathered->broken || gathered->unsearched || gathered->failed;
}

/* Copy the log, whose place is at its beginning, to the output.  Return: 0 or a negative errno. */
static int copy_log(int from, int to)
{
	char buffer[65536];
	ssize_t n, done, part;

	while ((n = read(from, buffer, sizeof(buffer))) > 0) {
		for (done = 0; done < n; done += part) {
			part = write(to, buffer + done, (size_t)(n - done));
			if (part < 0)
				return -errno;
		}
	}
	return n < 0 ? -errno : 0;
}

/* Write the log to standard output, or to a file that gets its name when it is complete.  Return: the exit status. */
static int write_log(int fd, const char *name)
{
	char path[4096];
	int to = STDOUT_FILENO, r;

	if (name) {
		host_format(path, sizeof(path), "%s.new", name);
		to = open(path, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0640);
	}
	r = to < 0 ? -errno : copy_log(fd, to);
	if (name && to >= 0) {
		if (close(to) && !r)
			r = -errno;
		if (!r && rename(path, name))
			r = -errno;
		if (r)
			unlink(path);
	}
	if (r)
		complain("%s cannot be written: %s", name ? name : "standard output", strerror(-r));
	return r ? EXIT_ENVIRONMENT : EXIT_OK;
}

static int recover_file(const char *name, const char *log_name)
{
	bool is_input = !strcmp(name, "-");
	int fd = is_input ? dup(STDIN_FILENO) : open(name, O_RDONLY | O_CLOEXEC), log, gathering, r, status = EXIT_ENVIRONMENT;
	struct recovered recovered;
	struct gathered gathered;
	struct bcoslog_error error;
	bool partial;

	if (is_input)
		name = "standard input";
	if (fd < 0) {
		complain("%s cannot be opened: %s", name, strerror(errno));
		return EXIT_ENVIRONMENT;
	}
	log = memfd_create("bcos_evlog", MFD_CLOEXEC);
	gathering = gather_image(&gathered, fd, name, &error);
	r = gathering ?: recover_image(gathered.bytes, gathered.size, gathered.ends, log, &recovered, &error);
	partial = !r && say_gathered(name, &gathered);
	close(fd);
	if (r) {
		/* Gathering an image knows its name, and recovering it does not. */
		complain("%s%s%s", gathering ? "" : name, gathering ? "" : ": ", error.text);
	} else {
		say_recovered(name, &recovered, &gathered);
		lseek(log, 0, SEEK_SET);
		status = write_log(log, log_name);
		if (!status && (partial || recovered.damaged || recovered.unread || recovered.keyless))
			status = EXIT_DAMAGE;
	}
	gather_free(&gathered);
	if (log >= 0)
		close(log);
	return status;
}

static int cmd_recover(struct session *session, int argc, char **argv)
{
	struct recovering recovering = { 0 };
	struct arguments arguments = { .session = session, .command = &command_recover, .change = take_image,
				       .context = &recovering };
	int status = arguments_parse(&arguments, argc, argv);
	char path[4096];

	if (status >= 0)
		return status;
	if (!recovering.output && isatty(STDOUT_FILENO)) {
		complain("recover writes binary entries, which a terminal cannot show: say where to by -o LOG, or "
			 "redirect it to a file");
		return EXIT_ENVIRONMENT;
	}
	if (!recovering.image && !find_image(path, sizeof(path))) {
		complain("there is no image of a former boot (" BCOS_IMAGE_PATH "), and no dump in /var/crash: name a file");
		return EXIT_ENVIRONMENT;
	}
	if (output_check(recovering.image ? recovering.image : path, recovering.output))
		return EXIT_ENVIRONMENT;
	return recover_file(recovering.image ? recovering.image : path, recovering.output);
}

static const struct option_spec options[] = {
	{ .name = "output", .letter = 'o', .value = "LOG", .take = take_output,
	  .help = "write the log to this file, instead of standard output" },
	{ .name = NULL },
};

const struct command command_recover = {
	.name = "recover",
	.summary = "make a log of what a crashed machine left in its memory",
	.usage = "bcoslog recover [-o LOG] [IMAGE]",
	.about =
"Finds the log in what a machine left that has ended: the entries that were\n"
"written, and the records that were not merged yet, up to the last moment.  IMAGE\n"
"is the image of the former boot (" BCOS_IMAGE_PATH "), a dump of the machine's\n"
"memory (the vmcore of kdump, also as makedumpfile packs it, or of QEMU's\n"
"dump-guest-memory), or the memory itself; without it the newest one of this\n"
"machine.  No symbols are needed.  The log ends with how the machine ended, and\n"
"with what is missing.\n"
"\n"
"Other commands read such a file as they read a log: bcoslog story cc1 vmcore.",
	.options = { options },
	.status = "0 done, 1 a part of IMAGE is damaged, 2 there is no log in IMAGE, or it cannot be read.",
	.run = cmd_recover,
};

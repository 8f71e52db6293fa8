// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/* The physical memory of a machine, in a file: see memory.h. */
#include <elf.h>
#include <stdlib.h>
#include <sys/stat.h>
#include <unistd.h>

#include "archive/read/archive.h"
#include "handle/error.h"
#include "memory.h"
#include "packed.h"

/* A dump has a piece for each range of memory. A file that claims more is no dump. */
#define PIECES_MAX (1u << 20)

/* No machine has memory from here on: a piece that claims it is none, and sums of addresses below it never wrap. */
#define ADDRESS_END (1ull << 52)

/* A page of the machine has at least so many bytes, and each begins at a multiple of this. */
#define PAGE 4096

#define CHUNK ((size_t)1 << 20)

/* Read up to @size bytes.  Return: the number of bytes that the file has there; the rest becomes zeros. */
static size_t read_at(struct memory *memory, u64 offset, void *to, size_t size)
{
	size_t done = 0;
	ssize_t n;

	while (done < size && offset + done >= offset) {
		n = pread(memory->fd, (char *)to + done, size - done, (off_t)(offset + done));
		if (n < 0 && errno == EINTR)
			continue;
		if (n < 0)
			memory->error = errno;
		if (n <= 0)
			break;
		done += (size_t)n;
	}
	memset((char *)to + done, 0, size - done);
	return done;
}

static int compare_pieces(const void *left, const void *right)
{
	const struct memory_piece *a = left, *b = right;

	if (a->address != b->address)
		return a->address < b->address ? -1 : 1;
	return a->size > b->size ? -1 : a->size < b->size;
}

/*
 * Bring the pieces into order, and cut what a piece before has already, as with the kernel's text, which dumps of kdump
 * have once more.  Return: the bytes of all pieces.
 */
static u64 sort_pieces(struct memory *memory)
{
	u64 end = 0, cut, bytes = 0;
	struct memory_piece piece;
	u32 i, kept = 0;

	qsort(memory->piece, memory->pieces, sizeof(*memory->piece), compare_pieces);
	for (i = 0; i < memory->pieces; i++) {
		piece = memory->piece[i];
		cut = piece.address < end ? end - piece.address : 0;
		if (cut >= piece.size)
			continue;
		memory->piece[kept++] = (struct memory_piece){
			.address = piece.address + cut, .size = piece.size - cut, .offset = piece.offset + cut,
		};
		end = piece.address + piece.size;
		bytes += piece.size - cut;
	}
	memory->pieces = kept;
	return bytes;
}

/* Return: the number of program headers; one that does not fit into its field is in the first section header. */
static u64 count_headers(struct memory *memory, const Elf64_Ehdr *header)
{
	Elf64_Shdr section;

	if (header->e_phnum != PN_XNUM)
		return header->e_phnum;
	return read_at(memory, header->e_shoff, &section, sizeof(section)) == sizeof(section) ? section.sh_info : 0;
}

static int open_elf(struct memory *memory, u64 file_size, const char *name, struct bcoslog_error *error)
{
	struct memory_piece *piece;
	Elf64_Ehdr header;
	Elf64_Phdr part;
	u64 count, i, had;

	if (read_at(memory, 0, &header, sizeof(header)) != sizeof(header) ||
	    header.e_ident[EI_CLASS] != ELFCLASS64 || header.e_ident[EI_DATA] != ELFDATA2LSB ||
	    header.e_phentsize != sizeof(part))
		return error_set(error, ENOTSUP, "%s is no dump of a 64-bit machine: nothing is read of other machines", name);
	count = count_headers(memory, &header);
	if (header.e_type != ET_CORE || !count || count > PIECES_MAX)
		return error_set(error, EBADMSG, "%s is no BCOS event log, but an ELF file that is no dump of memory: name a log, or a dump of a machine",
				 name);
	memory->piece = calloc(count, sizeof(*memory->piece));
	if (!memory->piece)
		return error_set(error, ENOMEM, "there is no memory for reading %s", name);
	for (i = 0; i < count; i++) {
		if (read_at(memory, header.e_phoff + i * sizeof(part), &part, sizeof(part)) != sizeof(part))
			break;
		piece = &memory->piece[memory->pieces];
		*piece = (struct memory_piece){ .address = part.p_paddr, .size = part.p_filesz, .offset = part.p_offset };
		if (part.p_type != PT_LOAD || !piece->size || piece->address >= ADDRESS_END ||
		    piece->size > ADDRESS_END - piece->address)
			continue;
		had = piece->offset < file_size ? file_size - piece->offset : 0;
		if (piece->size > had) {
			memory->cut += piece->size - had;
			piece->size = had;
		}
		memory->pieces += !!had;
	}
	/* Memory at different addresses lies at different places, so that each byte of the file is read for one of them. */
	memory->bytes = memory->stored = sort_pieces(memory);
	if (memory->bytes > file_size)
		return error_set(error, EBADMSG, "%s is damaged: its headers claim more memory than the file has", name);
	return 0;
}

/* Take over what is missing of a compressed dump, as far as it was read. */
static void take_lack(struct memory *memory)
{
	struct packed_lack lack = packed_lack(memory->packed);

	memory->cut = lack.cut * lack.page_size;
	memory->broken = lack.broken;
	memory->unsearched = lack.unsearched;
	memory->incomplete = lack.incomplete;
	memory->library = lack.library;
	memory->refused = lack.refused;
	memory->error = lack.error;
}

static int open_packed(struct memory *memory, u64 file_size, const char *name, struct bcoslog_error *error)
{
	int r = packed_open(&memory->packed, memory->fd, file_size, name, error);

	if (r)
		return r;
	take_lack(memory);
	memory->bytes = packed_lack(memory->packed).pages * packed_lack(memory->packed).page_size;
	memory->stored = memory->bytes < file_size ? memory->bytes : file_size;
	return 0;
}

int memory_open(struct memory *memory, int fd, const char *name, struct bcoslog_error *error)
{
	char begin[16] = "";
	struct stat stat;
	size_t begun;

	*memory = (struct memory){ .fd = fd };
	if (fstat(fd, &stat))
		return error_set(error, errno, "%s cannot be read: %s", name, strerror(errno));
	begun = read_at(memory, 0, begin, sizeof(begin));
	if (memory->error)
		return error_set(error, memory->error, "%s cannot be read: %s", name, strerror(memory->error));
	if (begun < sizeof(begin))
		return error_set(error, EILSEQ, "%s is too short for an image", name);
	if (!memcmp(begin, PACKED_MAGIC, strlen(PACKED_MAGIC)))
		return open_packed(memory, (u64)stat.st_size, name, error);
	if (!memcmp(begin, "DISKDUMP", 8))
		return error_set(error, ENOTSUP, "%s is a dump of diskdump, which is not read: no kernel with bcos_evlog has it",
				 name);
	if (!memcmp(begin, "makedumpfile", 12))
		return error_set(error, ENOTSUP, "%s is a flattened dump: make a file of it by makedumpfile -R FILE <%s",
				 name, name);
	memory->elf = !memcmp(begin, ELFMAG, SELFMAG);
	if (memory->elf)
		return open_elf(memory, (u64)stat.st_size, name, error);
	memory->piece = calloc(1, sizeof(*memory->piece));
	if (!memory->piece)
		return error_set(error, ENOMEM, "there is no memory for reading %s", name);
	memory->piece->size = memory->bytes = memory->stored = (u64)stat.st_size;
	memory->pieces = 1;
	return 0;
}

void memory_close(struct memory *memory)
{
	packed_close(memory->packed);
	memory->packed = NULL;
	free(memory->piece);
	memory->piece = NULL;
	memory->pieces = 0;
}

/* Return: the number of the first piece that ends after @address. */
static u32 find_piece(const struct memory *memory, u64 address)
{
	u32 low = 0, high = memory->pieces, middle;

	while (low < high) {
		middle = low + (high - low) / 2;
		if (memory->piece[middle].address + memory->piece[middle].size <= address)
			low = middle + 1;
		else
			high = middle;
	}
	return low;
}

bool memory_has(const struct memory *memory, u64 address, size_t size)
{
	u32 i = find_piece(memory, address);

	if (memory->packed)
		return packed_has(memory->packed, address, size);
	return i < memory->pieces && (memory->piece[i].address <= address || memory->piece[i].address - address < size);
}

void memory_read(struct memory *memory, u64 address, void *to, size_t size)
{
	u32 i = find_piece(memory, address);
	const struct memory_piece *piece;
	u64 from, end;

	if (memory->packed) {
		packed_read(memory->packed, address, to, size);
		take_lack(memory);
		return;
	}
	memset(to, 0, size);
	for (; i < memory->pieces; i++) {
		piece = &memory->piece[i];
		if (piece->address >= address && piece->address - address >= size)
			break;
		from = piece->address > address ? piece->address : address;
		end = piece->address + piece->size;
		if (end > address + size)
			end = address + size;
		if (end > from)
			read_at(memory, piece->offset + (from - piece->address), (char *)to + (from - address),
				end - from);
	}
}

/* Find the bytes at the beginning of a page in a piece.  Return: 1; 0 if they are not there; -EINTR. */
static int find_in(struct memory *memory, const struct memory_piece *piece, const void *bytes, size_t size,
		    u64 from, char *chunk, u64 *address)
{
	u64 at = (from > piece->address ? from : piece->address) + PAGE - 1;
	u64 end = piece->address + piece->size;
	size_t have, page, step = PAGE;

	/* The caller goes on behind each find: steps that grow read no byte often, however many finds there are. */
	for (at &= ~(u64)(PAGE - 1); at < end; at += step, step = step < CHUNK ? 2 * step : step) {
		if (archive_ask_patience())
			return -EINTR;
		have = read_at(memory, piece->offset + (at - piece->address), chunk,
			       end - at < step ? end - at : step);
		for (page = 0; page + size <= have; page += PAGE) {
			if (memcmp(chunk + page, bytes, size))
				continue;
			*address = at + page;
			return 1;
		}
	}
	return 0;
}

int memory_find(struct memory *memory, const void *bytes, size_t size, u64 from, u64 *address)
{
	char *chunk;
	int found;
	u32 i;

	if (memory->packed) {
		found = packed_find(memory->packed, bytes, size, from, address);
		take_lack(memory);
		return found;
	}
	chunk = malloc(CHUNK);
	found = chunk ? 0 : -ENOMEM;
	for (i = find_piece(memory, from); i < memory->pieces && !found; i++)
		found = find_in(memory, &memory->piece[i], bytes, size, from, chunk, address);
	free(chunk);
	return found;
}

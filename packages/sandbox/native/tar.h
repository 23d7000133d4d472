/* The tar dialect of snapshots: ustar headers, GNU `L` and `K` entries for long names. An archive of changes has the
 * owners of files, and for each directory that changed, before what it holds, a GNU `D` entry with its mode and the names
 * of all it held, each ended by NUL: a restore removes the others. */
#ifndef TAR_H
#define TAR_H

enum { TAR_BLOCK = 512 };
enum tar_type { TAR_FILE = '0', TAR_HARDLINK = '1', TAR_SYMLINK = '2', TAR_DIRECTORY = '5', TAR_FIFO = '6', TAR_NAMES = 'D', TAR_LONG_LINK = 'K', TAR_LONG_NAME = 'L' };

struct tar_header {
  char name[100], mode[8], uid[8], gid[8], size[12], mtime[12], checksum[8], type, link[100], magic[8];
  char user[32], group[32], major[8], minor[8], prefix[155], padding[12];
};

_Static_assert(sizeof(struct tar_header) == TAR_BLOCK, "a header is one block");

unsigned tar_checksum(const struct tar_header *header);

#endif

#ifndef RELAY_H
#define RELAY_H

/* Puts a socket at the place of the streams of the runtime, and returns in another process, of this user (0: of root, as
 * before). The first process relays, and ends with that one. Ends the process where that fails. */
void relay_begin(const char *user);

/* Copies until the end of either. */
void relay_pump(int from, int to);

#endif

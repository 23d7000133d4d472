/* Connections that commands open to some ports of the sandbox's loopback, passed on to the host: the only way out of a
 * sandbox without a network. At most TUNNELS_MAX are open to one port. */
#ifndef TUNNELS_H
#define TUNNELS_H

#include <stddef.h>
#include <stdint.h>

#include "task.h"

/* Ids of connections have the highest bit, those of tasks have not. */
enum { LISTENERS_MAX = 4, TUNNELS_MAX = 64, TUNNEL_WINDOW = 256 << 10 };
#define IS_TUNNEL_ID(id) ((id) >> 31)

/* Listens on 127.0.0.1; 0 or -1. */
int tunnels_listen(struct agent *agent, uint16_t number);
void tunnels_accept(struct agent *agent, struct port *listener);
void tunnel_ready(struct agent *agent, struct port *port);
void tunnel_frame(struct agent *agent, uint32_t type, uint32_t id, const char *payload, size_t length);

/* Forgets those that have ended. */
void tunnels_settle(struct agent *agent);

#endif

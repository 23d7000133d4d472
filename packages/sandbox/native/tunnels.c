#define _GNU_SOURCE
#include "tunnels.h"

#include <arpa/inet.h>
#include <errno.h>
#include <netinet/in.h>
#include <netinet/tcp.h>
#include <stdlib.h>
#include <string.h>
#include <sys/epoll.h>
#include <sys/socket.h>
#include <unistd.h>

enum { CHUNK = 64 << 10 };

/* Each has connections of its own number: those of one port leave none of another waiting. */
struct listener {
  struct port port; /* first: epoll hands it back */
  uint16_t number;
  int count;
};

struct tunnel {
  struct port port; /* first: epoll hands it back */
  struct listener *listener;
  uint32_t id, unacknowledged;
  char *input;
  size_t input_length;
  int input_ended, output_ended;
  struct tunnel *next;
};

static struct tunnel *tunnels;
static struct listener listeners[LISTENERS_MAX];
static int listening;
static uint32_t last_id;

/* One-shot, so that a connection that waits for the host is not reported over and over. */
static void arm(struct agent *agent, struct port *port, uint32_t events) {
  if (events) epoll_ctl(agent->epoll, EPOLL_CTL_MOD, port->fd, &(struct epoll_event){events | EPOLLONESHOT, {.ptr = port}});
}

static int watch(struct agent *agent, struct port *port) {
  return epoll_ctl(agent->epoll, EPOLL_CTL_ADD, port->fd, &(struct epoll_event){EPOLLIN | EPOLLONESHOT, {.ptr = port}});
}

static void arm_tunnel(struct agent *agent, struct tunnel *tunnel) {
  uint32_t events = tunnel->output_ended || tunnel->unacknowledged >= TUNNEL_WINDOW ? 0 : EPOLLIN;
  if (tunnel->input_length > 0) events |= EPOLLOUT;
  arm(agent, &tunnel->port, events);
}

int tunnels_listen(struct agent *agent, uint16_t number) {
  struct sockaddr_in address = {.sin_family = AF_INET, .sin_port = htons(number), .sin_addr.s_addr = htonl(INADDR_LOOPBACK)};
  if (listening == LISTENERS_MAX) return -1;
  struct listener *listener = &listeners[listening];
  int fd = socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC | SOCK_NONBLOCK, 0);
  if (fd < 0) return -1;
  *listener = (struct listener){.port = {.kind = PORT_LISTENER, .fd = fd}, .number = number};
  setsockopt(fd, SOL_SOCKET, SO_REUSEADDR, &(int){1}, sizeof(int));
  if (bind(fd, (struct sockaddr *)&address, sizeof address) || listen(fd, TUNNELS_MAX)) return -1;
  listening++;
  return watch(agent, &listener->port);
}

/* Those beyond the limit wait in the kernel's queue until one has ended. */
void tunnels_accept(struct agent *agent, struct port *port) {
  struct listener *listener = (struct listener *)port;
  unsigned char number[4];
  put32(number, listener->number);
  while (listener->count < TUNNELS_MAX) {
    int fd = accept4(port->fd, NULL, NULL, SOCK_CLOEXEC | SOCK_NONBLOCK);
    if (fd < 0) return arm(agent, port, EPOLLIN);
    struct tunnel *tunnel = calloc(1, sizeof *tunnel);
    if (!tunnel) {
      close(fd);
      continue;
    }
    setsockopt(fd, IPPROTO_TCP, TCP_NODELAY, &(int){1}, sizeof(int));
    last_id = (last_id + 1) & 0x7fffffffU;
    *tunnel = (struct tunnel){
        .port = {.kind = PORT_TUNNEL, .fd = fd}, .listener = listener, .id = last_id | 0x80000000U, .next = tunnels};
    tunnels = tunnel;
    listener->count++;
    send_frame(AGENT_OPENED, tunnel->id, number, sizeof number);
    watch(agent, &tunnel->port);
  }
}

/* The command gets a reset rather than an end that it could take for the whole response. */
static void drop(struct tunnel *tunnel) {
  setsockopt(tunnel->port.fd, SOL_SOCKET, SO_LINGER, &(struct linger){1, 0}, sizeof(struct linger));
  tunnel->input_length = 0;
  tunnel->input_ended = tunnel->output_ended = 1;
}

static void read_output(struct tunnel *tunnel) {
  static char chunk[CHUNK];
  size_t credit = TUNNEL_WINDOW - tunnel->unacknowledged;
  if (tunnel->output_ended || credit == 0) return;
  ssize_t got = read(tunnel->port.fd, chunk, credit < CHUNK ? credit : CHUNK);
  if (got < 0 && (errno == EAGAIN || errno == EINTR)) return;
  if (got < 0) return drop(tunnel);
  if (got == 0) {
    tunnel->output_ended = 1;
    send_frame(AGENT_OUTPUT_END, tunnel->id, "", 0);
    return;
  }
  tunnel->unacknowledged += (uint32_t)got;
  send_frame(AGENT_STDOUT, tunnel->id, chunk, (size_t)got);
}

static void write_input(struct tunnel *tunnel) {
  if (tunnel->input_length == 0) return;
  ssize_t written = write(tunnel->port.fd, tunnel->input, tunnel->input_length);
  if (written < 0 && errno != EAGAIN && errno != EINTR) return drop(tunnel);
  if (written <= 0) return;
  unsigned char credit[4];
  put32(credit, (uint32_t)written);
  send_frame(AGENT_CREDIT, tunnel->id, credit, sizeof credit);
  tunnel->input_length -= (size_t)written;
  memmove(tunnel->input, tunnel->input + written, tunnel->input_length);
  if (tunnel->input_ended && tunnel->input_length == 0) shutdown(tunnel->port.fd, SHUT_WR);
}

void tunnel_ready(struct agent *agent, struct port *port) {
  struct tunnel *tunnel = (struct tunnel *)port;
  write_input(tunnel);
  read_output(tunnel);
  arm_tunnel(agent, tunnel);
}

static void add_input(struct tunnel *tunnel, const char *bytes, size_t length) {
  if (tunnel->input_ended) return;
  if (!tunnel->input) tunnel->input = malloc(INPUT_WINDOW);
  if (!tunnel->input || tunnel->input_length + length > INPUT_WINDOW) _exit(END_PROTOCOL);
  memcpy(tunnel->input + tunnel->input_length, bytes, length);
  tunnel->input_length += length;
  write_input(tunnel);
}

static void end_input(struct tunnel *tunnel) {
  tunnel->input_ended = 1;
  if (tunnel->input_length == 0) shutdown(tunnel->port.fd, SHUT_WR);
}

void tunnel_frame(struct agent *agent, uint32_t type, uint32_t id, const char *payload, size_t length) {
  struct tunnel *tunnel = tunnels;
  while (tunnel && tunnel->id != id) tunnel = tunnel->next;
  if (!tunnel) return; /* has ended meanwhile */
  uint32_t read = type == HOST_CREDIT && length == 4 ? get32((const unsigned char *)payload) : 0;
  tunnel->unacknowledged -= read < tunnel->unacknowledged ? read : tunnel->unacknowledged;
  if (type == HOST_INPUT) add_input(tunnel, payload, length);
  if (type == HOST_INPUT_END) end_input(tunnel);
  if (type == HOST_CANCEL) drop(tunnel);
  arm_tunnel(agent, tunnel);
}

void tunnels_settle(struct agent *agent) {
  int had[LISTENERS_MAX];
  for (int i = 0; i < listening; i++) had[i] = listeners[i].count;
  for (struct tunnel **link = &tunnels; *link;) {
    struct tunnel *tunnel = *link;
    if (!tunnel->output_ended || !tunnel->input_ended || tunnel->input_length > 0) {
      link = &tunnel->next;
      continue;
    }
    *link = tunnel->next;
    close(tunnel->port.fd);
    send_frame(AGENT_EXIT, tunnel->id, "\0\0\0\0", 4);
    tunnel->listener->count--;
    free(tunnel->input);
    free(tunnel);
  }
  for (int i = 0; i < listening; i++)
    if (had[i] == TUNNELS_MAX && listeners[i].count < had[i]) tunnels_accept(agent, &listeners[i].port);
}

import type { IncomingMessage, Server, ServerResponse } from 'node:http';
import type { Socket } from 'node:net';
import {
  type BeforeApplicationShutdown,
  Injectable,
  Module,
  type NestModule,
  type OnModuleInit,
} from '@nestjs/common';
import { APP_FILTER, HttpAdapterHost } from '@nestjs/core';
import { AccessModule } from '../access/access.module.js';
import { ProblemFilter } from '../http/problem.js';
import { RequestPipeline } from './http-server.js';

/**
 * The open connections with their requests in progress. Shutdown awaits requests and nothing else; Node.js by itself
 * also awaits connections that have not sent a request yet.
 */
@Injectable()
class Connections implements OnModuleInit, BeforeApplicationShutdown {
  private readonly requests = new Map<Socket, number>();
  private isDraining = false;

  constructor(private readonly host: HttpAdapterHost) {}

  onModuleInit(): void {
    const server: Server = this.host.httpAdapter.getHttpServer();
    server.on('connection', (socket) => {
      this.requests.set(socket, 0);
      socket.once('close', () => this.requests.delete(socket));
    });
    server.on('request', ({ socket }: IncomingMessage, response: ServerResponse) => {
      this.count(socket, 1);
      response.once('close', () => this.count(socket, -1));
    });
  }

  /** Closes every connection as soon as it has no request in progress. */
  beforeApplicationShutdown(): void {
    this.isDraining = true;
    for (const socket of this.requests.keys()) this.count(socket, 0);
  }

  private count(socket: Socket, change: number): void {
    const requests = (this.requests.get(socket) ?? 0) + change;
    if (!socket.destroyed) this.requests.set(socket, requests);
    if (this.isDraining && requests === 0) socket.destroySoon();
  }
}

/** The HTTP server: connections, hooks of every request, problem documents, the web app. */
@Module({
  imports: [AccessModule],
  providers: [Connections, RequestPipeline, { provide: APP_FILTER, useClass: ProblemFilter }],
})
export class ServerModule implements NestModule {
  constructor(private readonly pipeline: RequestPipeline) {}

  /** Before the routes are registered: Fastify's hooks apply to routes that follow them. */
  async configure(): Promise<void> {
    await this.pipeline.install();
  }
}

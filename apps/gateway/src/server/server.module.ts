import { Module, type NestModule } from '@nestjs/common';
import { APP_FILTER } from '@nestjs/core';
import { AccessModule } from '../access/access.module.js';
import { ProblemFilter } from '../http/problem.js';
import { Connections } from './connections.js';
import { RequestPipeline } from './http-server.js';

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

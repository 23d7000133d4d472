import { Module } from '@nestjs/common';
import { AccessModule } from '../access/access.module.js';
import { CONFIG, type Config } from '../config.js';
import { OpenStreams, StreamSettings } from './open-streams.js';
import { RunEvents } from './run-events.js';
import { RunExports } from './run-exports.js';
import { RunTails } from './run-tail.js';
import { EvalPlansController, RunAgentsController, RunsController } from './runs.controller.js';
import { EventsListener, WakeUps } from './wake-ups.js';

/** Runs, their agents, and their events as they are recorded. */
@Module({
  imports: [AccessModule],
  controllers: [EvalPlansController, RunsController, RunAgentsController, EventsListener],
  providers: [
    OpenStreams,
    RunEvents,
    RunExports,
    RunTails,
    WakeUps,
    {
      provide: StreamSettings,
      inject: [CONFIG],
      useFactory: ({ STREAMS_MAX, STREAM_CHECK_SECONDS }: Config) =>
        new StreamSettings(STREAMS_MAX, STREAM_CHECK_SECONDS * 1_000),
    },
  ],
})
export class RunsModule {}

import { Module } from '@nestjs/common';
import { AttemptHistory } from './attempt-history.js';
import { AttemptsController } from './attempts.controller.js';
import { ReplaysService } from './replays.service.js';

@Module({ controllers: [AttemptsController], providers: [AttemptHistory, ReplaysService] })
export class AttemptsModule {}

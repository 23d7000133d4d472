import { Module } from '@nestjs/common';
import { SessionsController } from './sessions.controller.js';
import { SessionsService } from './sessions.service.js';
import { SessionsStore } from './sessions.store.js';

@Module({ controllers: [SessionsController], providers: [SessionsService, SessionsStore] })
export class SessionsModule {}

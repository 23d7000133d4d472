import { Module } from '@nestjs/common';
import { WorkspacesController } from './workspaces.controller.js';
import { WorkspacesService } from './workspaces.service.js';
import { WorkspacesStore } from './workspaces.store.js';

@Module({
  controllers: [WorkspacesController],
  providers: [WorkspacesService, WorkspacesStore],
  exports: [WorkspacesService, WorkspacesStore],
})
export class WorkspacesModule {}

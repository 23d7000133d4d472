import { Module } from '@nestjs/common';
import { CatalogueModule } from '../../catalogue/catalogue.module.js';
import { AgentsSource } from './agents.source.js';
import { VersionsSource } from './versions.source.js';
import { WorkspaceResourcesSource } from './workspace-resources.source.js';

/** What runs take from the catalogue and from packs. */
@Module({
  imports: [CatalogueModule],
  providers: [AgentsSource, VersionsSource, WorkspaceResourcesSource],
  exports: [AgentsSource, VersionsSource, WorkspaceResourcesSource],
})
export class PlansModule {}

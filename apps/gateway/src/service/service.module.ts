import { Module } from '@nestjs/common';
import { InstallationHealth, ServiceController } from './service.controller.js';

/** Health of the installation, and the reference of the API. */
@Module({ controllers: [ServiceController], providers: [InstallationHealth] })
export class ServiceModule {}

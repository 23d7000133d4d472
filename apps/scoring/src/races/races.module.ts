import { Module } from '@nestjs/common';
import { RacesService } from './races.service.js';

/** Verdicts of sequential races. */
@Module({ controllers: [RacesService] })
export class RacesModule {}

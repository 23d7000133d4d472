import { Module } from '@nestjs/common';
import { ParkedAttempts } from './parked-attempts.js';
import { Parking } from './parking.service.js';

/** Attempts that wait for a person: their sandboxes stay here, their conversations go to the orchestrator. */
@Module({ providers: [ParkedAttempts, Parking], exports: [ParkedAttempts, Parking] })
export class ParkingModule {}

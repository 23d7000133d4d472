import { Module } from '@nestjs/common';
import { CapacityModule } from '../capacity/capacity.module.js';
import { Claims } from './claims.service.js';
import { Leases } from './leases.loop.js';

/** Claims of deliveries, and the renewal of their leases. */
@Module({ imports: [CapacityModule], providers: [Claims, Leases], exports: [Claims, Leases] })
export class LeasesModule {}

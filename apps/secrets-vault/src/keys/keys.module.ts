import { Module } from '@nestjs/common';
import { KeysHandlers } from './keys.handlers.js';
import { Keys } from './keys.service.js';
import { KeysStore } from './keys.store.js';
import { RotationLoop } from './rotation.loop.js';

/** Master keys and their rotation. */
@Module({ controllers: [KeysHandlers], providers: [Keys, KeysStore, RotationLoop], exports: [Keys] })
export class KeysModule {}

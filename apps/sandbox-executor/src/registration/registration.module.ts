import { Module } from '@nestjs/common';
import { Registration } from './registration.loop.js';

@Module({ providers: [Registration], exports: [Registration] })
export class RegistrationModule {}

import { Module } from '@nestjs/common';
import { FailuresStore } from '../failures/failures.store.js';
import { ScorecardsStore } from './scorecards.store.js';

/** Stored scorecards, rankings and failures. */
@Module({ providers: [FailuresStore, ScorecardsStore], exports: [FailuresStore, ScorecardsStore] })
export class StoreModule {}

import { runService } from '@agentclash/service-kit';
import { scoringConfig } from './config.js';
import { startScoring } from './start.js';

await runService(() => startScoring(scoringConfig(process.env)));

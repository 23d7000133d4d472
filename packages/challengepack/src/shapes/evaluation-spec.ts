import { freeMap } from '../decode/free.js';

export const EVALUATION_SPEC = freeMap();

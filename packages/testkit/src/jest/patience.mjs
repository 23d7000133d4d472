// Integration specs wait for conditions, never for time; how long a condition takes depends on how busy the machine is.
import { jest } from '@jest/globals';

jest.setTimeout(60_000);

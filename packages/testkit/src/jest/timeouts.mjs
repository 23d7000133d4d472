// Specs wait for conditions; the timeout allows for a busy machine.
import { jest } from '@jest/globals';

jest.setTimeout(180_000);

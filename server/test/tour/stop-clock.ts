// Before anything else is loaded: ids contain the time, and never go back.

import { vi } from 'vitest';
import { firstDay } from './time.ts';

// Only dates: timers have to run.
vi.useFakeTimers({ toFake: ['Date'], now: firstDay });

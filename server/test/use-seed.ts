// Before each test file: every property of fast-check starts with the same seed, and prints it when a test fails.

import fc from 'fast-check';
import { seed } from './seed.ts';

fc.configureGlobal({ seed });

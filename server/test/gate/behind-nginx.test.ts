import { isFullEffort } from '../effort.ts';
import { testBehind } from './behind-a-proxy.ts';
import { nginx } from './proxies.ts';

testBehind(nginx);
// In each run, preflights.test.ts tries the paths.
if (isFullEffort) testBehind(nginx, { preflights: true });

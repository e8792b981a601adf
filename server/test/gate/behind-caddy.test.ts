import { isFullEffort } from '../effort.ts';
import { testBehind } from './behind-a-proxy.ts';
import { caddy } from './proxies.ts';

testBehind(caddy);
// In each run, preflights.test.ts tries the paths.
if (isFullEffort) testBehind(caddy, { preflights: true });

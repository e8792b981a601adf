import { testBehind } from './behind-a-proxy.ts';
import { nginx } from './proxies.ts';

testBehind(nginx);

import { testBehind } from './behind-a-proxy.ts';
import { caddy } from './proxies.ts';

testBehind(caddy);

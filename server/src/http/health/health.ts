import type { FastifyPluginAsync } from 'fastify';
import { ApiError } from '../../base/api-error.ts';
import type { SiteAccess } from '../../domain/access-rules/site-access.ts';
import type { Admission } from '../shared/credentials/admission.ts';
import type { Draining } from '../shared/draining.ts';
import type { TrustedProxies } from '../shared/requests/site-request.ts';
import type { VisitedHosts } from '../shared/requests/visited-host.ts';
import { addSelfCheck, type SelfCheck } from './self-check.ts';
import { WriteCheck } from './write-check.ts';

export interface HealthParts {
  readonly admission: Admission;
  readonly draining: Draining;
  /** @throws when the store does not respond */
  readonly checkStore: () => Promise<void>;
  /** @throws when no change can be stored */
  readonly checkWrites: () => Promise<void>;
  /** The self-check for `./gatehouse doctor`; undefined where doctor is not used. */
  readonly selfCheck?: SelfCheck | undefined;
  readonly proxies: TrustedProxies;
  readonly visitedHosts: VisitedHosts;
  readonly siteAccess: SiteAccess;
}

/** Health checks for monitoring. They do not count against rate limits. */
export const health: FastifyPluginAsync<HealthParts> = async (server, parts) => {
  const { admission, checkStore, checkWrites, draining, selfCheck } = parts;
  const writeCheck = new WriteCheck(checkWrites);
  server.addHook('onRequest', async ({ routeOptions }, reply) => {
    admission.admitUncounted(reply);
    // `/healthz` still answers: a process that drains must not be killed as one that hangs.
    if (!draining.isOn || !routeOptions.url?.startsWith('/readyz')) return;
    throw new ApiError('unavailable', 'This process is about to stop. Send requests to another one.');
  });
  server.get('/healthz', async () => ({ status: 'ok' }));
  server.get('/readyz', async () => {
    await checkStore();
    return { status: 'ok' };
  });
  server.get('/readyz/writes', async () => {
    await writeCheck.run();
    return { status: 'ok' };
  });
  if (selfCheck) addSelfCheck(server, { ...parts, ...selfCheck });
};

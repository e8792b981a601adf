import type { FastifyPluginAsync } from 'fastify';
import { ApiError } from '../../base/api-error.ts';
import type { Metric } from '../../base/metrics/metric.ts';
import type { Admission } from '../shared/credentials/admission.ts';
import { isSameSecret } from '../shared/credentials/same-secret.ts';
import { Exposition } from './exposition.ts';

export interface MetricsParts {
  readonly admission: Admission;
  /** Returns the metrics of all threads. */
  readonly collect: () => Promise<readonly Metric[]>;
  /** Undefined on an address that only programs for monitoring reach. */
  readonly token: string | undefined;
}

/** `/metrics`, for Prometheus. */
export const metrics: FastifyPluginAsync<MetricsParts> = async (server, { admission, collect, token }) => {
  const exposition = new Exposition(collect);
  server.addHook('onRequest', async (request, reply) => {
    if (token === undefined || isSameSecret(request.headers.authorization ?? '', `Bearer ${token}`)) {
      return admission.admitUncounted(reply);
    }
    await admission.admitAddress(request, reply);
    throw new ApiError(
      'invalid_api_key',
      'This is not the token of the metrics. Send the value of GATEHOUSE_METRICS_TOKEN as Authorization: Bearer.',
    );
  });
  server.get('/metrics', async (_, reply) => {
    const { type, text } = await exposition.read();
    return reply.header('content-type', type).send(text);
  });
};

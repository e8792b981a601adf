import { isIP } from 'node:net';
import { invalidRequest } from '../../base/api-error.ts';
import type { Timestamp } from '../../base/clock.ts';
import type { PageRequest } from './decision/access-decision.ts';

/**
 * The request that a client of the API describes.
 * @param pointer where the description is in the request
 * @throws {ApiError} `invalid_request`
 */
export function toPageRequest(
  { method = 'GET', clientAddress }: { readonly method?: string; readonly clientAddress?: string },
  target: string,
  now: Timestamp,
  pointer: string,
): PageRequest {
  if (clientAddress !== undefined && isIP(clientAddress) === 0) {
    throw invalidRequest(`${pointer}/clientAddress`, `"${clientAddress}" is not an IP address.`);
  }
  return { target, method: () => method, time: Date.parse(now), clientAddress: () => clientAddress };
}

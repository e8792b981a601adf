import { isIP } from 'node:net';
import { invalidRequest } from '../../base/api-error.ts';
import type { Timestamp } from '../../base/clock.ts';
import type { PageRequest } from './decision/access-decision.ts';

interface RequestFields {
  readonly method?: string;
  readonly preflight?: boolean;
  readonly ipAddress?: string;
}

/**
 * The request that a client of the API describes.
 * @param pointer where the description is in the request
 * @throws {ApiError} `invalid_request`
 */
export function toPageRequest(
  { method, preflight = false, ipAddress }: RequestFields,
  target: string,
  now: Timestamp,
  pointer: string,
): PageRequest {
  if (ipAddress !== undefined && isIP(ipAddress) === 0) {
    throw invalidRequest(`${pointer}/ipAddress`, `"${ipAddress}" is not an IP address.`);
  }
  if (preflight && method !== undefined && method !== 'OPTIONS') {
    throw invalidRequest(
      `${pointer}/method`,
      'The method of a preflight is OPTIONS. Correct it, or leave it out.',
    );
  }
  return {
    target,
    method: () => method ?? (preflight ? 'OPTIONS' : 'GET'),
    isPreflight: () => preflight,
    time: Date.parse(now),
    ipAddress: () => ipAddress,
  };
}

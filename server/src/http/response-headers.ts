import { type Allowance, windowSeconds } from './rate-limit.ts';

/** On every answer. Answers tell of people: nobody in between may keep them, and no page may embed them. */
export const commonHeaders = {
  'cache-control': 'no-store',
  'content-security-policy': "default-src 'none'; frame-ancestors 'none'",
  'cross-origin-resource-policy': 'same-origin',
  'referrer-policy': 'no-referrer',
  'x-content-type-options': 'nosniff',
} as const;

export const strictTransportSecurity = 'max-age=31536000; includeSubDomains';

/** The interface's three headers, and the two of the IETF draft (draft-ietf-httpapi-ratelimit-headers). */
export function rateLimitHeaders({ limit, remaining, resetsAt, secondsToReset }: Allowance) {
  return {
    'x-ratelimit-limit': limit,
    'x-ratelimit-remaining': remaining,
    'x-ratelimit-reset': resetsAt,
    'ratelimit-policy': `"default";q=${limit};w=${windowSeconds}`,
    ratelimit: `"default";r=${remaining};t=${secondsToReset}`,
  };
}

/**
 * The headers of every response. Responses contain personal data: caches must not store them, and other pages must
 * not embed them.
 */
export const commonHeaders = {
  'cache-control': 'no-store',
  'content-security-policy': "default-src 'none'; frame-ancestors 'none'",
  'cross-origin-resource-policy': 'same-origin',
  'referrer-policy': 'no-referrer',
  'x-content-type-options': 'nosniff',
} as const;

/** @param publicUrl the URL of the dashboard and the API, on the server that has them */
export function commonHeadersFor(publicUrl: string | undefined): Readonly<Record<string, string>> {
  return publicUrl?.startsWith('https:')
    ? { ...commonHeaders, 'strict-transport-security': 'max-age=31536000; includeSubDomains' }
    : commonHeaders;
}

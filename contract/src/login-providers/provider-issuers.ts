export const googleIssuer = 'https://accounts.google.com';
export const appleIssuer = 'https://appleid.apple.com';
export const gitHubIssuer = 'https://github.com';

/** The issuer of the directory with an id. That of several would let each of them choose email addresses. */
export function microsoftIssuer(tenant: string): string {
  return `https://login.microsoftonline.com/${tenant}/v2.0`;
}

/**
 * The path of the redirect URI of a provider, at the primary host of the site. Each issuer has its own, so that no provider
 * can pass the response of another one off as its own (RFC 9700, section 4.4.2.2). A slash at the end makes no difference:
 * nobody serves only one of two such issuers, and people leave it out.
 * @param issuer a URL without query and fragment
 */
export function providerCallbackPath(issuer: string): string {
  const { host, pathname } = new URL(issuer);
  return `/_gatehouse/login/callback/${host}${pathname.replace(/\/$/, '')}`;
}

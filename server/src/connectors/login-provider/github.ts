import { gitHubIssuer } from '@gatehouse/contract/provider-issuers';
import { type ProviderAccount, ProviderLoginFailed } from '../../domain/login-providers/provider-account.ts';
import { textOf } from './oidc.ts';
import type { ClaimedEmail, ProviderRequests } from './provider-profile.ts';

/** GitHub has no ID tokens, so its endpoints are known and not discovered. */
export const gitHubMetadata = {
  // As in the responses of its authorization server.
  issuer: 'https://github.com/login/oauth',
  authorization_endpoint: 'https://github.com/login/oauth/authorize',
  token_endpoint: 'https://github.com/login/oauth/access_token',
};

export const gitHubScope = 'read:user user:email';
const apiUrl = 'https://api.github.com';

/** The account is the one that the token belongs to. The name of a login can be taken by another person, its number cannot. */
export async function readGitHubAccount(
  requests: ProviderRequests,
  accessToken: string,
): Promise<ProviderAccount> {
  const user = (await readApi(requests, accessToken, '/user')) as { id?: unknown; login?: unknown } | null;
  if (!Number.isSafeInteger(user?.id)) {
    throw new ProviderLoginFailed('rejected', 'GitHub did not say which account has logged in.');
  }
  const { email, isVerified } = primaryEmail(await readApi(requests, accessToken, '/user/emails'));
  const subject = String(user?.id);
  return {
    issuer: gitHubIssuer,
    subject,
    email,
    emailVerified: isVerified && requests.provider.emailTrust === 'claim',
    label: textOf(user?.login) ?? email ?? subject,
    groups: null,
  };
}

/** Only the primary address counts: others may be forgotten ones. */
function primaryEmail(emails: unknown): ClaimedEmail {
  const list = Array.isArray(emails) ? emails : [];
  const primary = list.find((each) => each?.primary === true);
  return { email: textOf(primary?.email), isVerified: primary?.verified === true };
}

async function readApi(requests: ProviderRequests, accessToken: string, path: string): Promise<unknown> {
  const response = await requests.load(`${apiUrl}${path}`, {
    headers: { accept: 'application/vnd.github+json', authorization: `Bearer ${accessToken}` },
  });
  if (!response.ok) {
    throw new ProviderLoginFailed(
      response.status >= 500 || response.status === 429 ? 'unavailable' : 'rejected',
      `GitHub answered ${response.status} for ${path}.`,
    );
  }
  return response.json().catch((error) => {
    if (!(error instanceof SyntaxError)) throw error;
    throw new ProviderLoginFailed('rejected', `GitHub did not answer with JSON for ${path}.`, error);
  });
}

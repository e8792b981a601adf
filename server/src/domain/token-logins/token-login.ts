import { ApiError } from '../../base/api-error.ts';
import { findTokenVisitor } from '../access-rules/visitor.ts';
import { deleteAccessToken } from '../access-tokens/access-tokens.ts';
import type { EmailComposer } from '../emails/email-composer.ts';
import type { Change } from '../events/change.ts';
import { completeLogin, type Login, type LoginBrowser } from '../logins/login.ts';
import { lockMember } from '../members/member-lookup.ts';
import { memberPages } from '../sites/page-addresses.ts';

/**
 * Logs in the member of an access token for the whole site, in a browser that a program controls: one that tests the
 * pages, for example. The token works once.
 */
export async function consumeAccessToken(
  change: Change,
  token: string,
  browser: LoginBrowser,
  composer: EmailComposer,
): Promise<Login> {
  const found = await findTokenVisitor(change, token, []);
  if (!found) return { outcome: 'expired' };
  const { memberId, accessToken } = found;
  const member = await lockMember(change, memberId);
  try {
    await deleteAccessToken(change, memberId, accessToken.id);
  } catch (error) {
    // Another request with the token was faster.
    if (error instanceof ApiError && error.code === 'access_token_not_found') return { outcome: 'expired' };
    throw error;
  }
  const proof = { method: 'access_token', next: memberPages.front } as const;
  return completeLogin(change, member, proof, browser, composer);
}

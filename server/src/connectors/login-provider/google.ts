import { oidcProfile, textOf } from './oidc.ts';
import type { ClaimedEmail, Claims, OidcProfile } from './provider-profile.ts';

/** Google sends all claims in the ID token. */
export const googleProfile: OidcProfile = {
  ...oidcProfile,
  usesUserInfo: false,
  emailOf: emailHostedByGoogle,
};

/**
 * Google vouches for the addresses that it hosts, in Gmail or in the domain of an organization (`hd`). Another address was
 * verified once, and may belong to somebody else now (Google, "Verify the Google ID token on your server side").
 */
function emailHostedByGoogle({ email, email_verified, hd }: Claims): ClaimedEmail {
  const address = textOf(email);
  const isHosted = address?.toLowerCase().endsWith('@gmail.com') === true || textOf(hd) !== null;
  return { email: address, isVerified: email_verified === true && isHosted };
}

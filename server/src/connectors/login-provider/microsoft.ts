import { oidcProfile, textOf } from './oidc.ts';
import type { Claims, OidcProfile } from './provider-profile.ts';

/**
 * Microsoft Entra ID. Its `email` can be set to any address by the administrator of a directory; only the optional claim
 * `xms_edov` says that the domain of the address is verified.
 */
export const microsoftProfile: OidcProfile = {
  ...oidcProfile,
  usesUserInfo: false,
  emailOf: ({ email, xms_edov }: Claims) => ({
    email: textOf(email),
    isVerified: verifiedValues.has(xms_edov),
  }),
};

/** Entra sends the claim as a boolean, a number or a text. */
const verifiedValues: ReadonlySet<unknown> = new Set([true, 1, '1', 'true']);

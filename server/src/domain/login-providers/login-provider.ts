import type { EmailTrust, GroupMapping, LoginProvider, LoginProviderType } from '@gatehouse/contract';
import { ApiError } from '../../base/api-error.ts';
import type { Timestamp } from '../../base/clock.ts';

export type { EmailTrust, LoginProviderType };

/** What only some types have. */
export interface ProviderSettings {
  /** Of `microsoft`: the id of the directory. */
  readonly tenant: string | null;
  /** Of `apple`: the team and the key that sign the client secret. */
  readonly teamId: string | null;
  readonly privateKeyId: string | null;
}

/** A provider with what is needed to speak with its servers. */
export interface ConnectedProvider extends ProviderSettings {
  readonly siteId: string;
  readonly type: LoginProviderType;
  readonly name: string;
  readonly issuer: string;
  readonly clientId: string;
  /** The client secret; of `apple` the private key, as PEM. */
  readonly secret: string;
  readonly emailTrust: EmailTrust;
  /** The claim with the groups of the account; null if they are not used. */
  readonly groupsClaim: string | null;
}

export interface StoredLoginProvider {
  readonly id: string;
  readonly type: LoginProviderType;
  readonly name: string;
  readonly issuer: string;
  readonly clientId: string;
  /** Encrypted. */
  readonly sealedSecret: string;
  readonly settings: ProviderSettings;
  readonly emailTrust: EmailTrust;
  readonly groupsClaim: string | null;
  readonly groupMap: readonly GroupMapping[];
  readonly enabled: boolean;
  readonly createdAt: Timestamp;
  readonly updatedAt: Timestamp;
}

/** What the pages show of a provider. */
export interface OfferedProvider {
  readonly id: string;
  readonly type: LoginProviderType;
  readonly name: string;
}

/** The login provider as the API shows it. @param redirectUri null for a site without a domain */
export function showLoginProvider(
  stored: StoredLoginProvider,
  redirectUri: string | null,
  memberCount: number,
): LoginProvider {
  const { id, type, name, issuer, clientId, settings, emailTrust, groupsClaim, groupMap, enabled } = stored;
  const { createdAt, updatedAt } = stored;
  return {
    id,
    type,
    name,
    issuer,
    clientId,
    tenant: settings.tenant,
    teamId: settings.teamId,
    privateKeyId: settings.privateKeyId,
    emailTrust,
    groupsClaim,
    groupMap: [...groupMap],
    enabled,
    redirectUri,
    memberCount,
    createdAt,
    updatedAt,
  };
}

/** Where a secret belongs, so that it cannot be decrypted in another row. */
export function placeOfLoginProvider(siteId: string, providerId: string): string {
  return `${siteId}/login-providers/${providerId}`;
}

export function loginProviderNotFound(): ApiError {
  return new ApiError(
    'login_provider_not_found',
    'This site has no login provider with this ID. Check the ID.',
  );
}

import type { Identity, IdentityLink } from '@gatehouse/contract';
import { ApiError } from '../../base/api-error.ts';

/** An account at a login provider. Issuer and subject identify it; names and addresses may change hands. */
export interface AccountKey {
  readonly issuer: string;
  readonly subject: string;
}

/** An account that is to be linked to a member. */
export interface NewIdentity extends AccountKey {
  readonly memberId: string;
  readonly providerId: string;
  readonly providerName: string;
  readonly email: string | null;
  readonly label: string;
  /** The address for which the provider has vouched; null if it is linked for another reason. */
  readonly provenEmail: string | null;
  readonly reason: IdentityLink;
}

export interface StoredIdentity extends Identity {
  /** As in `NewIdentity`. */
  readonly provenEmail: string | null;
}

/** `taken`: it is linked to another member. `full`: the member has linked too many. */
export type LinkOutcome = 'linked' | 'unchanged' | 'taken' | 'full';

export function toIdentity({ provenEmail: _, ...identity }: StoredIdentity): Identity {
  return identity;
}

export function identityNotFound(): ApiError {
  return new ApiError('identity_not_found', 'This member has no identity with this ID. Check the ID.');
}

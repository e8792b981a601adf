import { randomUUID } from 'node:crypto';
import type { LoginProvider } from '@gatehouse/contract';
import { newId, timeOfId } from '../src/base/ids.ts';
import type { Change } from '../src/domain/events/change.ts';
import { insertIdentity } from '../src/domain/identities/identity-store.ts';
import { endOfJoinRequest, type StoredJoinRequest } from '../src/domain/join-requests/join-request.ts';
import { insertJoinRequest, markAnnounced } from '../src/domain/join-requests/join-request-store.ts';
import type { StoredPageCode } from '../src/domain/page-codes/page-code.ts';
import { insertPageCode } from '../src/domain/page-codes/page-code-store.ts';
import type { NewCredential } from '../src/domain/passkeys/passkey.ts';
import { addPasskey } from '../src/domain/passkeys/passkeys.ts';

/** Stores a page code that nobody can enter. Returns the ID. */
export async function storePageCode(change: Change, values: Partial<StoredPageCode> = {}): Promise<string> {
  const id = newId();
  await insertPageCode(change, {
    id,
    label: 'Class 7b',
    type: 'chosen',
    codeHash: randomUUID(),
    sealedCode: null,
    expiresAt: null,
    maxUses: null,
    usedCount: 0,
    lastUsedAt: null,
    createdAt: timeOfId(id),
    updatedAt: timeOfId(id),
    ...values,
  });
  return id;
}

/** Adds a passkey that no browser has. Returns the ID. */
export async function storePasskey(
  change: Change,
  memberId: string,
  values: Partial<NewCredential> = {},
): Promise<string> {
  const credential = {
    credentialId: randomUUID(),
    publicKey: 'AAAA',
    counter: 0,
    transports: [],
    rpId: null,
    backedUp: true,
    userVerified: true,
    ...values,
  };
  return (await addPasskey(change, memberId, 'My phone', credential)).id;
}

/** Stores a pending request to join of a person who is not a member. Returns the ID. */
export async function storeJoinRequest(
  change: Change,
  values: Partial<StoredJoinRequest> = {},
): Promise<string> {
  const id = newId();
  await insertJoinRequest(change, {
    id,
    email: `j-${randomUUID()}@example.com`,
    memberId: null,
    invitationId: null,
    displayName: 'Ada Lovelace',
    message: null,
    path: null,
    language: 'en',
    status: 'pending',
    createdAt: change.now,
    endsAt: endOfJoinRequest(change.now),
    decidedAt: null,
    decidedBy: null,
    ...values,
  });
  return id;
}

/** The same, of which operators have been told: no email about it changes the site in the middle of a test. */
export async function storeAnnouncedRequest(change: Change): Promise<string> {
  const id = await storeJoinRequest(change);
  await markAnnounced(change);
  return id;
}

/** Stores an account of a member at a provider, which does not vouch for its address. */
export async function storeIdentity(
  change: Change,
  memberId: string,
  { id: providerId, name: providerName, issuer }: LoginProvider,
): Promise<void> {
  const account = { issuer, subject: randomUUID(), email: 'ada@example.com', label: 'ada@example.com' };
  const identity = { ...account, memberId, providerId, providerName, provenEmail: null };
  await insertIdentity(change, newId(), { ...identity, reason: 'account_page' });
}

import type {
  CreateLoginProvider,
  GroupMapping,
  LoginProvider,
  UpdateLoginProvider,
} from '@gatehouse/contract';
import { maxLoginProviders } from '@gatehouse/contract/limits';
import {
  appleIssuer,
  gitHubIssuer,
  googleIssuer,
  microsoftIssuer,
  providerCallbackPath,
} from '@gatehouse/contract/provider-issuers';
import { ApiError, invalidRequest, type Precondition } from '../../base/api-error.ts';
import type { SecretBox } from '../../base/encryption/secret-box.ts';
import { newId, timeOfId } from '../../base/ids.ts';
import { type OutgoingSettings, readOutgoingUrl } from '../../base/networks/outgoing-url.ts';
import { checkName } from '../../base/text/text.ts';
import { isUniqueViolation } from '../../storage/errors.ts';
import type { SiteData } from '../../storage/site-view.ts';
import { acquireSiteLock } from '../../storage/sql/row-lock.ts';
import { requireCustomGroups } from '../access-groups/access-groups.ts';
import type { Change } from '../events/change.ts';
import { changesBetween } from '../events/event.ts';
import { countMembersOfProviders } from '../identities/identities.ts';
import { endMembershipsOfProvider } from '../memberships/memberships.ts';
import { originOf } from '../sites/site.ts';
import { findSite } from '../sites/sites.ts';
import {
  loginProviderNotFound,
  type ProviderSettings,
  placeOfLoginProvider,
  type StoredLoginProvider,
  showLoginProvider,
} from './login-provider.ts';
import {
  countLoginProviders,
  deleteLoginProviderRow,
  insertLoginProvider,
  noteLoginProviders,
  selectLoginProvider,
  selectLoginProviders,
  updateLoginProviderRow,
} from './login-provider-store.ts';

export { selectProviderIds as listProviderIds } from './login-provider-store.ts';

/** What is needed to store a login provider. */
export interface LoginProviderParts {
  readonly outgoing: OutgoingSettings;
  readonly secrets: SecretBox;
}

/** Locks the providers of a site until the transaction ends: their number, and whether there are any. */
function lockProvidersOfSite(change: Change): Promise<void> {
  return acquireSiteLock(change, 'login_providers');
}

/** @throws {ApiError} `invalid_request`, `login_provider_issuer_taken`, `too_many_login_providers` */
export async function createLoginProvider(
  change: Change,
  input: CreateLoginProvider,
  { outgoing, secrets }: LoginProviderParts,
): Promise<LoginProvider> {
  await lockProvidersOfSite(change);
  if ((await countLoginProviders(change)) >= maxLoginProviders) throw tooManyLoginProviders();
  const id = newId();
  const createdAt = timeOfId(id);
  const provider: StoredLoginProvider = {
    id,
    type: input.type,
    name: checkProviderName(input.name),
    issuer: checkIssuer(input, outgoing),
    clientId: input.clientId.trim(),
    sealedSecret: secrets.seal(input.secret, placeOfLoginProvider(change.siteId, id)),
    settings: checkSettings(input),
    emailTrust: input.emailTrust ?? 'claim',
    groupsClaim: input.groupsClaim ?? null,
    groupMap: input.groupMap ?? [],
    enabled: input.enabled ?? false,
    createdAt,
    updatedAt: createdAt,
  };
  await checkProvider(change, provider, input.groupMap);
  await insertLoginProvider(change, provider).catch(rejectTakenIssuer);
  await noteLoginProviders(change);
  const { name, issuer } = provider;
  change.record({ type: 'login-provider.created', data: { providerId: id, name, issuer } });
  return showLoginProvider(provider, await findRedirectUri(change, provider), 0);
}

function checkProviderName(name: string): string {
  return checkName('name', name.trim().normalize('NFC'));
}

function checkIssuer({ type, issuer, tenant }: CreateLoginProvider, outgoing: OutgoingSettings): string {
  if (type !== 'oidc' && issuer !== undefined) {
    throw invalidRequest('/issuer', 'Leave out the issuer: that of this type is known.');
  }
  if (type === 'google') return googleIssuer;
  if (type === 'github') return gitHubIssuer;
  if (type === 'apple') return appleIssuer;
  if (type === 'microsoft') {
    if (tenant === undefined) throw invalidRequest('/tenant', 'Add the ID of the directory.');
    return microsoftIssuer(tenant.toLowerCase());
  }
  if (issuer === undefined) throw invalidRequest('/issuer', 'Add the issuer of the provider.');
  const { problem } = readOutgoingUrl(issuer, outgoing);
  if (problem !== undefined) throw invalidRequest('/issuer', problem);
  // OpenID Connect Discovery 1.0, section 3: neither query nor fragment.
  if (/[?#]/.test(issuer)) throw invalidRequest('/issuer', 'An issuer has no query and no fragment.');
  return issuer;
}

function checkSettings({ type, tenant, teamId, privateKeyId }: CreateLoginProvider): ProviderSettings {
  if (type !== 'microsoft' && tenant !== undefined) throw invalidRequest('/tenant', onlyFor('microsoft'));
  if (type !== 'apple') {
    if (teamId !== undefined) throw invalidRequest('/teamId', onlyFor('apple'));
    if (privateKeyId !== undefined) throw invalidRequest('/privateKeyId', onlyFor('apple'));
  } else {
    if (teamId === undefined) throw invalidRequest('/teamId', 'Add the ID of the team.');
    if (privateKeyId === undefined) throw invalidRequest('/privateKeyId', 'Add the ID of the key.');
  }
  return {
    tenant: tenant?.toLowerCase() ?? null,
    teamId: teamId ?? null,
    privateKeyId: privateKeyId ?? null,
  };
}

function onlyFor(type: string): string {
  return `Leave it out: only a provider of the type ${type} has it.`;
}

/**
 * What holds for new and changed providers. The groups are those that the request names: of the others, one may have
 * been deleted since.
 */
async function checkProvider(
  view: SiteData,
  { type, emailTrust, groupsClaim }: StoredLoginProvider,
  namedGroups: readonly GroupMapping[] = [],
): Promise<void> {
  if (emailTrust === 'always' && type !== 'oidc') {
    throw invalidRequest('/emailTrust', 'Only a provider of the type oidc can always be trusted.');
  }
  if (groupsClaim !== null && type === 'github') {
    throw invalidRequest('/groupsClaim', 'GitHub sends no claims. Leave it out.');
  }
  await requireCustomGroups(view, [...new Set(namedGroups.map(({ accessGroupId }) => accessGroupId))]);
}

/** @throws {ApiError} `login_provider_not_found` */
export async function findLoginProvider(view: SiteData, providerId: string): Promise<LoginProvider> {
  return show(view, await findStoredLoginProvider(view, providerId));
}

/** @throws {ApiError} `login_provider_not_found` */
export async function findStoredLoginProvider(
  view: SiteData,
  providerId: string,
): Promise<StoredLoginProvider> {
  const provider = await selectLoginProvider(view, providerId);
  if (!provider) throw loginProviderNotFound();
  return provider;
}

/** The login providers of a site, oldest first. */
export async function listLoginProviders(view: SiteData): Promise<LoginProvider[]> {
  const [providers, origin, members] = await Promise.all([
    selectLoginProviders(view),
    findOrigin(view),
    countMembersOfProviders(view),
  ]);
  return providers.map((each) =>
    showLoginProvider(each, redirectUriAt(origin, each), members.get(each.id) ?? 0),
  );
}

async function show(view: SiteData, provider: StoredLoginProvider): Promise<LoginProvider> {
  const redirectUri = await findRedirectUri(view, provider);
  const members = await countMembersOfProviders(view);
  return showLoginProvider(provider, redirectUri, members.get(provider.id) ?? 0);
}

/** Where a provider sends the browser back to; null for a site without a domain. */
export async function findRedirectUri(
  view: SiteData,
  provider: Pick<StoredLoginProvider, 'issuer'>,
): Promise<string | null> {
  return redirectUriAt(await findOrigin(view), provider);
}

async function findOrigin(view: SiteData): Promise<string | null> {
  return originOf(await findSite(view));
}

function redirectUriAt(
  origin: string | null,
  { issuer }: Pick<StoredLoginProvider, 'issuer'>,
): string | null {
  return origin ? origin + providerCallbackPath(issuer) : null;
}

/** @throws {ApiError} `login_provider_not_found`, `invalid_request` */
export async function updateLoginProvider(
  change: Change,
  providerId: string,
  input: UpdateLoginProvider,
  { secrets }: LoginProviderParts,
  requireMatch: Precondition<LoginProvider>,
): Promise<LoginProvider> {
  await lockProvidersOfSite(change);
  const before = await selectLoginProvider(change, providerId);
  if (!before) throw loginProviderNotFound();
  const shown = await show(change, before);
  requireMatch(shown);
  const after = changedProvider(change, before, input, secrets);
  await checkProvider(change, after, input.groupMap);
  const changes = changesBetween(eventValues(before), eventValues(after), eventFields);
  if (input.secret !== undefined) changes.push({ field: 'secret', from: null, to: null });
  if (changes.length === 0) return shown;
  await updateLoginProviderRow(change, after);
  const remaining = new Set(groupIdsOf(after));
  const ended = groupIdsOf(before).filter((id) => !remaining.has(id));
  await endMembershipsOfProvider(change, providerId, ended);
  await noteLoginProviders(change);
  change.record({ type: 'login-provider.updated', data: { providerId, name: after.name, changes } });
  return showLoginProvider(after, shown.redirectUri, shown.memberCount);
}

/** The groups that a provider gives: none without a claim. */
function groupIdsOf({ groupsClaim, groupMap }: StoredLoginProvider): string[] {
  return groupsClaim === null ? [] : groupMap.map(({ accessGroupId }) => accessGroupId);
}

function changedProvider(
  { siteId, now }: Change,
  before: StoredLoginProvider,
  input: UpdateLoginProvider,
  secrets: SecretBox,
): StoredLoginProvider {
  const { secret, teamId, privateKeyId } = input;
  if (before.type !== 'apple' && (teamId !== undefined || privateKeyId !== undefined)) {
    throw invalidRequest(teamId === undefined ? '/privateKeyId' : '/teamId', onlyFor('apple'));
  }
  return {
    ...before,
    name: input.name === undefined ? before.name : checkProviderName(input.name),
    clientId: input.clientId?.trim() ?? before.clientId,
    sealedSecret:
      secret === undefined
        ? before.sealedSecret
        : secrets.seal(secret, placeOfLoginProvider(siteId, before.id)),
    settings: {
      ...before.settings,
      teamId: teamId ?? before.settings.teamId,
      privateKeyId: privateKeyId ?? before.settings.privateKeyId,
    },
    emailTrust: input.emailTrust ?? before.emailTrust,
    groupsClaim: input.groupsClaim === undefined ? before.groupsClaim : input.groupsClaim,
    groupMap: input.groupMap ?? before.groupMap,
    enabled: input.enabled ?? before.enabled,
    updatedAt: now,
  };
}

const eventFields = [
  'name',
  'clientId',
  'teamId',
  'privateKeyId',
  'emailTrust',
  'groupsClaim',
  'groupMap',
  'enabled',
] as const;

function eventValues(provider: StoredLoginProvider) {
  const { name, clientId, settings, emailTrust, groupsClaim, groupMap, enabled } = provider;
  return {
    name,
    clientId,
    teamId: settings.teamId,
    privateKeyId: settings.privateKeyId,
    emailTrust,
    groupsClaim,
    groupMap: JSON.stringify(groupMap),
    enabled,
  };
}

/** @throws {ApiError} `login_provider_not_found` */
export async function deleteLoginProvider(
  change: Change,
  providerId: string,
  requireMatch: Precondition<LoginProvider>,
): Promise<void> {
  await lockProvidersOfSite(change);
  const provider = await selectLoginProvider(change, providerId);
  if (!provider) throw loginProviderNotFound();
  requireMatch(await show(change, provider));
  // First its accounts, so that logins which have begun end before their memberships do.
  await deleteLoginProviderRow(change, providerId);
  await endMembershipsOfProvider(change, providerId);
  await noteLoginProviders(change);
  change.record({ type: 'login-provider.deleted', data: { providerId, name: provider.name } });
}

function tooManyLoginProviders(): ApiError {
  return new ApiError(
    'too_many_login_providers',
    `The site has ${maxLoginProviders} login providers, which is the maximum. Delete one that is no longer used.`,
  );
}

function rejectTakenIssuer(error: unknown): never {
  if (!isUniqueViolation(error, 'login_providers_issuer')) throw error;
  throw new ApiError(
    'login_provider_issuer_taken',
    'Another login provider of the site has the same issuer. Update that one.',
  );
}

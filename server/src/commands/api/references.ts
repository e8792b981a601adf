import type { OperationId } from '@gatehouse/contract';
import { CommandFailure, WrongUsage } from '../../app/failure.ts';
import { findSimilarName } from '../../app/settings/similar-name.ts';
import { isUuid } from '../../base/ids.ts';
import { listed } from '../shared/output.ts';
import { type AnyShape, everyItem, type Parts, type SiteApi } from './calls/site-api.ts';

/** How a resource is found by a name that people know, instead of its ID. */
interface Reference {
  readonly noun: string;
  /** By default the noun with an s. */
  readonly plural?: string;
  /** By what it is known, beside its ID. */
  readonly known: string;
  readonly example: string;
  /** The part of error codes. */
  readonly code: string;
  readonly list: OperationId;
  /** The command that shows what there is. */
  readonly command: string;
  readonly names: (item: AnyShape) => readonly (string | null | undefined)[];
  /** Finds it without reading the whole list. */
  readonly query?: (name: string) => Readonly<Record<string, unknown>>;
  /** Whether its list belongs to the parameters before it. */
  readonly isBelow?: true;
  /** Which of several with one name is meant. */
  readonly prefers?: (item: AnyShape) => boolean;
}

/** A note may contain an @ too, but never looks like this. */
const isAddress = (name: string) => /^[^\s@]+@[^\s@]+\.[^\s@]+$/.test(name);

const isInForce = ({ revokedAt, expiresAt }: AnyShape) =>
  revokedAt === null && (expiresAt === null || expiresAt > new Date().toISOString());

const references: Readonly<Record<string, Reference>> = {
  memberId: {
    noun: 'member',
    known: 'email address',
    example: 'ada@example.com',
    code: 'member',
    list: 'listMembers',
    command: 'members list',
    names: ({ email }) => [email],
    query: (name) => (name.includes('@') ? { email: name } : { q: name }),
  },
  groupId: {
    noun: 'access group',
    known: 'name',
    example: 'Rowing',
    code: 'access_group',
    list: 'listAccessGroups',
    command: 'access-groups list',
    names: ({ name }) => [name],
  },
  invitationId: {
    noun: 'invitation',
    known: 'note or email address',
    example: 'Beginners',
    code: 'invitation',
    list: 'listInvitations',
    command: 'invitations list',
    names: ({ note, email }) => [note || email, email],
    query: (name) => (isAddress(name) ? { email: name } : {}),
    prefers: ({ status }) => status === 'active',
  },
  joinRequestId: {
    noun: 'request to join',
    plural: 'requests to join',
    known: 'email address',
    example: 'ada@example.com',
    code: 'join_request',
    list: 'listJoinRequests',
    command: 'join-requests list',
    names: ({ email }) => [email],
    prefers: ({ status }) => status === 'pending',
  },
  pageCodeId: {
    noun: 'page code',
    known: 'label',
    example: 'Class 7b',
    code: 'page_code',
    list: 'listPageCodes',
    command: 'page-codes list',
    names: ({ label }) => [label],
  },
  providerId: {
    noun: 'login provider',
    known: 'name or issuer',
    example: 'Club account',
    code: 'login_provider',
    list: 'listLoginProviders',
    command: 'login-providers list',
    names: ({ name, issuer }) => [name, issuer],
  },
  sourceId: {
    noun: 'source',
    known: 'name',
    example: 'Team',
    code: 'source',
    list: 'listSources',
    command: 'sources list',
    names: ({ name }) => [name],
  },
  webhookId: {
    noun: 'webhook',
    known: 'URL or description',
    example: 'Shop',
    code: 'webhook',
    list: 'listWebhooks',
    command: 'webhooks list',
    names: ({ url, description }) => [url, description],
  },
  keyId: {
    noun: 'API key',
    known: 'last 4 characters or name',
    example: 'x7Qa',
    code: 'key',
    list: 'listApiKeys',
    command: 'api-keys list',
    names: ({ last4, name }) => [last4, name],
    prefers: isInForce,
  },
  operatorId: {
    noun: 'operator',
    known: 'email address',
    example: 'grace@example.com',
    code: 'operator',
    list: 'listOperators',
    command: 'operators list',
    names: ({ email }) => [email],
  },
  tokenId: {
    noun: 'access token',
    known: 'name',
    example: 'Podcast app',
    code: 'access_token',
    list: 'listAccessTokens',
    isBelow: true,
    command: 'members access-tokens list',
    names: ({ name }) => [name],
  },
};

/** The resource that a parameter or a property such as `accessGroupIds` identifies; undefined for others. */
function referenceOf(property: string): Reference | undefined {
  return references[
    property
      .replace(/^access(?=Group)/, '')
      .replace(/^G/, 'g')
      .replace(/s$/, '')
  ];
}

export function isReference(property: string): boolean {
  return referenceOf(property) !== undefined;
}

/** What can be given for a parameter, for the help. */
export function nameHint(property: string): string {
  const reference = referenceOf(property);
  if (reference) return `the ${reference.known} or the ID of the ${reference.noun}`;
  const noun = property.replace(/(?:Id|Key)$/, '');
  return property.endsWith('Key') ? `the key of the ${noun}` : `the ID of the ${noun}`;
}

export function exampleOfParameter(property: string, value = 'ID'): string {
  return referenceOf(property)?.example ?? value;
}

/**
 * The ID of what was named: an ID as it is, or a name such as an email address.
 * @param params the path parameters before it
 * @throws {CommandFailure} `…_not_found`, `…_ambiguous`, with what there is
 */
export async function resolve(
  api: SiteApi,
  property: string,
  named: string,
  params: Parts['params'] = {},
): Promise<string> {
  const reference = referenceOf(property);
  if (reference === undefined || isUuid(named)) return named;
  if (named.trim() === '') throw new WrongUsage(`Name the ${reference.noun}.`);
  const items: AnyShape[] = [];
  const { query } = reference;
  for await (const item of everyItem(api, reference.list, {
    params: reference.isBelow ? params : {},
    query: query?.(named) ?? {},
  }))
    items.push(item);
  return resolveIn(property, named, items).id;
}

/** The one of some resources with a name or an ID. @throws {CommandFailure} `…_not_found`, `…_ambiguous` */
export function resolveIn<T extends { readonly id: string }>(
  property: string,
  named: string,
  items: readonly T[],
): T {
  const reference = referenceOf(property)!;
  const { names, prefers = () => true } = reference;
  const wanted = folded(property === 'keyId' && isWholeKey(named) ? named.slice(-4) : named);
  const matching = items.filter((item) =>
    [item.id, ...names(item)].some((name) => name && folded(name) === wanted),
  );
  const preferred = matching.filter(prefers);
  const [found, ...others] = preferred.length > 0 ? preferred : matching;
  if (found && others.length === 0) return found;
  throw found ? ambiguous(reference, named, [found, ...others]) : notFound(reference, named, items);
}

function folded(name: string): string {
  return name.trim().normalize('NFC').toLowerCase();
}

const maxCandidates = 5;

function notFound({ noun, code, command, names }: Reference, named: string, items: readonly AnyShape[]) {
  const known = items.flatMap((item) => names(item)[0] ?? []);
  const similar = findSimilarName(named, known);
  const shown = listed(known.slice(0, maxCandidates), '"');
  const more = known.length > maxCandidates ? ', …' : '';
  const there = known.length === 0 ? '' : ` There is ${shown}${more}.`;
  const advice = similar === undefined ? there : ` Did you mean "${similar}"?`;
  return new CommandFailure(
    `${code}_not_found`,
    `The site has no ${noun} ${shortened(named)}.${advice} See ./gatehouse ${command}.`,
  );
}

function ambiguous(
  { noun, plural = `${noun}s`, code }: Reference,
  named: string,
  found: readonly AnyShape[],
): CommandFailure {
  const ids = found.map(({ id }) => id).join(', ');
  const message = `Several ${plural} are called ${shortened(named)}. Use the ID of one: ${ids}.`;
  return new CommandFailure(`${code}_ambiguous`, message, 2);
}

/** What is named may be a whole API key, which must not appear in a message. */
function shortened(named: string): string {
  return isWholeKey(named) ? `…${named.slice(-4)}` : `"${named}"`;
}

/** Not only a name that begins like one. */
function isWholeKey(named: string): boolean {
  return /^gate_\w{20,}$/.test(named);
}

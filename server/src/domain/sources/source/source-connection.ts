import type { SourceKind } from '@gatehouse/contract';
import { invalidRequest } from '../../base/api-error.ts';
import { readOutgoingUrl } from '../../base/networks/outgoing-url.ts';
import { type NotionSecret, placeOfSecret, type StoredSource } from './source.ts';
import type { WorkspaceAccess } from './workspaces.ts';

/** What somebody enters so that Gatehouse can read a source. */
export interface SubmittedConnection {
  readonly token?: string | undefined;
  readonly address?: string | undefined;
}

export type Connection = Pick<StoredSource, 'host' | 'secret' | 'webhookActive' | 'webhookAwaitedUntil'>;

/** The connection of a source whose lists a program uploads. */
export const unconnected: Connection = {
  host: null,
  secret: null,
  webhookActive: false,
  webhookAwaitedUntil: null,
};

const neededField: Readonly<Record<SourceKind, keyof SubmittedConnection | undefined>> = {
  notion: 'token',
  list: 'address',
  program: undefined,
};

/** @throws {ApiError} `invalid_request` unless exactly what this kind of source needs is there */
export function checkConnection(kind: SourceKind, submitted: SubmittedConnection): void {
  for (const field of ['token', 'address'] as const) {
    const isNeeded = neededField[kind] === field;
    if (isNeeded && submitted[field] === undefined) {
      throw invalidRequest(`/${field}`, `${field} is missing. A source of the kind "${kind}" needs it.`);
    }
    if (!isNeeded && submitted[field] !== undefined) {
      throw invalidRequest(`/${field}`, `${field}: A source of the kind "${kind}" has none. Leave it out.`);
    }
  }
}

/** The checked connection with its secret encrypted. @throws {ApiError} `invalid_request` */
export function connect(
  { secrets, outgoing, notionUrl }: WorkspaceAccess,
  siteId: string,
  { id, kind }: Pick<StoredSource, 'id' | 'kind'>,
  { token, address }: SubmittedConnection,
): Connection {
  const place = placeOfSecret(siteId, id);
  if (kind === 'notion') {
    const secret: NotionSecret = { token: readToken(token!) };
    return connectedTo(new URL(notionUrl), secrets.seal(JSON.stringify(secret), place));
  }
  const read = readOutgoingUrl(address!.trim(), outgoing);
  if (read.problem !== undefined) throw invalidRequest('/address', `address: ${read.problem}`);
  return connectedTo(read.url, secrets.seal(read.url.href, place));
}

function connectedTo({ host }: URL, secret: string): Connection {
  return { host, secret, webhookActive: false, webhookAwaitedUntil: null };
}

/** @throws {ApiError} `invalid_request` unless it can be sent in a header */
function readToken(token: string): string {
  const trimmed = token.trim();
  if (/^[\x21-\x7e]+$/.test(trimmed)) return trimmed;
  throw invalidRequest('/token', 'token must have no spaces and only ASCII characters. Copy it again.');
}

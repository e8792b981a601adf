import { type SourceType, sourceTypes } from '@gatehouse/contract/source-types';
import { invalidRequest } from '../../../base/api-error.ts';
import type { Workspaces } from '../workspaces/workspaces.ts';
import { placeOfSecret, type StoredSource } from './source.ts';

/** What someone enters so that Gatehouse can read a source. */
export interface SubmittedConnection {
  readonly token?: string | undefined;
  readonly address?: string | undefined;
}

export type Connection = Pick<StoredSource, 'host' | 'secret' | 'webhookActive' | 'webhookAwaitedUntil'>;

/** The connection of a source whose lists a program uploads. */
const unconnected: Connection = {
  host: null,
  secret: null,
  webhookActive: false,
  webhookAwaitedUntil: null,
};

/**
 * The checked connection with its secret encrypted.
 * @param workspaces undefined if Gatehouse reads no sources here
 * @throws {ApiError} `invalid_request` unless exactly what this kind of source needs is there
 */
export function connect(
  workspaces: Workspaces | undefined,
  siteId: string,
  { id, type }: Pick<StoredSource, 'id' | 'type'>,
  submitted: SubmittedConnection,
): Connection {
  const { connectionField } = sourceTypes[type];
  checkFields(type, submitted);
  const connector = workspaces?.connectorOf(type);
  if (!workspaces || !connector || connectionField === null) return unconnected;
  const { host, secret } = connector.readConnection(submitted[connectionField]!);
  const sealed = workspaces.secrets.seal(secret, placeOfSecret(siteId, id));
  return { ...unconnected, host, secret: sealed };
}

function checkFields(type: SourceType, submitted: SubmittedConnection): void {
  for (const field of ['token', 'address'] as const) {
    const isNeeded = sourceTypes[type].connectionField === field;
    if (isNeeded && submitted[field] === undefined) {
      throw invalidRequest(`/${field}`, `${field} is missing. A source of the type "${type}" needs it.`);
    }
    if (!isNeeded && submitted[field] !== undefined) {
      throw invalidRequest(`/${field}`, `${field}: A source of the type "${type}" has none. Leave it out.`);
    }
  }
}

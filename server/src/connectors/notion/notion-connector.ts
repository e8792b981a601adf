import { invalidRequest } from '../../base/api-error.ts';
import type { NotionSecret } from '../../domain/sources/source/source.ts';
import type { Connector } from '../../domain/sources/workspaces/connector.ts';
import { rejectListColumns } from '../columns.ts';
import type { ConnectorParts } from '../connector-parts.ts';
import { readNotionWebhook } from './notion-webhook.ts';

/** Connects sources to Notion, with the token of an integration. */
export function notionConnector({ notionUrl, clock, http }: ConnectorParts): Connector {
  return {
    connectionField: 'token',
    readConnection(entered) {
      const secret: NotionSecret = { token: readToken(entered) };
      return { host: new URL(notionUrl).host, secret: JSON.stringify(secret) };
    },
    checkColumns: rejectListColumns,
    async open({ secret }) {
      const { token }: NotionSecret = JSON.parse(secret);
      // Loaded only when there is a source that needs it.
      const { NotionWorkspace } = await import('./notion-workspace.ts');
      return new NotionWorkspace({ token, baseUrl: notionUrl, http: await http(), clock });
    },
    readWebhook: ({ body, signature }, verificationToken) =>
      readNotionWebhook(body, signature, verificationToken),
  };
}

/** @throws {ApiError} `invalid_request` unless it can be sent in a header */
function readToken(token: string): string {
  const trimmed = token.trim();
  if (/^[\x21-\x7e]+$/.test(trimmed)) return trimmed;
  throw invalidRequest('/token', 'token must have no spaces and only ASCII characters. Copy it again.');
}

import { invalidRequest } from '../../base/api-error.ts';
import type { TokenSecret } from '../../domain/sources/source/source.ts';
import type { Connector } from '../../domain/sources/workspaces/connector.ts';
import { rejectListColumns } from '../columns.ts';
import type { ConnectorParts } from '../connector-parts.ts';
import { readNotionWebhook } from './notion-webhook.ts';

/** Connects sources to Notion, with the token of an integration. */
export function notionConnector({ notionUrl, clock, http }: ConnectorParts): Connector {
  return {
    readConnection(entered) {
      const secret: TokenSecret = { token: readToken(entered) };
      return { host: new URL(notionUrl).host, secret: JSON.stringify(secret) };
    },
    checkColumns: rejectListColumns,
    async open({ secret }) {
      const { token }: TokenSecret = JSON.parse(secret);
      // Loaded only when there is a source that needs it.
      const { NotionWorkspace } = await import('./notion-workspace.ts');
      return new NotionWorkspace({ token, baseUrl: notionUrl, http: await http(), clock });
    },
    readWebhook({ body, headers }, verificationToken) {
      const signature = [headers['x-notion-signature'] ?? []].flat()[0];
      return readNotionWebhook(body, signature, verificationToken);
    },
  };
}

/** @throws {ApiError} `invalid_request` unless it can be sent in a header */
function readToken(token: string): string {
  const trimmed = token.trim();
  if (/^[\x21-\x7e]+$/.test(trimmed)) return trimmed;
  throw invalidRequest('/token', 'token must have no spaces and only ASCII characters. Copy it again.');
}

import { createHmac, timingSafeEqual } from 'node:crypto';
import type { WorkspaceWebhook } from '../../domain/sources/workspaces/connector.ts';

/**
 * Reads a request of a webhook.
 * @param body as it was received: the signature is computed from its bytes
 * @param signature the header `X-Notion-Signature`
 * @param verificationToken of the subscription; null if there is none yet
 */
export function readNotionWebhook(
  body: Buffer | string,
  signature: string | undefined,
  verificationToken: string | null,
): WorkspaceWebhook {
  if (signature !== undefined && verificationToken !== null && isSigned(body, signature, verificationToken)) {
    return { kind: 'change' };
  }
  // Anyone can send a token, so it must not replace one that is in use.
  const token = verificationToken === null ? verificationTokenIn(body) : undefined;
  return token === undefined ? { kind: 'rejected' } : { kind: 'verification', token };
}

function isSigned(body: Buffer | string, signature: string, verificationToken: string): boolean {
  const hex = /^sha256=([\da-f]{64})$/i.exec(signature)?.[1];
  if (hex === undefined) return false;
  const expected = createHmac('sha256', verificationToken).update(body).digest();
  return timingSafeEqual(Buffer.from(hex, 'hex'), expected);
}

const tokenForm = /^[\x21-\x7e]{1,200}$/;

function verificationTokenIn(body: Buffer | string): string | undefined {
  try {
    const { verification_token: token } = JSON.parse(String(body)) ?? {};
    return typeof token === 'string' && tokenForm.test(token) ? token : undefined;
  } catch {
    return undefined;
  }
}

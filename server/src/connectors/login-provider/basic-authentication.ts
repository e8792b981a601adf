import type { ClientAuth } from 'openid-client';

/**
 * Sends the client ID and the secret by HTTP Basic (RFC 6749, section 2.3.1). It encodes only the characters that have to
 * be: the library also encodes `-`, `.` and `_`, and some servers, such as Glewlwyd, do not decode what they receive.
 */
export function basicAuthentication(secret: string): ClientAuth {
  return (_server, { client_id }, _body, headers) => {
    const credentials = [client_id, secret].map(formEncoded).join(':');
    headers.set('authorization', `Basic ${Buffer.from(credentials).toString('base64')}`);
  };
}

function formEncoded(text: string): string {
  return encodeURIComponent(text).replaceAll('%20', '+');
}

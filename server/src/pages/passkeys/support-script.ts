/**
 * The beginning of each script for passkeys. It runs before the page is painted, so that what needs a passkey is there at
 * once, and nothing moves.
 */
export const supportScript = `'use strict';
{
  const PublicKey = globalThis.PublicKeyCredential;
  const isSupported =
    typeof PublicKey?.parseRequestOptionsFromJSON === 'function' &&
    typeof PublicKey.parseCreationOptionsFromJSON === 'function';
  if (isSupported) document.documentElement.classList.add('passkeys');

  const post = async (path, body) => {
    const response = await fetch(path, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify(body),
    });
    const answer = await response.json();
    if (!response.ok) throw Object.assign(new Error(answer.error.message), { code: answer.error.code });
    return answer.data;
  };
`;

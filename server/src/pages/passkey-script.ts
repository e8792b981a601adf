import { pageScript } from './page-script.ts';

/** Offers the way in with a passkey where the browser knows one, and goes on to where the visitor was going. */
export const passkeyScript = pageScript(
  'passkey.js',
  `'use strict';
{
  const button = document.getElementById('passkey');
  const problem = document.getElementById('passkey-problem');
  const post = async (path, body) => {
    const response = await fetch('/dashboard/api/' + path, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify(body),
    });
    if (!response.ok) throw new Error(response.status);
    return response.json();
  };

  button.addEventListener('click', async () => {
    button.disabled = true;
    problem.hidden = true;
    try {
      const options = await post('passkey-login/options', {});
      const publicKey = PublicKeyCredential.parseRequestOptionsFromJSON(options);
      const credential = await navigator.credentials.get({ publicKey });
      const next = document.querySelector('input[name=next]').value;
      const answer = await post('passkey-login', { response: credential.toJSON(), next });
      location.assign(answer.next);
    } catch {
      problem.hidden = false;
      button.disabled = false;
    }
  });
  const isKnown = typeof globalThis.PublicKeyCredential?.parseRequestOptionsFromJSON === 'function';
  document.getElementById('passkeys').hidden = !isKnown;
}
`,
);

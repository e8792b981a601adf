import { dashboardApiPrefix, dashboardOperations } from '@gatehouse/contract/dashboard';
import { pageScript } from '../page-script.ts';

const { createPasskeyLoginOptions, logInWithPasskey } = dashboardOperations;

/** Offers the login with a passkey where the browser supports it, and then continues to the requested page. */
export const passkeyScript = pageScript(
  'passkey.js',
  `'use strict';
{
  const button = document.getElementById('passkey');
  const problem = document.getElementById('passkey-problem');
  const post = async (path, body) => {
    const response = await fetch('${dashboardApiPrefix}' + path, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify(body),
    });
    if (!response.ok) throw new Error(response.status);
    return (await response.json()).data;
  };

  button.addEventListener('click', async () => {
    button.disabled = true;
    problem.hidden = true;
    try {
      const options = await post('${createPasskeyLoginOptions.path}', {});
      const publicKey = PublicKeyCredential.parseRequestOptionsFromJSON(options);
      const credential = await navigator.credentials.get({ publicKey });
      const next = document.querySelector('input[name=next]').value;
      const answer = await post('${logInWithPasskey.path}', { response: credential.toJSON(), next });
      location.assign(answer.next);
    } catch {
      problem.hidden = false;
      button.disabled = false;
    }
  });
  const isSupported = typeof globalThis.PublicKeyCredential?.parseRequestOptionsFromJSON === 'function';
  document.getElementById('passkeys').hidden = !isSupported;
}
`,
);

import { pageScript } from '../page-script.ts';

/**
 * Tells with the form of a login link or a code whether this device itself can hold a passkey, so that one is offered after
 * the login. The script that submits a link waits for it, but not for a browser that never answers.
 */
export const passkeyOfferScript = pageScript(
  'passkey-offer.js',
  `'use strict';
{
  const PublicKey = globalThis.PublicKeyCredential;
  const add = (isAvailable) => {
    if (!isAvailable || typeof PublicKey.parseCreationOptionsFromJSON !== 'function') return;
    const field = document.createElement('input');
    Object.assign(field, { type: 'hidden', name: 'offersPasskey', value: 'yes' });
    document.querySelector('#press, #code-form').append(field);
  };
  const check = Promise.resolve(PublicKey?.isUserVerifyingPlatformAuthenticatorAvailable?.());
  const patience = new Promise((resolve) => setTimeout(resolve, 500));
  globalThis.passkeyCheck = Promise.race([check.then(add), patience]).catch(() => {});
}
`,
);

import { pageScript } from '../page-script.ts';
import { supportScript } from './support-script.ts';

/**
 * Offers the login with a passkey, and then continues to the requested page: with a button, and among what the browser
 * suggests in the field for the email address (conditional mediation). Only one request can wait for a passkey at a time.
 */
export const passkeyScript = pageScript(
  'passkey.js',
  `${supportScript}
  const start = () => {
    const part = document.getElementById('passkeys');
    const button = document.getElementById('passkey');
    const problem = document.getElementById('passkey-problem');
    const { options, login } = part.dataset;
    const suggests = 'suggests' in part.dataset;
    // Options are valid for five minutes.
    const renewAfter = 4 * 60 * 1000;
    let isBusy = false;
    let suggestion = new AbortController();
    let suggestedAt = Infinity;

    const find = async (how) => {
      const publicKey = PublicKey.parseRequestOptionsFromJSON(await post(options, {}));
      return navigator.credentials.get({ publicKey, ...how });
    };
    const use = async (credential) => {
      const next = document.querySelector('input[name=next]').value;
      location.assign((await post(login, { response: credential.toJSON(), next })).next);
    };
    const fail = () => {
      problem.hidden = false;
      isBusy = false;
      suggest();
    };

    const suggest = async () => {
      if (!suggests || !(await PublicKey.isConditionalMediationAvailable?.())) return;
      suggestion.abort();
      const { signal } = (suggestion = new AbortController());
      suggestedAt = Date.now();
      const credential = await find({ mediation: 'conditional', signal }).catch(() => undefined);
      if (credential === undefined || signal.aborted) return;
      suggestedAt = Infinity;
      await use(credential).catch(fail);
    };
    const renew = () => {
      if (!document.hidden && Date.now() - suggestedAt > renewAfter) suggest();
    };

    button.addEventListener('click', async () => {
      if (isBusy) return;
      isBusy = true;
      problem.hidden = true;
      suggestion.abort();
      suggestedAt = Infinity;
      await find().then(use).catch(fail);
    });
    document.getElementById('email').addEventListener('focus', renew);
    addEventListener('visibilitychange', renew);
    suggest();
  };
  if (isSupported) addEventListener('DOMContentLoaded', start);
}
`,
  { isFirst: true },
);

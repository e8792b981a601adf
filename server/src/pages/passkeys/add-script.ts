import { pageScript } from '../page-script.ts';
import { supportScript } from './support-script.ts';

/** Adds a passkey with the form of the page, and then continues. */
export const addPasskeyScript = pageScript(
  'add-passkey.js',
  `${supportScript}
  const start = () => {
    const form = document.getElementById('add-passkey');
    if (!form) return;
    const { options, next } = form.dataset;
    let isBusy = false;
    const problems = [...document.querySelectorAll('[data-problem]')];
    const show = (name) => {
      const shown = problems.find(({ dataset }) => dataset.problem === name) ?? problems[0];
      for (const problem of problems) problem.hidden = name === undefined || problem !== shown;
    };

    form.addEventListener('submit', async (event) => {
      event.preventDefault();
      if (isBusy) return;
      isBusy = true;
      show();
      try {
        const { formKey, name } = Object.fromEntries(new FormData(form));
        const publicKey = PublicKey.parseCreationOptionsFromJSON(await post(options, { formKey }));
        const credential = await navigator.credentials.create({ publicKey });
        await post(form.action, { formKey, name, response: credential.toJSON() });
        location.assign(next);
      } catch (error) {
        show(error.code === undefined || typeof error.code === 'number' ? error.name : error.code);
        isBusy = false;
      }
    });
  };
  if (isSupported) addEventListener('DOMContentLoaded', start);
}
`,
  { isFirst: true },
);

import { pageScript } from '../page-script.ts';

/**
 * Submits the form with the sixth digit, however the digits are typed or pasted (see `readCode`). While an input method
 * composes, a digit may still change. It is sent once (see `sendOnceScript`).
 */
export const codeScript = pageScript(
  'code.js',
  `'use strict';
{
  const form = document.getElementById('code-form');
  const field = document.getElementById('code');

  const submitWhole = () => {
    const digits = field.value.normalize('NFKC').replace(/[\\s.\\-\\u2013]/g, '');
    if (/^[0-9]{6}$/.test(digits)) form.requestSubmit();
  };
  field.addEventListener('input', (event) => {
    if (!event.isComposing) submitWhole();
  });
  field.addEventListener('compositionend', submitWhole);
}
`,
);

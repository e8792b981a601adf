import { setNonce } from 'get-nonce';

/** What the Content-Security-Policy of this answer asks of style elements; the server puts it into the page. */
export const nonce = document.querySelector<HTMLMetaElement>('meta[property="csp-nonce"]')?.nonce ?? '';

// For the style that keeps a page from scrolling behind a dialog.
if (nonce) setNonce(nonce);

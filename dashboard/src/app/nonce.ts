import { setNonce } from 'get-nonce';

/** The Content-Security-Policy nonce for style elements. The server puts it into the page. */
export const nonce = document.querySelector<HTMLMetaElement>('meta[property="csp-nonce"]')?.nonce ?? '';

// For the style that prevents scrolling behind a dialog.
if (nonce) setNonce(nonce);

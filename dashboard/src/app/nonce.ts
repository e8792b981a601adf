import { setNonce } from 'get-nonce';

/**
 * The Content-Security-Policy nonce for style elements. The server puts it into the page. The element is not `csp-nonce`, which
 * Vite reads: scripts with a new nonce would be compiled again at each load, and need none.
 */
export const nonce = document.querySelector<HTMLMetaElement>('meta[name="style-nonce"]')?.nonce ?? '';

// For the style that prevents scrolling behind a dialog.
if (nonce) setNonce(nonce);

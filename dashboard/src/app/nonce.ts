import { setNonce } from 'get-nonce';

/**
 * The Content-Security-Policy nonce for style elements. The server puts it into the page; the development server sends no policy
 * and leaves the placeholder. The element has a name of our own: from one named `csp-nonce`, Vite would give the nonce to scripts
 * too, and Chromium would compile them again at each load.
 */
export const nonce = document.querySelector<HTMLMetaElement>('meta[name="style-nonce"]')?.nonce ?? '';

// For the style that prevents scrolling behind a dialog.
if (nonce) setNonce(nonce);

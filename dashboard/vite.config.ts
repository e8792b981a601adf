import react from '@vitejs/plugin-react';
import { defineConfig } from 'vite';
import { mantineStyles } from './mantine-styles.ts';

/** Stands in `index.html` where the server puts the nonce of each answer. */
const noncePlace = '__NONCE__';

export default defineConfig(({ command }) => ({
  base: '/dashboard/',
  plugins: [react(), mantineStyles(command)],
  // The development server sends no Content-Security-Policy, so there is nothing to put there.
  ...(command === 'build' && { html: { cspNonce: noncePlace } }),
  build: {
    target: 'es2022',
    // The oldest browsers with `light-dark()`, which is of no use when it is compiled away.
    cssTarget: ['chrome123', 'firefox120', 'safari17.5'],
    // What is inlined as `data:` would need leave in the policy.
    assetsInlineLimit: 0,
    // Names the files of the first load, for the check of its size.
    manifest: true,
    // The notices of the libraries that are built in, which go with every copy.
    license: { fileName: 'licenses.md' },
  },
  // The pages as Vite serves them while they are worked on, with a Gatehouse behind them.
  server: {
    proxy: {
      '/api': 'http://localhost:8080',
      '/dashboard/api': 'http://localhost:8080',
    },
  },
}));

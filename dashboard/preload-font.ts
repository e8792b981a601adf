import type { Plugin } from 'vite';

/**
 * The font file with the Latin letters of the dashboard's languages. The other Inter files are fetched when a text
 * needs them.
 */
const latin = /\/inter-latin-wght-normal-[\w-]+\.woff2$/;

/** Preloads the font, so that no text is first shown in another one. */
export function preloadFont(): Plugin {
  return {
    name: 'preload-font',
    apply: 'build',
    transformIndexHtml: {
      order: 'post',
      handler(_, { bundle = {} }) {
        const file = Object.keys(bundle).find((name) => latin.test(name));
        if (!file) throw new Error('The build has no Inter font file for Latin letters.');
        const attrs = {
          rel: 'preload',
          as: 'font',
          type: 'font/woff2',
          crossorigin: '',
          href: `/dashboard/${file}`,
        };
        return [{ tag: 'link', attrs, injectTo: 'head-prepend' }];
      },
    },
  };
}

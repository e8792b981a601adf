import path from 'node:path';

export const root = path.resolve(import.meta.dirname, '..');

/** The documents as VitePress reads them. */
export const stagedFolder = path.join(root, 'docs-site/dist/source');

/** What VitePress writes, before it is checked. */
export const draftFolder = path.join(root, 'docs-site/dist/draft');

/** The built site. */
export const builtFolder = path.join(root, 'docs-site/dist/site');

/** Where the service has the site. */
export const base = '/help/';

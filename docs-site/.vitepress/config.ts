import { anchorOf } from '../anchors.ts';
import { licensesOfSite } from '../licenses.ts';
import { base, draftFolder, stagedFolder } from '../places.ts';
import { sidebars } from '../sidebar.ts';

/** The part of markdown-it that is used here. */
interface Markdown {
  readonly core: { readonly ruler: { disable(rules: readonly string[]): void } };
  readonly renderer: { readonly rules: Record<string, Rule | undefined> };
  readonly utils: { escapeHtml(text: string): string };
}
interface Token {
  readonly content: string;
  info: string;
}
interface Highlighter {
  codeToHtml(code: string, options: object): string;
}
type Rule = (tokens: readonly Token[], index: number, ...rest: unknown[]) => string;

export default {
  base,
  srcDir: stagedFolder,
  outDir: draftFolder,
  cacheDir: `${stagedFolder}/.cache`,
  // One page after the other, so that two builds have the same index of the search.
  buildConcurrency: 1,
  lang: 'en-US',
  title: 'Gatehouse',
  description: 'Members, access groups and access rules for your website',
  head: [['link', { rel: 'icon', href: `${base}icon.svg`, type: 'image/svg+xml' }]],
  // The policy of the service allows no script in a page.
  metaChunk: true,
  // What a build prints about languages is about their colors only.
  markdown: { ...githubMarkdown(), languageAlias: { caddyfile: 'nginx' }, shikiSetup: liftTimeLimit },
  themeConfig: {
    logo: '/icon.svg',
    search: { provider: 'local' },
    sidebar: sidebars(),
    outline: [2, 3],
    docFooter: { prev: false, next: false },
  },
  // One file for the search and one for the theme are larger than what is warned of.
  vite: { build: { chunkSizeWarningLimit: 1_000 }, plugins: [licensesOfSite()] },
};

/** By itself, Shiki colors only as much of a line as it can in half a second: on a busy machine, two builds would differ. */
function liftTimeLimit(highlighter: Highlighter): void {
  const { codeToHtml } = highlighter;
  highlighter.codeToHtml = (code, options) => codeToHtml(code, { ...options, tokenizeTimeLimit: 0 });
}

/** Without the extensions of VitePress, so that a document is the same here as on GitHub. */
function githubMarkdown() {
  return {
    html: false,
    linkify: false,
    attrs: { disable: true },
    anchor: { slugify: anchorOf },
    config(markdown: Markdown) {
      markdown.core.ruler.disable(['emoji']);
      const { rules } = markdown.renderer;
      // `{{` is code for Vue.
      rules.text = (tokens, index) =>
        markdown.utils.escapeHtml(tokens[index]!.content).replaceAll('{{', '&#123;&#123;');
      // Code that is indented looks like that between fences.
      rules.code_block = (tokens, index, ...rest) => {
        tokens[index]!.info = 'text';
        return rules.fence!(tokens, index, ...rest);
      };
      // The links of the pages are already final.
      rules.link_open = undefined;
    },
  };
}

import { readFileSync } from 'node:fs';
import path from 'node:path';
import { expect, test } from 'vitest';
import { anchorsOf } from '../../../../docs-site/anchors.ts';
import { helpAddress, helpPages } from './help-pages.ts';

const docs = path.resolve(import.meta.dirname, '../../../../docs');

test.each(Object.entries(helpPages))('the help for %s is a section of the documentation', (_, page) => {
  const [name = '', anchor] = page.split('#');
  const document = readFileSync(path.join(docs, name.replace(/\.html$/, '.md') || 'README.md'), 'utf8');
  if (anchor !== undefined) expect(anchorsOf(document)).toContain(anchor);
});

test('a page below another has its help, and an unknown one has the first page', () => {
  expect(helpAddress('/$site/')).toBe('/help/guides/dashboard.html#a-site-step-by-step');
  expect(helpAddress('/$site/webhooks/$webhookId')).toBe('/help/guides/webhooks.html');
  expect(helpAddress('/$site/rules/codes')).toBe('/help/guides/inviting-people.html#a-code-for-a-page');
  expect(helpAddress('/$site/settings/$section', undefined, 'mail')).toBe(
    '/help/guides/links-and-emails.html#testing-the-mail-server',
  );
  expect(helpAddress('/$site/settings/$section', undefined, 'headers')).toBe(
    '/help/guides/identity-headers.html',
  );
  expect(helpAddress('/$site/settings/$section', undefined, 'site')).toBe(
    '/help/guides/dashboard.html#a-site-step-by-step',
  );
  expect(helpAddress('/me')).toBe('/help/security/operators.html#login');
  expect(helpAddress('/$site/nothing')).toBe('/help/');
  expect(helpAddress('/')).toBe('/help/');
});

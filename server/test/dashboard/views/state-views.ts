import type { Page } from 'playwright-core';
import { expect } from 'vitest';
import type { SmallSite } from '../filled-site.ts';
import { drop, manyMembers, messyList } from '../member-lists.ts';
import type { View } from './view.ts';

/** States that have no URL of their own, and are checked in one language. */
export function statesOf({ slug, scopeGroupId }: SmallSite): View[] {
  const press = (page: Page, role: 'button' | 'tab', name: string | RegExp) =>
    page.getByRole(role, { name }).click();
  return [
    { name: 'scope-group', path: `/dashboard/${slug}/groups/${scopeGroupId}`, sign: 'mary@example.com' },
    { name: 'add', path: `/dashboard/${slug}/add`, sign: 'One member' },
    {
      name: 'add-paste',
      sign: '1 already a member',
      async prepare(page) {
        await press(page, 'tab', 'Paste email addresses');
        await page.getByRole('textbox', { name: 'Email addresses' }).fill(messyList);
        const cut =
          '[...document.querySelectorAll("td .mantine-Badge-label")].filter((e) => e.scrollWidth > e.clientWidth).length';
        expect(await page.evaluate(cut)).toBe(0);
      },
    },
    { name: 'add-file', sign: 'Drop a CSV file here', prepare: (page) => press(page, 'tab', 'CSV file') },
    { name: 'add-preview', sign: 'and 200 more rows', prepare: (page) => drop(page, manyMembers(300)) },
    {
      name: 'add-import',
      sign: 'could not be added',
      prepare: (page) => press(page, 'button', /^(Add \d+ members)$/),
    },
    { name: 'not-found', path: `/dashboard/${slug}-of-others/members` },
  ];
}

import type { BrowserContextOptions, Page } from 'playwright-core';
import { beforeAll, describe, expect, test } from 'vitest';
import { desktop, faultsOfView, findTooWide, phone, pictures, takePicture, zoomed } from '../browser.ts';
import { effort } from '../effort.ts';
import type { TestServer, TestSite } from '../test-server.ts';
import { skipsDashboard, startDashboard, turnTo, untilQuiet, useBrowser } from './dashboard-browser.ts';
import { createSmallSite, type FilledSite, fillSite } from './filled-site.ts';
import { dialogsOf } from './views/dialog-views.ts';
import { pagesOf, sitePages } from './views/page-views.ts';
import { statesOf } from './views/state-views.ts';
import { resize, show, switchTo, themeOf, type View } from './views/view.ts';

const languages = [
  ['de', 'Betreiber'],
  ['fr', 'Opérateurs'],
  ['es', 'Operadores'],
  ['ja', '運営者'],
] as const;

describe.skipIf(skipsDashboard())('every page of the dashboard', { timeout: 180_000 }, () => {
  const browser = useBrowser();
  let server: TestServer;
  let site: TestSite;
  let filled: FilledSite;
  let emptySite: TestSite;
  let emptySlug: string;

  beforeAll(async () => {
    server = await startDashboard();
    site = await server.createSite();
    filled = await fillSite(server, site);
    emptySite = await server.createSite();
    emptySlug = (await emptySite.patch('/site', { title: 'New Club' })).body.data.slug;
  });

  /** Opens the dashboard. The errors of the page include every error in its console. */
  async function open({ siteId }: TestSite, options?: BrowserContextOptions) {
    const opened = await browser.open(server, siteId, 'owner', options);
    opened.page.setDefaultTimeout(10_000);
    opened.page.on('console', (message) => {
      if (message.type() === 'error') opened.faults.push(message.text());
    });
    return opened;
  }

  /** Visits the pages, and returns the problems of each page that has any. */
  async function visitPages(
    page: Page,
    views: readonly View[],
    examine: (name: string) => Promise<unknown[]>,
  ) {
    await page.goto('/dashboard/me');
    await untilQuiet(page);
    const found: Record<string, unknown[]> = {};
    for (const view of views) {
      if (view.isOverlay) await resize(page, desktop);
      // One that cannot be shown hides nothing about the others.
      const faults = await show(page, view).then(
        () => examine(view.name),
        (error: Error) => [error.message],
      );
      if (faults.length > 0) found[view.name] = faults;
    }
    return found;
  }

  test('each page fits and is accessible on a phone and a desk, in light and dark colors', async () => {
    const { page, faults } = await open(site);
    const found = await visitPages(page, pagesOf(filled), (name) => faultsInBothThemes(page, name));
    expect({ found, faults }).toEqual({ found: {}, faults: [] });
  });

  test('so do a group that follows a source, and the steps of adding members', async () => {
    const small = await createSmallSite(server);
    const { page, faults } = await open(small.site);
    const found = await visitPages(page, statesOf(small), (name) => faultsInBothThemes(page, name));
    expect({ found, faults }).toEqual({ found: {}, faults: [] });
  });

  test('so do its dialogs and menus, and the button of a dialog stays visible', async () => {
    const { page, faults } = await open(site);
    const found = await visitPages(page, dialogsOf(filled), (name) => faultsOfOverlay(page, name));
    expect({ found, faults }).toEqual({ found: {}, faults: [] });
  });

  test('with reduced motion nothing moves, and with forced colors states, selection and focus stay visible', async () => {
    const { page, faults } = await open(site);
    await page.goto(`/dashboard/${filled.slug}/members?q=rower-7`);
    await page.getByRole('checkbox', { name: 'Select Rower Number 71' }).click();
    await page.getByRole('button', { name: 'Add to a group' }).click();
    await page.getByRole('dialog').waitFor();
    // What moves for longer than a frame: colors may fade.
    const moving = `document.getAnimations()
      .filter(({ effect, transitionProperty }) => effect.getComputedTiming().duration > 16 && !/color/.test(transitionProperty))
      .map(({ effect, transitionProperty }) => transitionProperty + ' of ' + effect.target.className)`;
    expect(await page.evaluate(moving)).toEqual([]);
    await page.getByRole('dialog').getByRole('button', { name: 'Cancel' }).click();
    await page.getByRole('dialog').waitFor({ state: 'detached' });

    await page.emulateMedia({ forcedColors: 'active' });
    await page.keyboard.press('Tab');
    await takePicture(page, 'members-forced-colors');
    const look = await page.evaluate<Record<string, string>>(`(() => {
      const style = (selector, pseudo) => getComputedStyle(document.querySelector(selector), pseudo);
      return {
        good: style('[data-state=good]', '::before').backgroundColor,
        bad: style('[data-state=bad]', '::before').backgroundColor,
        page: style('body').backgroundColor,
        focus: style(':focus').outlineStyle,
        selected: style('tr[data-selected]').outlineStyle,
        checked: style('tr[data-selected] [type=checkbox]').backgroundColor,
        unchecked: style('tbody tr:not([data-selected]) [type=checkbox]').backgroundColor,
      };
    })()`);
    await page.emulateMedia({ forcedColors: null });
    expect(new Set([look.good, look.bad, look.page]).size).toBe(3);
    expect(look.focus).not.toBe('none');
    expect(look.selected).toBe('solid');
    expect(look.checked).not.toBe(look.unchecked);
    expect(faults).toEqual([]);
  });

  test('each page fits both while it is empty, and is accessible', async () => {
    const { page, faults } = await open(emptySite);
    const found = await visitPages(page, sitePages(emptySlug), (name) =>
      inBothSizes(page, `empty-${name}`, (view, { width }) =>
        width === phone.width ? findTooWide(page) : faultsOfView(page, view),
      ),
    );
    expect({ found, faults }).toEqual({ found: {}, faults: [] });
  });

  test.each(languages.filter(([locale]) => effort.languages.includes(locale)))(
    'each speaks the language of the browser, %s, and fits a phone in it',
    async (locale, operators) => {
      const { page, faults } = await open(site, { viewport: phone, locale });
      const examine = (name: string) => faultsOfView(page, `${name}-${locale}`, { only: wordedRules });
      const found = await visitPages(page, pagesOf(filled), examine);
      expect({ found, faults }).toEqual({ found: {}, faults: [] });
      expect(await page.getAttribute('html', 'lang')).toBe(locale);
      await turnTo(page, `/dashboard/${filled.slug}/operators`);
      await page.getByRole('heading', { level: 1, name: operators }).waitFor();
    },
  );
});

/** A phone has the colors of a desktop: there they are checked, and on a phone only what depends on the width. */
const phoneRules = { without: 'color-contrast' };

/** In the second theme only the colors differ. */
function faultsInBothThemes(page: Page, name: string): Promise<unknown[]> {
  return inBothSizes(page, name, async (view, { width }) => {
    if (width !== phone.width) return faultsInTheme(page, view);
    const found = await faultsOfView(page, `${view}-${await themeOf(page)}`, phoneRules);
    if (pictures) await pictureInOtherTheme(page, view);
    return found;
  });
}

/** The problems in the theme of the previous view, and the colors in the other one. */
async function faultsInTheme(page: Page, view: string, within?: string): Promise<unknown[]> {
  const first = await themeOf(page);
  const inFirst = await faultsOfView(page, `${view}-${first}`, { within });
  const second = first === 'light' ? 'dark' : 'light';
  await switchTo(page, second);
  const inSecond = await faultsOfView(page, `${view}-${second}`, { within, only: ['color-contrast'] });
  return [...inFirst, ...inSecond];
}

async function pictureInOtherTheme(page: Page, view: string): Promise<void> {
  const theme = await themeOf(page);
  const other = theme === 'light' ? 'dark' : 'light';
  await switchTo(page, other);
  await takePicture(page, `${view}-${other}`);
  await switchTo(page, theme);
}

/** The problems of a dialog or menu, which has been opened on a desktop. */
async function faultsOfOverlay(page: Page, name: string): Promise<unknown[]> {
  const within = '#overlays';
  const isEveryWay = effort.dialogsInEveryWay || pictures !== undefined;
  const desktopName = `${name}-${desktop.width}`;
  const found = isEveryWay
    ? await faultsInTheme(page, desktopName, within)
    : await faultsOfView(page, desktopName, { within });
  for (const size of isEveryWay ? [zoomed, phone] : [phone]) {
    await resize(page, size);
    found.push(...(await findTooWide(page)), ...(await findHiddenButtons(page)));
  }
  await takePicture(page, `${name}-${phone.width}-${await themeOf(page)}`);
  if (pictures) await pictureInOtherTheme(page, `${name}-${phone.width}`);
  return found;
}

/** The buttons that submit the form of a dialog, if they have to be scrolled to. */
function findHiddenButtons(page: Page): Promise<string[]> {
  return page.evaluate<string[]>(`[...document.querySelectorAll('[role=dialog] [type=submit]')]
    .filter((button) => button.getBoundingClientRect().bottom > innerHeight)
    .map((button) => 'not visible: ' + button.textContent)`);
}

/** The problems of a view in both sizes: first in that of the previous view, because each change costs a new layout. */
async function inBothSizes(
  page: Page,
  name: string,
  examine: (view: string, size: typeof phone) => Promise<unknown[]>,
): Promise<unknown[]> {
  const isPhone = page.viewportSize()!.width === phone.width;
  const found: unknown[] = [];
  for (const size of isPhone ? [phone, desktop] : [desktop, phone]) {
    await resize(page, size);
    for (const fault of await examine(`${name}-${size.width}`, size)) found.push([size.width, fault]);
  }
  return found;
}

/**
 * The rules that can fail in a single language: controls without a name, or whose name differs from the visible one.
 */
const wordedRules = [
  'button-name',
  'link-name',
  'label',
  'label-title-only',
  'select-name',
  'input-button-name',
  'image-alt',
  'aria-input-field-name',
  'aria-toggle-field-name',
  'aria-command-name',
  'aria-dialog-name',
  'document-title',
  'empty-heading',
  'empty-table-header',
  'valid-lang',
  'html-has-lang',
];

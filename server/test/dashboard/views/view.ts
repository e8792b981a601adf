import type { Page, ViewportSize } from 'playwright-core';
import { expect } from 'vitest';
import { turnTo, untilQuiet, untilStill } from '../dashboard-browser.ts';

/** A page, or a state of the previous page. */
export interface View {
  readonly name: string;
  /** The path of the page; left out for a state of the previous page. */
  readonly path?: string;
  /** A text of the site that is on the page in every language. */
  readonly sign?: string | undefined;
  /** Whether the view is a dialog or a menu of a page that is checked by itself. */
  readonly isOverlay?: boolean;
  /** Brings the page into the state. */
  readonly prepare?: (page: Page) => Promise<unknown>;
}

/** Shows a view, and waits until everything is loaded and animations have ended. */
export async function show(page: Page, { path, sign, prepare }: View): Promise<void> {
  if (path !== undefined) {
    await closeOverlays(page);
    await leaveFor(page, path);
  }
  await prepare?.(page);
  if (sign !== undefined) await page.getByText(sign).first().waitFor({ state: 'attached' });
  await untilQuiet(page);
}

/** Opens a page, and waits until its heading is there instead of that of the previous page. */
async function leaveFor(page: Page, path: string): Promise<void> {
  const isOther = new URL(page.url()).pathname !== path.split('?')[0];
  if (isOther) await page.evaluate('document.querySelector("h1")?.setAttribute("data-previous", "")');
  await turnTo(page, path);
  await page.locator(isOther ? 'h1:not([data-previous])' : 'h1').waitFor();
}

/** Changes the size of the window, and waits until the page is laid out for it: charts and menus need some frames. */
export async function resize(page: Page, size: ViewportSize): Promise<void> {
  if (page.viewportSize()!.width === size.width) return;
  await page.setViewportSize(size);
  await page.evaluate(`(async () => {
    const isTooWide = () => document.documentElement.scrollWidth > window.innerWidth;
    for (let frames = 0; frames < 2 || (frames < 60 && isTooWide()); frames++)
      await new Promise(requestAnimationFrame);
  })()`);
  await untilStill(page);
}

export type Theme = 'light' | 'dark';

export async function themeOf(page: Page): Promise<Theme> {
  return (await page.getAttribute('html', 'data-mantine-color-scheme')) as Theme;
}

export async function switchTo(page: Page, colorScheme: Theme): Promise<void> {
  await page.emulateMedia({ colorScheme });
  await page.locator(`html[data-mantine-color-scheme=${colorScheme}]`).waitFor();
  await untilStill(page);
}

/** Closes the dialogs, drawers and menus of the previous view. */
async function closeOverlays(page: Page): Promise<void> {
  const overlays = page.locator('#overlays :is([role=dialog], [role=menu])');
  for (let open = await overlays.count(); open > 0; open = await overlays.count()) {
    // The focus is lost where the window has become too small for the button that opened the menu.
    await overlays.last().locator(':is(a, button, input, [tabindex]):visible').first().focus();
    await page.keyboard.press('Escape');
    await expect.poll(() => overlays.count()).toBeLessThan(open);
  }
}

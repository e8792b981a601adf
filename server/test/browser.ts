import { existsSync, mkdirSync, readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import path from 'node:path';
import type { RunOptions } from 'axe-core';
import { type Browser, chromium, type Page } from 'playwright-core';
import { expect } from 'vitest';

// Chromium as packaged by Debian. The headless shell needs half the CPU time, so it is tried first.
const programs = ['/usr/bin/chromium-headless-shell', '/usr/bin/chromium'];
const executablePath = process.env.GATEHOUSE_TEST_CHROMIUM ?? programs.find((program) => existsSync(program));

/** The folder for screenshots of the pages; without it none are made. */
export const pictures = process.env.GATEHOUSE_TEST_PICTURES;

export const desktop = { width: 1280, height: 800 };
/** The narrowest phones that are common. */
export const phone = { width: 360, height: 740 };
/** What is left of a desktop's window at a zoom of 200 % (WCAG 2.2, success criterion 1.4.4). */
export const zoomed = { width: 640, height: 400 };

/** Whether this machine has no browser. In CI a missing browser is an error, so this is always false there. */
export function lacksBrowser(): boolean {
  return !process.env.CI && executablePath === undefined;
}

/**
 * Starts a browser for tests. Their pages live for seconds: to optimize the code takes more time than it saves. `flags` are
 * Chromium's command line options.
 */
export function launchBrowser(...flags: string[]): Promise<Browser> {
  return launchUsersBrowser('--js-flags=--no-maglev,--no-turbofan', ...flags);
}

/** Starts a browser that runs pages as that of a user does. */
export function launchUsersBrowser(...flags: string[]): Promise<Browser> {
  if (executablePath === undefined) throw new Error('Install chromium-headless-shell or chromium.');
  const defaultFlags = [
    '--disable-gpu',
    '--in-process-gpu',
    '--disable-quic',
    '--disable-background-networking',
  ];
  return chromium.launch({ executablePath, chromiumSandbox: false, args: [...defaultFlags, ...flags] });
}

/** Collects the errors of a page: errors of scripts, and violations of its content security policy. */
export function watchFaults(page: Page, faults: string[]): void {
  page.on('pageerror', (error) => faults.push(String(error)));
  page.on('console', (message) => {
    if (/Content Security Policy|Refused/.test(message.text())) faults.push(message.text());
  });
}

/** Checks that a page fits its window and is accessible, and makes a screenshot of it if requested. */
export async function look(page: Page, name: string): Promise<void> {
  expect([name, await faultsOfView(page, name)]).toEqual([name, []]);
}

/** The rules of axe to check: all of them by default. */
interface AxeRules {
  readonly only?: readonly string[];
  readonly without?: string;
  /** The part of the page to check, as a selector: all of it by default. */
  readonly within?: string | undefined;
}

/**
 * The problems of a page in its current state: whether it is wider than its window, and violations of axe's rules.
 */
export async function faultsOfView(page: Page, name: string, rules: AxeRules = {}): Promise<unknown[]> {
  const tooWide = await findTooWide(page);
  await takePicture(page, name);
  return [...tooWide, ...(await findInaccessible(page, rules))];
}

/** The page and its dialogs and menus, if they have to be scrolled sideways or are not inside the window. */
export async function findTooWide(page: Page): Promise<string[]> {
  return page.evaluate<string[]>(`(() => {
    const faults = document.documentElement.scrollWidth > innerWidth ? ['the page is wider than its window'] : [];
    for (const overlay of document.querySelectorAll('[role=dialog], [role=menu]')) {
      const { left, right } = overlay.getBoundingClientRect();
      if (left < 0 || right > innerWidth) faults.push(overlay.role + ' is not inside the window');
      if (overlay.scrollWidth > overlay.clientWidth) faults.push(overlay.role + ' has to be scrolled sideways');
    }
    return faults;
  })()`);
}

async function findInaccessible(
  page: Page,
  { only, without, within = 'html' }: AxeRules,
): Promise<unknown[]> {
  if (!(await page.evaluate<boolean>('"axe" in window'))) await page.evaluate(axeSource());
  const options: RunOptions = {
    resultTypes: ['violations'],
    ...(only && { runOnly: { type: 'rule', values: [...only] } }),
    ...(without && { rules: { [without]: { enabled: false } } }),
  };
  return page.evaluate<
    unknown[]
  >(`axe.run(${JSON.stringify(within)}, ${JSON.stringify(options)}).then(({ violations }) =>
    violations.map(({ id, nodes }) => [id, document.querySelector(nodes[0].target[0])?.outerHTML.slice(0, 300)]))`);
}

let source: string | undefined;

function axeSource(): string {
  const file = createRequire(import.meta.url).resolve('axe-core/axe.min.js');
  // Serializing every element that is checked takes a third of the time: only those with a problem are shown.
  source ??= `${readFileSync(file, 'utf8')};axe.configure({ noHtml: true });`;
  return source;
}

/** Long lists are cut off, whose rows below the window are not rendered. */
const maxPictureHeight = 1_600;

/** Saves a screenshot if one is requested: of the page, or of the window if a dialog is open, which is laid out in it. */
export async function takePicture(page: Page, name: string): Promise<void> {
  if (!pictures) return;
  mkdirSync(pictures, { recursive: true });
  const file = path.join(pictures, `${name}.png`);
  if ((await page.locator('[role=dialog], [role=menu]').count()) > 0) {
    await page.screenshot({ path: file });
    return;
  }
  const { width, height } = await page.evaluate<{ width: number; height: number }>(
    '({ width: innerWidth, height: document.documentElement.scrollHeight })',
  );
  const clip = { x: 0, y: 0, width, height: Math.min(height, maxPictureHeight) };
  await page.screenshot({ path: file, fullPage: true, clip });
}

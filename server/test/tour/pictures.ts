import { mkdirSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import type { Page } from 'playwright-core';

const root = path.resolve(import.meta.dirname, '../../..');

/** Where the pictures go: the documents, unless GATEHOUSE_TOUR_FOLDER names another folder. */
const target = process.env.GATEHOUSE_TOUR_FOLDER ?? path.join(root, 'docs');

export const schemes = ['light', 'dark'] as const;
export type Scheme = (typeof schemes)[number];

/**
 * Takes a picture of what the window shows.
 * @param name below the folder `docs`, without the end of the name
 * @param quality of WebP from 0 to 100: below 75, the edges of small letters get shadows
 */
export async function takeWebp(page: Page, name: string, quality = 76): Promise<void> {
  const devtools = await page.context().newCDPSession(page);
  const { data } = await devtools.send('Page.captureScreenshot', { format: 'webp', quality });
  await devtools.detach();
  const file = path.join(target, `${name}.webp`);
  mkdirSync(path.dirname(file), { recursive: true });
  writeFileSync(file, Buffer.from(data, 'base64'));
}

import { Fragment, type ReactNode, use } from 'react';
import { untilLoaded } from '../session/pause.ts';
import type { TextArea, TextAreas } from './areas.ts';
import { language, locale } from './language.ts';
import { fillText, type Text, textParts, type Values } from './text.ts';

/** Returns a text of an area: `t('title')`, `t('found', { count: 3 })`. */
export interface Texts<Area extends TextArea> {
  (name: keyof TextAreas[Area], values?: Values<string | number>): string;
  /** Like the call, for values that are elements: `t.rich('by', { name: <MemberName … /> })`. */
  rich(name: keyof TextAreas[Area], values: Values<ReactNode>): ReactNode;
  /** Whether there is a text with this key, for keys from a newer server. */
  has(name: string): name is keyof TextAreas[Area] & string;
}

type File = { default: Readonly<Record<string, Text>> };
const files = import.meta.glob<File>('./*/*.json');
const loading = new Map<TextArea, Promise<Texts<never>>>();
const loaded = new Map<TextArea, Texts<never>>();
const awaited = new Map<TextArea, Promise<Texts<never>>>();

/** The texts of an area in the operator's language. Suspends until they are loaded; `loadTexts` preloads them. */
export function useTexts<Area extends TextArea>(area: Area): Texts<Area> {
  const promise = awaitTexts(area);
  const texts = loaded.get(area);
  // React reads such a promise at once. It must be read: a component that was suspended, and does not read what it has waited
  // for when it is rendered again, loses its hooks (error 467 of React 19).
  if (texts) Object.assign(promise, { status: 'fulfilled', value: texts });
  return use(promise);
}

/** Loads the texts of an area once. */
export function loadTexts<Area extends TextArea>(area: Area): Promise<Texts<Area>> {
  return load(area) as unknown as Promise<Texts<Area>>;
}

/** Like `loadTexts`, but repeats a failed download, so that it does not replace a page and what was typed into it. */
export function awaitTexts<Area extends TextArea>(area: Area): Promise<Texts<Area>> {
  const known = awaited.get(area) ?? untilLoaded(() => load(area));
  awaited.set(area, known);
  return known as unknown as Promise<Texts<Area>>;
}

function load(area: TextArea): Promise<Texts<never>> {
  const known = loading.get(area) ?? read(area);
  loading.set(area, known);
  // A failed download can be retried.
  known.catch(() => loading.delete(area));
  return known;
}

async function read(area: TextArea): Promise<Texts<never>> {
  const { default: texts } = await files[`./${language}/${area}.json`]!();
  const t = (name: string, values: Values<string | number> = {}) => fillText(locale, texts[name]!, values);
  const rich = (name: string, values: Values<ReactNode>) =>
    textParts(locale, texts[name]!, values).map((part, index) => <Fragment key={index}>{part}</Fragment>);
  const has = (name: string) => Object.hasOwn(texts, name);
  const all = Object.assign(t, { rich, has }) as unknown as Texts<never>;
  loaded.set(area, all);
  return all;
}

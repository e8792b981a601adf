import { Fragment, type ReactNode, use } from 'react';
import type { TextArea, TextAreas } from './areas.ts';
import { fill, parts, type Text, type Values } from './fill.ts';
import { language, locale } from './language.ts';

/** Says a text of an area: `t('title')`, `t('found', { count: 3 })`. */
export interface Texts<Area extends TextArea> {
  (name: keyof TextAreas[Area], values?: Values<string | number>): string;
  /** As the call, for values that are elements: `t.rich('by', { name: <MemberName … /> })`. */
  rich(name: keyof TextAreas[Area], values: Values<ReactNode>): ReactNode;
  /** Whether there is a text of this name, for names that the service may have added. */
  has(name: string): name is keyof TextAreas[Area] & string;
}

type File = { default: Readonly<Record<string, Text>> };
const files = import.meta.glob<File>('./*/*.json');
const loaded = new Map<TextArea, Promise<Texts<never>>>();

/** The texts of an area in the operator's language. Suspends until they are there; `loadTexts` has them fetched beforehand. */
export function useTexts<Area extends TextArea>(area: Area): Texts<Area> {
  return use(loadTexts(area));
}

/** Fetches the texts of an area, once. */
export function loadTexts<Area extends TextArea>(area: Area): Promise<Texts<Area>> {
  const known = loaded.get(area) ?? read(area);
  loaded.set(area, known);
  // What could not be fetched can be asked for again.
  known.catch(() => loaded.delete(area));
  return known as unknown as Promise<Texts<Area>>;
}

async function read(area: TextArea): Promise<Texts<never>> {
  const { default: texts } = await files[`./${language}/${area}.json`]!();
  const t = (name: string, values: Values<string | number> = {}) => fill(locale, texts[name]!, values);
  const rich = (name: string, values: Values<ReactNode>) =>
    parts(locale, texts[name]!, values).map((part, index) => <Fragment key={index}>{part}</Fragment>);
  const has = (name: string) => Object.hasOwn(texts, name);
  return Object.assign(t, { rich, has }) as unknown as Texts<never>;
}

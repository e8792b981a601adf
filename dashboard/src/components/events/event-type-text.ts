import type { Texts } from '../../languages/texts.tsx';

/** The name of an event type; the type itself if this version does not know it. */
export function eventTypeText(t: Texts<'events'>, type: string): string {
  const name = `type.${type}`;
  return t.has(name) ? t(name) : type;
}
